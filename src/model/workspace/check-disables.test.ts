import { expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { checkFolder } from './check-folder.ts';

const skill = (comment: string, body = ''): string =>
  `---\n${comment}\nname: other\ndescription: Writes unit tests for code. Use when code has no tests.\n---\n\n# Tests\n\n${body}\n`;

const found = async (text: string, config = '') => {
  const tree = createMemoryTree({ 'lathe.yaml': config, 'mine/SKILL.md': text });
  const { skills } = await checkFolder(tree, '', 'standard');
  const rules = skills[0]?.diagnostics.map(({ rule }) => rule) ?? [];
  return rules.filter((rule) => rule === 'name-folder' || rule.startsWith('disable-'));
};

it('CDI1: a comment with a reason disables a rule in its file', async () => {
  expect(await found(skill('# just a comment'))).toEqual(['name-folder']);
  expect(await found(skill('# lathe-disable name-folder: the folder is shared'))).toEqual([]);
  expect(await found(skill('# a\r\n#lathe-disable name-folder :  shared').replaceAll('\n---', '\r\n---'))).toEqual([]);
});

it('CDI1: without a reason it disables nothing, and in the body it is text', async () => {
  expect(await found(skill('# lathe-disable name-folder'))).toEqual(['name-folder', 'disable-reason']);
  expect(await found(skill('# lathe-disable name-folder:'))).toEqual(['name-folder', 'disable-reason']);
  expect(await found(skill('# x', '# lathe-disable name-folder: shared'))).toEqual(['name-folder']);
});

it('CDI2: one that disables nothing is reported in its place', async () => {
  expect(await found(skill('# lathe-disable bom: old editor'))).toEqual(['name-folder', 'disable-unused']);
});

it('CDI2: a rule that is off in lathe.yaml makes no comment unused', async () => {
  const text = skill('# lathe-disable name-folder: shared');
  expect(await found(text, 'rules: {name-folder: off}')).toEqual([]);
});
