/** Check zero as text and as SARIF. */
import { ALARM_RULES } from '../../model/scan/rules.ts';
import type { ScannedSkill } from '../../model/scan/scan-tree.ts';
import { CAPABILITY_KINDS, type Alarm, type AlarmSeverity } from '../../model/scan/types.ts';
import { sarifLog, type SarifRow } from './sarif.ts';
import { visible, type Paint } from './terminal-text.ts';

const SHOWN_LINES = 6;

const card = (skill: ScannedSkill, paint: Paint): string[] =>
  CAPABILITY_KINDS.flatMap((kind) => {
    const found = skill.capabilities.filter((capability) => capability.kind === kind);
    if (found.length === 0) return [];
    const lines = found
      .slice(0, SHOWN_LINES)
      .map(({ file, line, detail }) => `    ${visible(file)}:${line}  ${paint.dim(visible(detail))}`);
    const more =
      found.length > SHOWN_LINES ? [paint.dim(`    … ${found.length - SHOWN_LINES} more (--json has all)`)] : [];
    return [`  ${paint.bold(kind)}`].concat(lines, more);
  });

const alarmLines = (alarm: Alarm, paint: Paint): string[] => [
  `  ${paint.red(`alarm, ${alarm.severity}`)} ${visible(alarm.file)}:${alarm.line}  ${visible(alarm.message)} ${paint.dim(`[${alarm.rule}]`)}`,
  ...alarm.trail.map(({ file, line, what }) => `    from ${visible(file)}:${line}  ${paint.dim(visible(what))}`),
  ...(alarm.decoded === undefined ? [] : [`    decoded: ${visible(alarm.decoded)}`]),
];

export const scanText = (skill: ScannedSkill, path: string, paint: Paint): string => {
  const unread = skill.files.filter(({ reading }) => reading === 'not read');
  const byWords = skill.files.filter(({ reading }) => reading === 'patterns');
  return [
    paint.bold(`${visible(skill.name)}  ${paint.dim(visible(path))}`),
    ...skill.alarms.flatMap((alarm) => alarmLines(alarm, paint)),
    ...card(skill, paint),
    ...skill.notes.map(
      ({ file, line, message, rule }) =>
        `  note ${visible(file)}:${line}  ${visible(message)} ${paint.dim(`[${rule}]`)}`,
    ),
    ...(unread.length > 0
      ? [`  not read: ${unread.map(({ path: file, reason }) => `${visible(file)} (${reason ?? ''})`).join(', ')}`]
      : []),
    ...(byWords.length > 0
      ? [`  read by patterns only: ${byWords.map(({ path: file }) => visible(file)).join(', ')}`]
      : []),
  ].join('\n');
};

const LEVELS: Readonly<Record<AlarmSeverity, string>> = { critical: 'error', high: 'error', medium: 'warning' };

/** SARIF 2.1.0: alarms as errors, capabilities and notes as notes. */
export const scanSarif = (skills: readonly { readonly skill: ScannedSkill; readonly path: string }[]): unknown => {
  const rows = skills.flatMap(({ skill, path }): SarifRow[] => {
    const at = (file: string): string => (path === '.' ? file : `${path}/${file}`);
    return [
      ...skill.alarms.map(({ rule, severity, message, file, line, column }) => ({
        rule: rule,
        level: LEVELS[severity],
        text: message,
        file: at(file),
        region: { startLine: line, startColumn: column },
      })),
      ...skill.capabilities.map(({ kind, detail, file, line, column }) => ({
        rule: `capability/${kind}`,
        level: 'note',
        text: detail,
        file: at(file),
        region: { startLine: line, startColumn: column },
      })),
      ...skill.notes.map(({ rule, message, file, line, column }) => ({
        rule: `note/${rule}`,
        level: 'note',
        text: message,
        file: at(file),
        region: { startLine: line, startColumn: column },
      })),
    ];
  });
  const why = new Map<string, string>(Object.values(ALARM_RULES).map((rule) => [rule.id, rule.why]));
  return sarifLog('lathe scan', rows, (id) => {
    const text = why.get(id);
    return text === undefined ? undefined : { why: text };
  });
};
