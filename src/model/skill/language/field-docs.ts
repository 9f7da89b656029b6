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
    'string, 1–64 characters: a–z, 0–9 and hyphens',
    'How the skill is called. It must be the name of its folder, because that is how it is found and loaded.',
  ],
  [
    'description',
    'string, 1–1,024 characters',
    'What the skill does and when to use it. The model sees this line of every skill on every request and picks by it: say the task in the words that people use, and end with `Use when …`.',
  ],
  ['license', 'string', 'The name of a licence, or of the file that holds it.'],
  ['compatibility', 'string, at most 500 characters', 'What the skill needs: a host, programs, network access.'],
  [
    'metadata',
    'map of strings',
    'Whatever else you want to keep, such as an author or a version. Hosts leave it alone.',
  ],
  [
    'allowed-tools',
    'string, tools separated by spaces',
    'Tools that the skill may use without asking, for example `Bash(git:*) Read`. Lathe shows it and never enforces it.',
  ],
  [
    'metaskill',
    'path inside the folder',
    'The Starlark program of an executable skill. Leaving it out and naming the program `SKILL.star` works in more hosts.',
    ['SKILL.star'],
  ],
  ['metaskill_language', 'string', 'The language of the program.', ['starlark']],
  [
    'when_to_use',
    'string',
    'Added to the description in the listing. Other hosts never see it: write it into the description.',
  ],
  ['argument-hint', 'string', 'Shown behind the name when a person calls the skill, for example `[issue-number]`.'],
  ['arguments', 'string or list', 'Names for the arguments, in their order.'],
  [
    'disable-model-invocation',
    'boolean',
    'With `true` only a person can call the skill; the model does not see it.',
    BOOLEAN,
  ],
  ['user-invocable', 'boolean', 'With `false` the skill is not in the menu; only the model can call it.', BOOLEAN],
  ['disallowed-tools', 'string, tools separated by spaces', 'Tools that are taken away while the skill is active.'],
  ['model', 'string', 'The model to use while the skill is active.', ['inherit', 'haiku', 'sonnet', 'opus']],
  ['effort', 'string', 'How hard the model should think.', ['low', 'medium', 'high', 'max']],
  ['context', 'string', 'With `fork` the skill runs in a sub-agent with a context of its own.', ['fork']],
  ['agent', 'string', 'Which kind of sub-agent runs the skill where `context` is `fork`.'],
  ['background', 'boolean', 'With `true` the sub-agent runs in the background.', BOOLEAN],
  ['hooks', 'map', 'Commands that run around the tools while the skill is active.'],
  ['paths', 'string or list', 'Globs: the skill is offered only while such files are worked on.'],
  ['shell', 'string', 'The shell for commands in the text.', ['bash', 'powershell']],
  ['modeSlugs', 'list', 'The modes in which the skill is offered.'],
  ['mode', 'string', 'The mode in which the skill is offered. Write `modeSlugs` instead.'],
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
