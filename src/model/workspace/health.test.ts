import { expect, it } from 'vitest';
import { libraryHealth } from './health.ts';
import { workspaceSkill } from './testing/skills.ts';

const text = (description: string): string => `---\nname: x\ndescription: ${description}\n---\nBody.\n`;

it('WS62: the health line counts what will not load and what competes, each with its skills', () => {
  const health = libraryHealth([
    workspaceSkill('a', { text: text('Write an incident report with timeline, impact and causes after an outage.') }),
    workspaceSkill('b', { text: text('Write an incident report with timeline, impact and actions after an outage.') }),
    workspaceSkill('c', { text: text('Sort the columns of a spreadsheet.') }),
    workspaceSkill('d', { text: text('Sort the columns of a spreadsheet.'), outcome: 'skipped' }),
    workspaceSkill('e', { text: 'no frontmatter' }),
  ]);
  expect(health.total).toBe(5);
  expect([...health.unloaded]).toEqual(['d']);
  // One that is not loaded competes with nobody.
  expect([...(health.competing ?? [])]).toEqual(['a', 'b']);
});
