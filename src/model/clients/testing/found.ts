/** Skills as a client finds them, without a folder. */
import type { FoundSkill } from '../types.ts';

export const frontmatter = (fields: string, body = 'Body.\n'): string => `---\n${fields}\n---\n${body}`;

export const found = (root: string, folder: string, text: string, more: Partial<FoundSkill> = {}): FoundSkill => ({
  path: `${root}/${folder}`,
  real: `${root}/${folder}/SKILL.md`,
  scope: 'project',
  root,
  level: '',
  folder,
  kind: 'skill',
  text,
  ...more,
});
