/** Goose: where it looks, what it lists, and what is known of what it does. Read in its code, not measured. */
import { compareCodePoints } from '../../../base/text.ts';
import { readYaml } from '../frontmatter.ts';
import { hide, oneOfEachName, plainListing, type ReadSkill } from '../plain-listing.ts';
import { fromCode, UNKNOWN, type Client, type FoundSkill, type Listing } from '../types.ts';

const CODE = fromCode('block/goose e94f3047');

const readSkill = (found: FoundSkill): ReadSkill => {
  // The frontmatter lies between the first two `---`, wherever they are.
  const [before, yaml, ...rest] = found.text.split('---');
  if (before?.trim() !== '' || yaml === undefined || rest.length === 0) return hide(found, 'It has no frontmatter.');
  const fields = readYaml(yaml);
  const { name, description } = fields.ok ? fields.value : {};
  if (typeof name !== 'string' || name === '') return hide(found, 'It has no name.');
  if (typeof description !== 'string') return hide(found, 'It has no description.', name);
  if (name.includes('/')) return hide(found, 'Its name contains a slash.', name);
  return { found, name, text: description };
};

const list = (found: readonly FoundSkill[]): Listing => {
  const { listed, hidden } = oneOfEachName(found.map(readSkill), 'first');
  return plainListing({
    client: 'goose',
    label: 'Goose',
    version: undefined,
    exact: false,
    listed: listed.toSorted((a, b) => compareCodePoints(a.name, b.name)),
    hidden,
    lineOf: ({ name, text }) => `• ${name} - ${text}`,
    textOf: (lines) => lines.join('\n'),
    isUnlimited: true,
    notes: ['Read from the code of April 2026, not measured.'],
  });
};

const DEEP = { depth: Infinity, dotFolders: true } as const;

export const goose: Client = {
  id: 'goose',
  label: 'Goose',
  versions: [],
  roots: [
    { scope: 'project', path: '.goose/skills', ...DEEP, source: CODE },
    { scope: 'project', path: '.claude/skills', ...DEEP, source: CODE },
    { scope: 'project', path: '.agents/skills', ...DEEP, source: CODE },
    { scope: 'user', path: '.agents/skills', ...DEEP, source: CODE },
    { scope: 'user', path: '.config/goose/skills', ...DEEP, source: CODE },
    { scope: 'user', path: '.claude/skills', ...DEEP, source: CODE },
    { scope: 'user', path: '.config/agents/skills', ...DEEP, source: CODE },
  ],
  facts: [
    {
      topic: 'roots',
      text: '`.goose/skills`, `.claude/skills`, and `.agents/skills` of the working folder, then of the home folder. Any depth.',
      source: CODE,
    },
    { topic: 'precedence', text: 'The first name wins.', source: CODE },
    { topic: 'fields', text: 'Name and description are required. All other fields are ignored.', source: CODE },
    { topic: 'text', text: 'One line per skill, in an extension’s instructions.', source: CODE },
    { topic: 'budget', text: 'None.', source: CODE },
    { topic: 'order', text: 'By name.', source: CODE },
    { topic: 'body', text: 'The `load` tool returns it under a heading.', source: CODE },
    { topic: 'compaction', text: 'What remains of a skill after compaction.', source: UNKNOWN },
  ],
  list,
};
