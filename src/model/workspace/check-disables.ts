/** `# lathe-disable rule: reason` in the frontmatter and in a program; SPEC.md CD. */
import type { CheckedSkill } from '../library/check-skills.ts';
import { isValid } from '../skill/diagnose.ts';
import type { Diagnostic, TextRange } from '../skill/types.ts';

interface Disable {
  readonly rule: string;
  readonly reason: string;
  readonly file: string;
  readonly range: TextRange;
}

/** What is reported about the comments themselves. No profile changes these. */
export const COMMENT_RULES = new Map(
  [
    {
      id: 'disable-reason',
      fix: '–',
      why: 'A reader has to know why a rule is off, so a comment without a reason disables nothing.',
    },
    {
      id: 'disable-unused',
      fix: '–',
      why: 'A comment that no longer disables anything hides the next problem of its rule.',
    },
  ].map((rule) => [rule.id, { ...rule, severity: 'warning' as const }]),
);

const COMMENT = /^[ \t]*#[ \t]*lathe-disable[ \t]+([\w-]+)[ \t]*(?::(.*))?$/gm;

const disablesIn = (file: string, text: string): readonly Disable[] =>
  [...text.matchAll(COMMENT)].map((match) => ({
    rule: match[1] ?? '',
    reason: match[2]?.trim() ?? '',
    file,
    range: { start: match.index, end: match.index + match[0].trimEnd().length },
  }));

/** Only the frontmatter: a comment in the body would be a part of what the model reads. */
const frontmatterOf = (text: string): string => /^---[ \t]*\r?\n[\s\S]*?^---[ \t]*\r?$/m.exec(text)?.[0] ?? '';

const warning = (rule: string, message: string, { file, range }: Disable): Diagnostic => ({
  rule,
  severity: 'warning',
  message,
  file,
  range,
  fixes: [],
});

/** Rules that comments in the frontmatter disable for the file itself. */
export const disabledRules = ({ document, input }: Pick<CheckedSkill, 'document' | 'input'>): ReadonlySet<string> =>
  new Set(
    disablesIn(input.fileName, frontmatterOf(document.text))
      .filter(({ reason }) => reason !== '')
      .map(({ rule }) => rule),
  );

/** `hasPrograms`: the problems of programs are among the diagnostics, so that a comment on them can be unused. */
export const withoutDisabled = (skill: CheckedSkill, hasPrograms: boolean): CheckedSkill => {
  const { document, input } = skill;
  const beside = [...(input.files ?? [])].flatMap(([file, { text }]) =>
    file.endsWith('.star') && text !== undefined ? disablesIn(file, text) : [],
  );
  const disables = [...disablesIn(input.fileName, frontmatterOf(document.text)), ...beside];
  if (disables.length === 0) return skill;
  const silenced = new Set(disables.filter(({ reason }) => reason !== '').map(({ rule, file }) => `${file}\n${rule}`));
  const key = ({ rule, file }: Pick<Diagnostic, 'rule' | 'file'>): string => `${file}\n${rule}`;
  const used = new Set(skill.diagnostics.map(key).filter((one) => silenced.has(one)));
  const notes = disables.flatMap((disable): readonly Diagnostic[] => {
    const { rule, reason } = disable;
    if (reason === '')
      return [
        warning(
          'disable-reason',
          `Say why: \`# lathe-disable ${rule}: reason\`. Without it, nothing is disabled.`,
          disable,
        ),
      ];
    if (used.has(key(disable)) || (!hasPrograms && disable.file !== input.fileName)) return [];
    return [warning('disable-unused', `\`${rule}\` isn't reported here. Remove the comment.`, disable)];
  });
  const diagnostics = [...skill.diagnostics.filter((one) => !silenced.has(key(one))), ...notes];
  return { ...skill, diagnostics, valid: isValid(diagnostics) };
};
