import { expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import type { FileTree } from './file-tree.ts';
import { createReadOnce } from './read-once.ts';

const counting = () => {
  const asked: string[] = [];
  const memory = createMemoryTree({ 'a/SKILL.md': 'twelve bytes', 'a/notes.md': 'note' });
  const tree: FileTree = {
    ...memory,
    list: (path) => {
      asked.push(`list ${path}`);
      return memory.list(path);
    },
    size: (path) => {
      asked.push(`size ${path}`);
      return memory.size(path);
    },
    read: (path, limit) => {
      asked.push(`read ${path}`);
      return memory.read(path, limit);
    },
  };
  return { asked, ...createReadOnce(tree) };
};

it('RDO1: a folder is listed once and a file is read once, however many ask', async () => {
  const { asked, tree } = counting();
  await Promise.all([tree.list('a'), tree.list('a')]);
  const [first, second] = await Promise.all([tree.read('a/SKILL.md'), tree.read('a/SKILL.md')]);
  expect(first).toEqual(second);
  expect(await tree.size('a/SKILL.md')).toBe(12);
  expect(asked).toEqual(['list a', 'read a/SKILL.md']);
});

it('RDO2: a limit holds for what is known already, and what was refused can be read whole', async () => {
  const { asked, tree } = counting();
  expect(await tree.read('a/SKILL.md', 5)).toBeUndefined();
  expect((await tree.read('a/SKILL.md'))?.length).toBe(12);
  expect(await tree.read('a/SKILL.md', 5)).toBeUndefined();
  expect((await tree.read('a/SKILL.md', 12))?.length).toBe(12);
  expect(asked).toEqual(['read a/SKILL.md', 'read a/SKILL.md']);
});

it('RDO3: once it is over, everything is asked for again', async () => {
  const { asked, tree, end } = counting();
  await tree.read('a/notes.md');
  end();
  await tree.write('a/notes.md', new TextEncoder().encode('other'));
  expect(new TextDecoder().decode(await tree.read('a/notes.md'))).toBe('other');
  await tree.list('a');
  await tree.list('a');
  expect(asked).toEqual(['read a/notes.md', 'read a/notes.md', 'list a', 'list a']);
});
