import { expect, it, vi } from 'vitest';
import { baseName } from '../../base/paths.ts';
import { createUploadTree, treeFromFileList } from './upload-tree.ts';
import { textOf } from './testing/tree-contract.ts';

const file = (path: string, text: string): File => {
  const made = new File([text], baseName(path), { lastModified: 1000 });
  Object.defineProperty(made, 'webkitRelativePath', { value: path });
  return made;
};

it('UP1: is the folder that was chosen, by its name', async () => {
  const tree = treeFromFileList([file('my skills/a/SKILL.md', 'ä'), file('my skills/b.md', 'b')]);
  expect(tree.name).toBe('my skills');
  expect(await tree.list('')).toEqual([
    { name: 'a', kind: 'folder' },
    { name: 'b.md', kind: 'file' },
  ]);
  expect(await tree.list('a')).toEqual([{ name: 'SKILL.md', kind: 'file' }]);
  expect(await textOf(tree, 'a/SKILL.md')).toBe('ä');
  expect(await tree.stat?.('a/SKILL.md')).toEqual({ size: 2, modifiedAt: 1000 });
  expect([await tree.list('b.md'), await tree.read('a'), await tree.size('x')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(await tree.read('b.md', 0)).toBeUndefined();
  await expect(tree.read('../x')).rejects.toThrow('is not a path inside the folder');
});

it('UP2: reads a file only when it is asked for', async () => {
  const open = vi.fn<() => Promise<Blob>>(() => Promise.resolve(new Blob(['text'])));
  const tree = createUploadTree('x', [{ path: 'a/b', open }]);
  await tree.list('a');
  expect(open).not.toHaveBeenCalled();
  expect(await textOf(tree, 'a/b')).toBe('text');
});

it('UP3: cannot be changed, and says what to do instead', async () => {
  const tree = createUploadTree('x', []);
  for (const change of [tree.write('a', new Uint8Array()), tree.rename('a', 'b'), tree.remove('a')]) {
    await expect(change).rejects.toThrow('Save it to a private workspace');
  }
});

it('UP4: leaves out paths that lead out, and says when a file went away', async () => {
  const tree = createUploadTree('x', [
    { path: '../evil', open: () => Promise.resolve(new Blob(['no'])) },
    { path: 'gone', open: () => Promise.reject(new Error('NotFound')) },
  ]);
  expect(await tree.list('')).toEqual([{ name: 'gone', kind: 'file' }]);
  await expect(tree.read('gone')).rejects.toThrow('Open the folder again');
});
