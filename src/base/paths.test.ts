import { expect, it } from 'vitest';
import { baseName, dirName, joinPath } from './paths.ts';

it.each([
  ['skills/tables/SKILL.md', 'skills/tables', 'SKILL.md'],
  ['SKILL.md', '', 'SKILL.md'],
  ['', '', ''],
  ['/workspace/a', '/workspace', 'a'],
  ['/a', '', 'a'],
  ['a/', 'a', ''],
])('%s is in "%s" and is called "%s"', (path, folder, name) => {
  expect(dirName(path)).toBe(folder);
  expect(baseName(path)).toBe(name);
});

it('joins what is not empty', () => {
  expect(joinPath('skills', 'tables', 'SKILL.md')).toBe('skills/tables/SKILL.md');
  expect(joinPath('', 'SKILL.md')).toBe('SKILL.md');
  expect(joinPath('skills', '')).toBe('skills');
  expect(joinPath()).toBe('');
});
