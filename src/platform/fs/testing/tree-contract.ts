/** What every adapter keeps that can be written to: one suite, run against each of them. */
import { expect, it, vi } from 'vitest';
import { joinPath } from '../../../base/paths.ts';
import { statOf, type FileTree } from '../../../model/files/file-tree.ts';

type Files = Readonly<Record<string, string>>;

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export const textOf = async (tree: FileTree, path: string): Promise<string | undefined> => {
  const content = await tree.read(path);
  return content && new TextDecoder().decode(content);
};

/** Every file of a tree with its text: what must not change when something is refused. */
const allFiles = async (tree: FileTree, folder = ''): Promise<Record<string, string>> => {
  const found: Record<string, string> = {};
  for (const { name, kind } of (await tree.list(folder)) ?? []) {
    const path = joinPath(folder, name);
    if (kind === 'folder') Object.assign(found, await allFiles(tree, path));
    else found[path] = (await textOf(tree, path)) ?? '';
  }
  return found;
};

const names = async (tree: FileTree, path: string): Promise<string[] | undefined> =>
  (await tree.list(path))?.map(({ name, kind }) => (kind === 'folder' ? `${name}/` : name)).toSorted();

const BAD_PATHS = [
  '..',
  '../x',
  'a/..',
  'a/../b',
  'a/../../x',
  '/a',
  '/',
  'a/',
  'a//b',
  '.',
  './a',
  'a/./b',
  'a\0b',
  '\0',
];

