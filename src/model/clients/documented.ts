/** Clients of which only documentation is known: their roots and fields. Their wording, order, and budgets are unknown, and shown so. */
import { readYaml, scalarText, BYTE_ORDER_MARK } from './frontmatter.ts';
import { hide, oneOfEachName, plainListing, type ReadSkill } from './plain-listing.ts';
import { UNKNOWN, type Client, type ClientId, type Fact, type FoundSkill, type RootRule } from './types.ts';

const readSkill = (found: FoundSkill, hides: boolean): ReadSkill => {
  const text = found.text.startsWith(BYTE_ORDER_MARK) ? found.text.slice(1) : found.text;
  const [, yaml] = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---/.exec(text) ?? [];
  const fields = yaml === undefined ? undefined : readYaml(yaml);
  if (!fields?.ok) return hide(found, 'Its frontmatter is missing or isn’t valid YAML.');
  const name = scalarText(fields.value['name']) ?? found.folder;
  const description = scalarText(fields.value['description']) ?? '';
  if (hides && fields.value['disable-model-invocation'] === true)
    return hide(found, '`disable-model-invocation` is true.', name);
  return description === '' ? hide(found, 'It has no description.', name) : { found, name, text: description };
};

interface Documented {
  readonly id: ClientId;
  readonly label: string;
  readonly roots: readonly RootRule[];
  readonly facts: readonly Fact[];
  /** Whether `disable-model-invocation` hides a skill. */
  readonly hides: boolean;
}

const UNKNOWNS: readonly Fact[] = [
  { topic: 'text', text: 'The wording of the listing.', source: UNKNOWN },
  { topic: 'budget', text: 'Whether there is a budget.', source: UNKNOWN },
  { topic: 'order', text: 'The order of the listing.', source: UNKNOWN },
  { topic: 'compaction', text: 'What remains of a skill after compaction.', source: UNKNOWN },
];

export const documentedClient = ({ id, label, roots, facts, hides }: Documented): Client => ({
  id,
  label,
  versions: [],
  roots,
  facts: [...facts, ...UNKNOWNS],
  list: (found) =>
    plainListing({
      client: id,
      label,
      version: undefined,
      exact: false,
      ...oneOfEachName(
        found.map((one) => readSkill(one, hides)),
        'first',
      ),
      lineOf: ({ name, text }) => `- ${name}: ${text}`,
      textOf: (lines) => lines.join('\n'),
      isUnlimited: false,
      notes: [
        'Lathe knows only its documentation. These are the names and descriptions that it reads. Wording, order, and budget are unknown.',
      ],
    }),
});
