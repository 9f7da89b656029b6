/** What each field of the frontmatter is for, in the words of an editor. */
import { clientRulesOf } from '../client-profiles.ts';
import { CLAUDE_CODE_FIELDS, EXTENSION_FIELDS, METASKILL_FIELDS, SPEC_FIELDS } from '../known-names.ts';
import type { Profile } from '../types.ts';

export interface FieldDoc {
  readonly name: string;
  /** Such as `string, 1–1,024 characters`. */
  readonly form: string;
  readonly doc: string;
  /** Who reads it; empty for the fields of the format. */
  readonly hosts: string;
  /** Where there are only a few. */
  readonly values: readonly string[];
}

type Row = readonly [name: string, form: string, doc: string, values?: readonly string[]];

const BOOLEAN = ['true', 'false'] as const;

const ROWS: readonly Row[] = [
  [
    'name',
    'string, 1–64 characters: a–z, 0–9, and hyphens',
    'The skill’s name. It must match the folder’s name, because agents find and load the skill by it.',
  ],
  [
    'description',
    'string, 1–1,024 characters',
    'What the skill does and when to use it. The model sees this line for every skill in every request and picks by it. Use the words that people use, and end with `Use when …`.',
  ],
  ['license', 'string', 'The name of a license, or of the license file.'],
  ['compatibility', 'string, at most 500 characters', 'What the skill needs: an agent, programs, or network access.'],
  ['metadata', 'map of strings', 'Other data, such as an author or a version. Agents ignore it.'],
  [
    'allowed-tools',
    'string, tools separated by spaces',
    'Tools that the skill can use without asking, such as `Bash(git:*) Read`. Lathe shows this field but doesn’t enforce it.',
  ],
  [
    'metaskill',
    'path inside the folder',
    'The Starlark program of a metaskill. More agents accept the skill if you leave this out and name the program `SKILL.star`.',
    ['SKILL.star'],
  ],
  ['metaskill_language', 'string', 'The language of the program.', ['starlark']],
  [
    'when_to_use',
    'string',
    'Added to the description in the listing. Other agents don’t read it, so put this into the description.',
  ],
  ['argument-hint', 'string', 'Shown after the name when you call the skill, such as `[issue-number]`.'],
  ['arguments', 'string or list', 'Argument names, in order.'],
  [
    'disable-model-invocation',
    'boolean',
    'With `true`, only you can call the skill. The model doesn’t see it.',
    BOOLEAN,
  ],
  ['user-invocable', 'boolean', 'With `false`, the skill isn’t in the menu. Only the model can call it.', BOOLEAN],
  [
    'disallowed-tools',
    'string, tools separated by spaces',
    'Tools that the model can’t use while the skill is active.',
  ],
  ['model', 'string', 'The model to use while the skill is active.', ['inherit', 'haiku', 'sonnet', 'opus']],
  ['effort', 'string', 'How hard the model should think.', ['low', 'medium', 'high', 'max']],
  ['context', 'string', 'With `fork`, the skill runs in a sub-agent with its own context.', ['fork']],
  ['agent', 'string', 'The kind of sub-agent that runs the skill if `context` is `fork`.'],
  ['background', 'boolean', 'With `true`, the sub-agent runs in the background.', BOOLEAN],
  ['hooks', 'map', 'Commands that run before or after tools while the skill is active.'],
  ['paths', 'string or list', 'Globs. The agent offers the skill only while it works on matching files.'],
  ['shell', 'string', 'The shell for commands in the text.', ['bash', 'powershell']],
  ['modeSlugs', 'list', 'The modes that offer the skill.'],
  ['mode', 'string', 'The mode that offers the skill. Use `modeSlugs` instead.'],
];

const DOCS: ReadonlyMap<string, FieldDoc> = new Map(
  ROWS.map(([name, form, doc, values = []]) => [
    name,
    { name, form, doc, hosts: EXTENSION_FIELDS.get(name) ?? '', values },
  ]),
);

export const fieldDoc = (name: string): FieldDoc | undefined => DOCS.get(name);

const isOffered = (name: string, profile: Profile): boolean => {
  switch (profile) {
    case 'strict':
    case 'metis':
    case 'claude-upload':
      return SPEC_FIELDS.has(name);
    case 'metaskill':
      return SPEC_FIELDS.has(name) || METASKILL_FIELDS.has(name);
    case 'claude-code':
      return CLAUDE_CODE_FIELDS.has(name);
    case 'standard':
      return true;
    default:
      return SPEC_FIELDS.has(name) || clientRulesOf(profile)?.reads.includes(name) === true;
  }
};

/** Those that a profile knows: the format's own first, then what only some hosts read. */
export const fieldDocs = (profile: Profile): readonly FieldDoc[] =>
  [...DOCS.values()].filter(({ name }) => isOffered(name, profile));