export const treeContract = (create: (files: Files) => Promise<FileTree>): void => {
  it('FS1: lists files and folders, each once, and the root as the empty path', async () => {
    const tree = await create({ 'a.md': '', 'b/c.md': '', 'b/d/e.md': '', 'b/d/f.md': '', 'ü/日本 語.md': '' });
    expect(await names(tree, '')).toEqual(['a.md', 'b/', 'ü/']);
    expect(await names(tree, 'b')).toEqual(['c.md', 'd/']);
    expect(await names(tree, 'b/d')).toEqual(['e.md', 'f.md']);
    expect(await names(tree, 'ü')).toEqual(['日本 語.md']);
  });

  it('FS1: an empty root is an empty list', async () => {
    expect(await names(await create({}), '')).toEqual([]);
  });

  it('FS2: gives nothing for what is missing or of the other kind', async () => {
    const tree = await create({ 'a.md': 'text', 'b/c.md': '' });
    for (const path of ['x', 'x/y', 'b/x', 'a.md/x', 'a.md/x/y', 'A.MD/x', `${'n'.repeat(300)}/x`, 'n'.repeat(5000)]) {
      expect([path, await tree.list(path), await tree.size(path), await tree.read(path)]).toEqual([
        path,
        undefined,
        undefined,
        undefined,
      ]);
    }
    expect(await tree.list('a.md')).toBeUndefined();
    for (const folder of ['b', '']) {
      expect(await tree.read(folder)).toBeUndefined();
      expect(await tree.size(folder)).toBeUndefined();
    }
  });

  it('FS3: reads the bytes as they are, for the caller to keep', async () => {
    const tree = await create({ empty: '', text: 'a\r\nü\uFEFF' });
    expect(await tree.read('empty')).toEqual(new Uint8Array());
    expect([...((await tree.read('text')) ?? [])]).toEqual([0x61, 0x0d, 0x0a, 0xc3, 0xbc, 0xef, 0xbb, 0xbf]);
    (await tree.read('text'))?.fill(0);
    expect(await textOf(tree, 'text')).toBe('a\r\nü\uFEFF');
    const large = new Uint8Array(300_000).map((_, index) => index % 251);
    await tree.write('large', large);
    expect(await tree.read('large')).toEqual(large);
  });

  it('FS3: gives nothing for a file over the limit', async () => {
    const tree = await create({ file: '12345' });
    expect(await tree.read('file', 4)).toBeUndefined();
    expect(await tree.read('file', 5)).toEqual(bytes('12345'));
    expect(await tree.read('file', Infinity)).toEqual(bytes('12345'));
  });

  it('FS4: counts bytes, not characters', async () => {
    const tree = await create({ a: 'ü😀', b: '' });
    expect(await tree.size('a')).toBe(6);
    expect(await tree.size('b')).toBe(0);
  });

  it.each(BAD_PATHS)('FS5: refuses the path %j in every operation', async (path) => {
    const tree = await create({ 'a/b': 'text', x: 'x' });
    const before = await allFiles(tree);
    await expect(tree.list(path)).rejects.toThrow('is not a path inside the folder');
    await expect(tree.size(path)).rejects.toThrow('is not a path inside the folder');
    await expect(statOf(tree, path)).rejects.toThrow('is not a path inside the folder');
    await expect(tree.read(path)).rejects.toThrow('is not a path inside the folder');
    await expect(tree.remove(path)).rejects.toThrow('is not a path inside the folder');
    await expect(tree.write(path, bytes('no'))).rejects.toThrow('is not a path inside the folder');
    await expect(tree.rename(path, 'y')).rejects.toThrow('is not a path inside the folder');
    await expect(tree.rename('x', path)).rejects.toThrow('is not a path inside the folder');
    expect(await allFiles(tree)).toEqual(before);
  });

  it('FS5: takes names that only look like a way out', async () => {
    const tree = await create({});
    for (const path of ['...', '..a', 'a..', '.a', 'a..b/.x']) {
      await tree.write(path, bytes(path));
      expect(await textOf(tree, path)).toBe(path);
    }
  });

  it('FS6: writes files whole, with the folders in between', async () => {
    const tree = await create({ 'a.md': 'a long old text' });
    await tree.write('a.md', bytes('new'));
    await tree.write('b/c/d.md', bytes('deep'));
    await tree.write('empty', new Uint8Array());
    expect(await allFiles(tree)).toEqual({ 'a.md': 'new', 'b/c/d.md': 'deep', empty: '' });
  });

  it('FS6: keeps what was given, not what becomes of it', async () => {
    const tree = await create({});
    const content = bytes('text');
    await tree.write('a', content);
    content.fill(0);
    expect(await textOf(tree, 'a')).toBe('text');
  });

  it('FS7: refuses to write where a folder stands, below a file, and to the root', async () => {
    const tree = await create({ 'a/b.md': 'b', file: 'f' });
    for (const path of ['a', 'file/x', 'file/x/y', '']) await expect(tree.write(path, bytes('no'))).rejects.toThrow();
    expect(await allFiles(tree)).toEqual({ 'a/b.md': 'b', file: 'f' });
  });

  it('FS8: renames files and whole folders', async () => {
    const tree = await create({ 'a.md': 'a', 'b/c.md': 'c', 'b/d/e.md': 'e', 'bb/x': 'x' });
    await tree.rename('a.md', 'new/deep/a.md');
    await tree.rename('b', 'z/b');
    expect(await allFiles(tree)).toEqual({ 'new/deep/a.md': 'a', 'z/b/c.md': 'c', 'z/b/d/e.md': 'e', 'bb/x': 'x' });
    expect(await tree.list('b')).toBeUndefined();
    expect(await names(tree, '')).toEqual(['bb/', 'new/', 'z/']);
  });

  it('FS9: never replaces by renaming', async () => {
    const files = { 'a.md': 'a', 'b.md': 'b', 'c/x': 'x', 'd/y': 'y' };
    const tree = await create(files);
    for (const [from, to] of [
      ['a.md', 'b.md'],
      ['a.md', 'c'],
      ['c', 'd'],
      ['c', 'a.md'],
      ['a.md', 'b.md/x'],
    ] as const) {
      await expect(tree.rename(from, to)).rejects.toThrow();
    }
    expect(await allFiles(tree)).toEqual(files);
  });

  it('FS10: refuses to rename what is missing, the root, and a folder into itself', async () => {
    const tree = await create({ 'a/b': 'b' });
    await expect(tree.rename('missing', 'new/x')).rejects.toThrow('there is no missing');
    await expect(tree.rename('', 'x')).rejects.toThrow('into itself');
    await expect(tree.rename('a', 'a/c')).rejects.toThrow('into itself');
    await expect(tree.rename('missing', 'missing')).rejects.toThrow('there is no missing');
    expect(await names(tree, '')).toEqual(['a/']);
    expect(await names(tree, 'a')).toEqual(['b']);
  });

  it('FS11: renames to the same name and to another case', async () => {
    const tree = await create({ 'a/skill.md': 'a' });
    await tree.rename('a/skill.md', 'a/skill.md');
    await tree.rename('a', 'a');
    await tree.rename('a/skill.md', 'a/SKILL.md');
    await tree.rename('a', 'A');
    expect(await names(tree, '')).toEqual(['A/']);
    expect(await names(tree, 'A')).toEqual(['SKILL.md']);
    expect(await textOf(tree, 'A/SKILL.md')).toBe('a');
  });

  it('FS13: stat gives the size, and tells a later write of the same size', async () => {
    const tree = await create({ 'a/b': 'old' });
    const before = await statOf(tree, 'a/b');
    expect(before?.size).toBe(3);
    expect(await statOf(tree, 'a/b')).toEqual(before);
    // Clocks of file systems are coarse.
    await vi.waitFor(async () => {
      await tree.write('a/b', bytes('new'));
      const after = await statOf(tree, 'a/b');
      expect(after?.size).toBe(3);
      expect(after?.modifiedAt).not.toBe(before?.modifiedAt);
    });
    for (const path of ['a', '', 'missing', 'a/b/c']) expect(await statOf(tree, path)).toBeUndefined();
  });

  it('FS16: content and stat of one moment are what read and stat give', async () => {
    const tree = await create({ 'a/b': 'text' });
    if (!tree.readWithStat) return;
    const stat = await statOf(tree, 'a/b');
    expect(await tree.readWithStat('a/b')).toEqual({ content: await tree.read('a/b'), stat });
    expect(await tree.readWithStat('a/b', 4)).toEqual({ content: bytes('text'), stat });
    for (const path of ['a', 'missing']) expect(await tree.readWithStat(path)).toBeUndefined();
    expect(await tree.readWithStat('a/b', 3)).toBeUndefined();
  });

  it('FS14: removes a file, and a folder with all in it', async () => {
    const tree = await create({ 'a.md': 'a', 'b/c.md': 'c', 'b/d/e.md': 'e', 'bb/x': 'x' });
    await tree.remove('a.md');
    await tree.remove('b');
    expect(await allFiles(tree)).toEqual({ 'bb/x': 'x' });
    expect(await tree.list('b')).toBeUndefined();
    expect(await tree.read('b/d/e.md')).toBeUndefined();
    await tree.write('b/d/e.md', bytes('again'));
    expect(await textOf(tree, 'b/d/e.md')).toBe('again');
  });

  it('FS15: refuses to remove what is missing, and the root', async () => {
    const tree = await create({ 'a/b': 'b' });
    await expect(tree.remove('missing')).rejects.toThrow('there is no missing');
    await expect(tree.remove('a/x')).rejects.toThrow('there is no a/x');
    await expect(tree.remove('a/b/x')).rejects.toThrow('there is no a/b/x');
    await expect(tree.remove('')).rejects.toThrow('cannot be removed');
    expect(await allFiles(tree)).toEqual({ 'a/b': 'b' });
  });

  it('FS12: tells who watches what was written and renamed', async () => {
    const tree = await create({ 'a/b.md': 'b' });
    const heard = new Set<string>();
    const watching = tree.watch?.((path) => heard.add(path));
    await tree.write('a/b.md', bytes('new'));
    await vi.waitFor(() => expect(heard).toContain('a/b.md'), { timeout: 10_000 });
    await tree.write('c.md', bytes('c'));
    await vi.waitFor(() => expect(heard).toContain('c.md'), { timeout: 10_000 });
    await tree.rename('c.md', 'd.md');
    await vi.waitFor(() => expect(heard).toContain('d.md'), { timeout: 10_000 });
    await tree.remove('d.md');
    await tree.write('f.md', bytes('f'));
    await vi.waitFor(() => expect(heard).toContain('f.md'), { timeout: 10_000 });
    expect([...heard].filter((path) => /tmp|crswap/.test(path))).toEqual([]);
    watching?.[Symbol.dispose]();
    heard.clear();
    const heardByOther = new Set<string>();
    const other = tree.watch?.((path) => heardByOther.add(path));
    await tree.write('e.md', bytes('e'));
    await vi.waitFor(() => expect(heardByOther).toContain('e.md'), { timeout: 10_000 });
    other?.[Symbol.dispose]();
    expect([...heard]).toEqual([]);
  });
};
