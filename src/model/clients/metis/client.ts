/** Metis: two roots, and the index that Lathe’s dialect `metis` writes. */
import { compareCodePoints } from '../../../base/text.ts';
import { readSkill } from '../../skill/skill.ts';
import { hide, oneOfEachName, plainListing, type ReadSkill } from '../plain-listing.ts';
import { documented, UNKNOWN, type Client, type FoundSkill, type Listing } from '../types.ts';

const source = documented('Metis skills specification, draft v1');

const read = (found: FoundSkill): ReadSkill => {
  const { skill, diagnostics } = readSkill(
    { content: found.text, fileName: 'SKILL.md', folder: found.folder },
    'metis',
  );
  const errors = diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  return skill ? { found, name: skill.name, text: skill.description } : hide(found, errors.join('; '));
};

const list = (found: readonly FoundSkill[]): Listing => {
  const { listed, hidden } = oneOfEachName(found.map(read), 'last');
  return plainListing({
    client: 'metis',
    label: 'Metis',
    version: undefined,
    exact: false,
    listed: listed.toSorted((a, b) => compareCodePoints(a.name, b.name)),
    hidden,
    lineOf: ({ name, text }) =>
      `- ${name}: ${text.split(/(?<!\s)\s*[\n\r\v\f\x1C-\x1E\x85\u2028\u2029]+\s*/).join(' ')}`,
    textOf: (lines) => lines.join('\n'),
    isUnlimited: true,
    notes: ['`lathe index` prints the full index, with its heading and metaskill markers.'],
  });
};

export const metis: Client = {
  id: 'metis',
  label: 'Metis',
  versions: [],
  roots: [
    { scope: 'user', path: '.metis/skills', depth: 1, dotFolders: true, source },
    { scope: 'project', path: '.metis/skills', depth: 1, dotFolders: true, source },
  ],
  facts: [
    { topic: 'roots', text: '`~/.metis/skills` and `.metis/skills` of the workspace, one level deep.', source },
    { topic: 'precedence', text: 'The workspace wins.', source },
    { topic: 'fields', text: 'Name and description. The name must match the folder.', source },
    { topic: 'text', text: 'A heading and one line per skill.', source },
    { topic: 'budget', text: 'None.', source },
    { topic: 'order', text: 'By name.', source },
    { topic: 'body', text: '`skill_load` returns it under a heading.', source },
    { topic: 'compaction', text: 'What remains of a skill after compaction.', source: UNKNOWN },
  ],
  list,
};
