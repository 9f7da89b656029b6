import { nearest } from '../../base/nearest.ts';
import { RULES } from '../../model/skill/catalog.ts';
import { CHECK_PROFILES, type Profile, type Severity } from '../../model/skill/types.ts';
import { PROGRAM_RULES } from '../../model/starlark/rule-catalog.ts';
import { COMMENT_RULES } from '../../model/workspace/check-disables.ts';
import { oneOf, parseArguments, wrongUse } from '../arguments.ts';
import { jsonDocument } from '../output/json-document.ts';

interface AnyRule {
  readonly id: string;
  readonly why: string;
  readonly fix: string;
  readonly severityIn: (profile: Profile) => Severity | undefined;
}

/** Those on skills, then those on programs and on comments, which no profile changes. */
const ALL: readonly AnyRule[] = [
  ...[...RULES.values()].map(({ id, why, fix, severity }) => ({
    id,
    why,
    fix,
    severityIn: (profile: Profile) => severity[profile],
  })),
  ...[...PROGRAM_RULES.values(), ...COMMENT_RULES.values()].map(({ id, why, fix, severity }) => ({
    id,
    why,
    fix,
    severityIn: () => severity,
  })),
];

/** Every rule, one per line. */
export const rules = (args: readonly string[]): number => {
  const parsed = parseArguments(args, { profile: { type: 'string' }, json: { type: 'boolean' } });
  if (!parsed.ok) return wrongUse('rules', parsed.error);
  const { values, positionals } = parsed.value;
  if (positionals.length > 0) return wrongUse('rules', `unexpected argument '${positionals[0]}'`);
  const profile = oneOf('profile', values['profile'], CHECK_PROFILES, 'standard');
  if (!profile.ok) return wrongUse('rules', profile.error);
  const rows = ALL.map(({ id, why, fix, severityIn }) => ({
    id,
    severity: severityIn(profile.value) ?? 'off',
    fix,
    why,
  }));
  if (values['json'] === true) process.stdout.write(jsonDocument({ rules: rows }));
  else {
    const width = Math.max(...rows.map(({ id }) => id.length));
    for (const { id, severity, why } of rows)
      process.stdout.write(`${id.padEnd(width)}  ${severity.padEnd(7)}  ${why}\n`);
  }
  return 0;
};

/** One rule with all that is known of it. */
export const explainRule = (args: readonly string[]): number => {
  const parsed = parseArguments(args, { json: { type: 'boolean' } });
  if (!parsed.ok) return wrongUse('explain-rule', parsed.error);
  const { values, positionals } = parsed.value;
  const [id, ...more] = positionals;
  if (id === undefined || more.length > 0)
    return wrongUse('explain-rule', 'expected one rule, such as name-folder', 'explain-rule ID');
  const rule = ALL.find((one) => one.id === id);
  if (!rule) {
    const near = nearest(
      id,
      ALL.map((one) => one.id),
    );
    return wrongUse(
      'explain-rule',
      `unknown rule: '${id}'. ${near === undefined ? 'Run `lathe rules` to list them' : `Did you mean ${near}?`}`,
    );
  }
  const severities = CHECK_PROFILES.map((profile) => [profile, rule.severityIn(profile) ?? 'off'] as const);
  if (values['json'] === true) {
    const told = { id, why: rule.why, fix: rule.fix, severity: Object.fromEntries(severities) };
    process.stdout.write(jsonDocument(told));
    return 0;
  }
  process.stdout.write(`${id}: ${rule.why}\n\n`);
  for (const [profile, severity] of severities) process.stdout.write(`  ${profile.padEnd(14)} ${severity}\n`);
  const off = COMMENT_RULES.has(id)
    ? "It can't be turned off. Remove the comment, or give it a reason.\n"
    : `To turn it off, add to lathe.yaml:\n\nrules:\n  ${id}: off\n`;
  process.stdout.write(`\nFix: ${rule.fix === '–' ? 'none' : rule.fix}\n${off}`);
  return 0;
};
