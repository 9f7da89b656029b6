import { describe, expect, it } from 'vitest';
import { createMemoryTree } from './memory-tree.ts';
import { textOf, treeContract } from './testing/tree-contract.ts';

describe('memory tree', () => {
  treeContract((files) => Promise.resolve(createMemoryTree(files)));

  it('FS20: has a folder as long as something is in it', async () => {
    const tree = createMemoryTree({ 'a/b/c': '', x: '' });
    await tree.rename('a/b/c', 'c');
    expect(await tree.list('a')).toBeUndefined();
    expect((await tree.list(''))?.map(({ name }) => name)).toEqual(['x', 'c']);
  });

  it('starts from a record or a map, in text or bytes, and has a name', async () => {
    const tree = createMemoryTree(
      new Map<string, string | Uint8Array>([
        ['a', 'a'],
        ['b', Uint8Array.of(98)],
      ]),
      'demo',
    );
    expect([tree.name, await textOf(tree, 'a'), await textOf(tree, 'b')]).toEqual(['demo', 'a', 'b']);
    expect([...tree.files.keys()]).toEqual(['a', 'b']);
    expect(() => createMemoryTree({ '../a': '' })).toThrow('is not a path inside the folder');
    expect(() => createMemoryTree({ a: '', 'a/b': '' })).toThrow('a is a file');
  });

  it('lists thousands of folders in time that grows with their number', async () => {
    const tree = createMemoryTree(
      Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`s/${index}/SKILL.md`, ''])),
    );
    let found = 0;
    for (const { name } of (await tree.list('s')) ?? []) found += (await tree.list(`s/${name}`))?.length ?? 0;
    expect(found).toBe(20_000);
  });
});
