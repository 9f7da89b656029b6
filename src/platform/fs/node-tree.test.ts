import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { statOf, type FileTree } from '../../model/files/file-tree.ts';
import { createNodeTree } from './node-tree.ts';
import { bytes, textOf, treeContract } from './testing/tree-contract.ts';

let top: string;
/** The tree's root, and a folder beside it that the tree must never touch. */
let root: string;
let outside: string;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'lathe-node-tree-'));
  root = join(top, 'root');
  outside = join(top, 'outside');
  mkdirSync(root);
  mkdirSync(join(outside, 'folder'), { recursive: true });
  writeFileSync(join(outside, 'secret'), 'secret');
  writeFileSync(join(outside, 'folder', 'secret'), 'secret');
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

const outsideFiles = (): string[] => readdirSync(outside, { recursive: true, encoding: 'utf8' }).toSorted();

describe('node tree', () => {
  treeContract((files) => {
    for (const [path, text] of Object.entries(files)) put(path, text);
    return Promise.resolve(createNodeTree(root));
  });

  it('FS1: is called like its folder', () => {
    expect(createNodeTree(`${root}/`).name).toBe('root');
    expect(createNodeTree(join(root, '..', 'root')).name).toBe('root');
  });
});

it('FS17: lists and reads in one go; links, pipes, and what is too large are left to read', async () => {
  put('a/SKILL.md', 'skill');
  put('a/empty.md', '');
  put('a/large.md', 'too large');
  put('a/notes.md', 'not wanted');
  symlinkSync('SKILL.md', join(root, 'a', 'link.md'));
  symlinkSync(join('..', '..', 'outside', 'secret'), join(root, 'a', 'out.md'));
  execFileSync('mkfifo', [join(root, 'a', 'pipe.md')]);
  const tree = createNodeTree(root);
  const names = new Set(['SKILL.md', 'empty.md', 'large.md', 'link.md', 'out.md', 'pipe.md', 'gone.md']);
  const found = await tree.listAndRead?.('a', names, 5);
  expect(found?.entries).toEqual(await tree.list('a'));
  expect(found?.contents).toEqual(
    new Map([
      ['SKILL.md', bytes('skill')],
      ['empty.md', bytes('')],
    ]),
  );
  symlinkSync(join('..', 'outside', 'folder'), join(root, 'away'));
  for (const path of ['none', 'a/SKILL.md', 'away']) expect(await tree.listAndRead?.(path, names)).toBeUndefined();
});

