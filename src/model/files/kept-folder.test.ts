import { expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import type { FileTree } from './file-tree.ts';
import { checkKept, trusted, type KeptFolder } from './kept-folder.ts';
import { createReadOnce } from './read-once.ts';

const FILES = { 'a/SKILL.md': 'skill', 'a/notes.md': 'note', 'a/picture.png': 'bytes', 'b/SKILL.md': 'other' };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Reads as a workspace does: everything is listed, texts are read whole or up to a limit, of the rest only the size. */
const readAll = async (tree: FileTree): Promise<void> => {
  for (const folder of ['', 'a', 'b', 'none']) await tree.list(folder);
  await tree.read('AGENTS.md');
  for (const path of ['a/SKILL.md', 'b/SKILL.md']) await tree.read(path);
  await tree.read('a/notes.md', 100);
  await tree.size('a/picture.png');
};
const keptOf = async (disk: FileTree): Promise<KeptFolder> => {
  const { tree, kept } = createReadOnce(disk, { disk });
  await readAll(tree);
  const folder = await kept();
  if (!folder) throw new Error('nothing was kept');
  return folder;
};
const silent = (tree: FileTree): FileTree => {
  const asked = (): never => {
    throw new Error('the disk was asked');
  };
  return { ...tree, list: asked, size: asked, read: asked, readWithStat: asked, stat: asked };
};

it('RDO4: what was kept is not asked for again, and reads the same', async () => {
  const disk = createMemoryTree(FILES);
  const known = await keptOf(disk);
  const { tree } = createReadOnce(silent(disk), { known, disk: silent(disk) });
  await readAll(tree);
  expect(await tree.list('a')).toEqual(await disk.list('a'));
  expect(await tree.list('none')).toBeUndefined();
  for (const path of ['a/SKILL.md', 'a/notes.md', 'AGENTS.md'])
    expect(await tree.read(path)).toEqual(await disk.read(path));
  expect(await tree.read('a/notes.md', 3)).toBeUndefined();
  expect(await tree.size('a/picture.png')).toBe(5);
  // The bytes are the caller's own.
  (await tree.read('a/SKILL.md'))?.fill(0);
  expect(await tree.read('a/SKILL.md')).toEqual(bytes('skill'));
});

it('RDO4: what is too large, or has no times, is not kept', async () => {
  const large = createMemoryTree({ 'a/SKILL.md': new Uint8Array(33_000_000) });
  const { tree, kept } = createReadOnce(large, { disk: large });
  await tree.read('a/SKILL.md');
  expect(await kept()).toBeUndefined();
  const { readWithStat: _none, ...timeless } = createMemoryTree(FILES);
  const other = createReadOnce(timeless, { disk: timeless });
  await readAll(other.tree);
  expect(await other.kept()).toBeUndefined();
});

it('KF1: the same folder is the same, and no file is read to know it', async () => {
  const disk = createMemoryTree(FILES);
  const known = await keptOf(disk);
  const reading = (): never => {
    throw new Error('a file was read');
  };
  expect(await checkKept({ ...disk, read: reading, readWithStat: reading }, known)).toEqual({ isSame: true, known });
});

it.each([
  ['written with the same length', (disk: FileTree) => disk.write('a/notes.md', bytes('nose')), 'a/notes.md'],
  [
    'written where only the size was asked for',
    (disk: FileTree) => disk.write('a/picture.png', bytes('x')),
    'a/picture.png',
  ],
  ['removed', (disk: FileTree) => disk.remove('b'), 'b/SKILL.md'],
  ['added where a file was missed', (disk: FileTree) => disk.write('AGENTS.md', bytes('new')), 'AGENTS.md'],
])('KF2: of a folder in which something was %s, the rest stays known', async (_what, change, path) => {
  const disk = createMemoryTree(FILES);
  const known = await keptOf(disk);
  await change(disk);
  const checked = await checkKept(disk, known);
  expect(checked.isSame).toBe(false);
  expect([...checked.known.files.keys()]).toEqual([...known.files.keys()].filter((other) => other !== path));
  expect(checked.known.lists.get('')).toEqual(await disk.list(''));
});

it('KF2: a new file changes its folder', async () => {
  const disk = createMemoryTree(FILES);
  const known = await keptOf(disk);
  await disk.write('b/more.md', bytes('more'));
  const checked = await checkKept(disk, known);
  expect(checked.isSame).toBe(false);
  expect(checked.known.files).toEqual(known.files);
  expect(checked.known.lists.get('b')).toHaveLength(2);
});

it('KF3: what was written during the reading, or just before, is not kept', () => {
  const file = (modifiedAt: number) => ({ size: 0, modifiedAt, content: new Uint8Array() });
  const files = new Map([
    ['old', file(1000)],
    ['just before', file(9000)],
    ['during', file(10_500)],
    ['missing', undefined],
  ]);
  expect([...trusted({ lists: new Map(), files }, 10_000).files.keys()]).toEqual(['old', 'missing']);
});