describe('links', () => {
  let tree: FileTree;
  beforeEach(() => {
    put('real/file', 'text');
    put('real/deep/file', 'deep');
    symlinkSync('real', join(root, 'link-to-folder'));
    symlinkSync(join('real', 'file'), join(root, 'link-to-file'));
    symlinkSync('link-to-folder', join(root, 'link-to-link'));
    symlinkSync(outside, join(root, 'out'));
    symlinkSync(join('..', 'outside', 'secret'), join(root, 'out-file'));
    tree = createNodeTree(root);
  });

  it('FS30: inside the root are listed with their target, and followed', async () => {
    const entries = new Map((await tree.list(''))?.map((entry) => [entry.name, entry]));
    expect(entries.get('link-to-folder')).toEqual({ name: 'link-to-folder', kind: 'folder', target: 'real' });
    expect(entries.get('link-to-file')).toEqual({ name: 'link-to-file', kind: 'file', target: 'real/file' });
    expect(entries.get('link-to-link')).toEqual({ name: 'link-to-link', kind: 'folder', target: 'real' });
    expect(await textOf(tree, 'link-to-file')).toBe('text');
    expect(await textOf(tree, 'link-to-link/deep/file')).toBe('deep');
    expect(await tree.size('link-to-file')).toBe(4);
    expect((await tree.list('link-to-folder'))?.map(({ name }) => name).toSorted()).toEqual(['deep', 'file']);
  });

  it('FS31: out of the root are listed as such and never read', async () => {
    const entries = new Map((await tree.list(''))?.map((entry) => [entry.name, entry]));
    expect(entries.get('out')).toEqual({ name: 'out', kind: 'folder', escapes: true });
    expect(entries.get('out-file')).toEqual({ name: 'out-file', kind: 'file', escapes: true });
    for (const path of ['out', 'out-file', 'out/secret', 'out/folder', 'out/folder/secret']) {
      expect([await tree.list(path), await statOf(tree, path), await tree.read(path)]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    }
  });

  it('FS31: a sibling whose name starts like the root is outside', async () => {
    mkdirSync(`${root}-2`);
    writeFileSync(join(`${root}-2`, 'file'), 'no');
    symlinkSync(`${root}-2`, join(root, 'sibling'));
    expect(await tree.read('sibling/file')).toBeUndefined();
  });

  it('FS32: inside the root are written through and stay', async () => {
    await tree.write('link-to-file', bytes('new'));
    await tree.write('link-to-folder/added/x', bytes('x'));
    expect(readlinkSync(join(root, 'link-to-file'))).toBe(join('real', 'file'));
    expect(readFileSync(join(root, 'real', 'file'), 'utf8')).toBe('new');
    expect(readFileSync(join(root, 'real', 'added', 'x'), 'utf8')).toBe('x');
  });

  it('FS33: out of the root are neither written nor renamed through', async () => {
    const before = outsideFiles();
    for (const path of ['out-file', 'out/secret', 'out/new', 'out/new/deep/x', 'out/folder/new']) {
      await expect(tree.write(path, bytes('no'))).rejects.toThrow('link that leaves');
    }
    await expect(tree.rename('out/secret', 'stolen')).rejects.toThrow('link that leaves');
    await expect(tree.rename('real/file', 'out/file')).rejects.toThrow('link that leaves');
    await expect(tree.rename('real/file', 'out/new/file')).rejects.toThrow('link that leaves');
    expect(outsideFiles()).toEqual(before);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
    expect(await textOf(tree, 'real/file')).toBe('text');
  });

  it('FS33: are renamed themselves, never what they point to', async () => {
    await tree.rename('out', 'elsewhere');
    expect(lstatSync(join(root, 'elsewhere')).isSymbolicLink()).toBe(true);
    expect(outsideFiles()).toEqual(['folder', 'folder/secret', 'secret']);
  });

  it('FS33: are not removed through', async () => {
    for (const path of ['out/secret', 'out/folder']) {
      await expect(tree.remove(path)).rejects.toThrow('link that leaves');
    }
    expect(outsideFiles()).toEqual(['folder', 'folder/secret', 'secret']);
  });

  it('FS38: are removed themselves, alone or in a folder, never what they point to', async () => {
    symlinkSync(outside, join(root, 'real', 'out'));
    symlinkSync('nowhere', join(root, 'dangling'));
    for (const path of ['link-to-file', 'out', 'out-file', 'dangling']) await tree.remove(path);
    await tree.remove('real');
    expect(outsideFiles()).toEqual(['folder', 'folder/secret', 'secret']);
    expect(readdirSync(root).toSorted()).toEqual(['link-to-folder', 'link-to-link']);
  });

  it('FS9: a link at the new name is something, wherever it leads', async () => {
    symlinkSync('nowhere', join(root, 'dangling'));
    for (const to of ['link-to-file', 'dangling', 'out-file']) {
      await expect(tree.rename('real/file', to)).rejects.toThrow('exists already');
    }
    expect(await textOf(tree, 'real/file')).toBe('text');
  });

  it('FS35: that lead nowhere or round in a circle are not there, and can be replaced', async () => {
    symlinkSync('nowhere', join(root, 'dangling'));
    symlinkSync('circle-2', join(root, 'circle-1'));
    symlinkSync('circle-1', join(root, 'circle-2'));
    const names = (await tree.list(''))?.map(({ name }) => name);
    for (const name of ['dangling', 'circle-1', 'circle-2']) {
      expect(names).not.toContain(name);
      expect([await tree.read(name), await tree.size(name), await tree.list(name)]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    }
    await tree.write('dangling', bytes('now a file'));
    expect(lstatSync(join(root, 'dangling')).isFile()).toBe(true);
    expect(existsSync(join(root, 'nowhere'))).toBe(false);
  });

  it('FS37: a folder that becomes a link between two reads is found out', async () => {
    expect(await textOf(tree, 'real/file')).toBe('text');
    expect(await tree.list('real/deep')).toHaveLength(1);
    rmSync(join(root, 'real'), { recursive: true });
    writeFileSync(join(outside, 'file'), 'secret');
    symlinkSync(outside, join(root, 'real'));
    expect(await tree.read('real/file')).toBeUndefined();
    expect(await tree.list('real')).toBeUndefined();
    await expect(tree.write('real/file', bytes('no'))).rejects.toThrow('link that leaves');
  });
});

describe('writing', () => {
  it('FS34: leaves nothing behind, and keeps the mode', async () => {
    put('script.sh', 'old');
    chmodSync(join(root, 'script.sh'), 0o757);
    const tree = createNodeTree(root);
    await tree.write('script.sh', bytes('new'));
    expect(statSync(join(root, 'script.sh')).mode & 0o777).toBe(0o757);
    expect(readdirSync(root)).toEqual(['script.sh']);
  });

  it('FS34: cleans up after a failure', async () => {
    put('folder/x', 'x');
    const tree = createNodeTree(root);
    await expect(tree.write('folder', bytes('no'))).rejects.toThrow();
    expect(readdirSync(root)).toEqual(['folder']);
    expect(readdirSync(join(root, 'folder'))).toEqual(['x']);
    expect(readdirSync(top).toSorted()).toEqual(['outside', 'root']);
  });

  it('FS34: shows readers the old file or the new one, never a part', async () => {
    const [old, next] = ['a'.repeat(400_000), 'b'.repeat(500_000)];
    put('file', old);
    const tree = createNodeTree(root);
    let isDone = false;
    const seen = new Set<string>();
    const reading = (async () => {
      while (!isDone) seen.add((await textOf(tree, 'file')) ?? 'nothing');
    })();
    for (let round = 0; round < 10; round++) await tree.write('file', bytes(round % 2 === 0 ? next : old));
    isDone = true;
    await reading;
    expect([...seen].filter((text) => text !== old && text !== next)).toEqual([]);
  });

  it('FS34: takes many writes to one file at a time', async () => {
    const tree = createNodeTree(root);
    await Promise.all(Array.from({ length: 20 }, (_, index) => tree.write('deep/file', bytes(`text ${index}`))));
    expect(await textOf(tree, 'deep/file')).toMatch(/^text \d+$/);
    expect(readdirSync(join(root, 'deep'))).toEqual(['file']);
  });

  it('FS34: does not list drafts, and lists files that only look a little like one', async () => {
    put('.a.md.0123456789ab.lathe-tmp', 'draft');
    put('x.tmp', 'x');
    expect((await createNodeTree(root).list(''))?.map(({ name }) => name)).toEqual(['x.tmp']);
  });
});

describe('the root', () => {
  it('FS36: that does not exist is empty until something is written', async () => {
    const tree = createNodeTree(join(root, 'not', 'yet'));
    expect([await tree.list(''), await tree.read('a'), await tree.size('a')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await tree.write('a/b', bytes('text'));
    expect(await textOf(tree, 'a/b')).toBe('text');
    expect(await tree.list('')).toEqual([{ name: 'a', kind: 'folder' }]);
  });

  it('FS50: lists no folder more than 128 levels deep', async () => {
    put(`${'d/'.repeat(200)}x`, 'text');
    const tree = createNodeTree(root);
    expect(await tree.list(Array.from({ length: 128 }, () => 'd').join('/'))).toHaveLength(1);
    expect(await tree.list(Array.from({ length: 129 }, () => 'd').join('/'))).toBeUndefined();
  });
  it('FS36: may be a link', async () => {
    put('a', 'text');
    symlinkSync(root, join(top, 'link'));
    const tree = createNodeTree(join(top, 'link'));
    expect(tree.name).toBe('link');
    expect(await textOf(tree, 'a')).toBe('text');
    await tree.write('b', bytes('b'));
    expect(readFileSync(join(realpathSync(root), 'b'), 'utf8')).toBe('b');
  });

  it('FS35: holds no pipe that anybody waits for', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    symlinkSync('pipe', join(root, 'link-to-pipe'));
    put('file', '');
    const tree = createNodeTree(root);
    expect((await tree.list(''))?.map(({ name }) => name)).toEqual(['file']);
    for (const name of ['pipe', 'link-to-pipe']) {
      expect([await tree.read(name), await tree.size(name)]).toEqual([undefined, undefined]);
    }
  });
});
