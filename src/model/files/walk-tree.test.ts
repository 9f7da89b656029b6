import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import type { FileTree } from './file-tree.ts';
import { createChangeCheck } from './changes.ts';
import { copyTree } from './copy-tree.ts';
import { HEAVY_FOLDERS, walkTree } from './walk-tree.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const FILES = { 'b/x': 'x', 'a/y': 'y', 'a/b/z': 'z', top: 't', '.git/config': 'g', 'a/node_modules/m': 'm' };

describe('walking', () => {
  it('WT1: finds every file and folder, sorted, and skips what is named', async () => {
    const tree = createMemoryTree(FILES);
    const all = await walkTree(tree);
    expect(all.files).toEqual(['.git/config', 'a/b/z', 'a/node_modules/m', 'a/y', 'b/x', 'top']);
    expect(all.folders).toEqual(['.git', 'a', 'a/b', 'a/node_modules', 'b']);
    const light = await walkTree(tree, 'a', { skip: HEAVY_FOLDERS });
    expect([light.files, light.skipped]).toEqual([['a/b/z', 'a/y'], ['a/node_modules']]);
    expect(all.skipped).toEqual([]);
    expect((await walkTree(tree, 'nowhere')).files).toEqual([]);
  });

  it('WT2: does not follow links to folders, and reports those that leave', async () => {
    const tree: FileTree = {
      ...createMemoryTree({ 'real/x': 'x' }),
      list: (path) =>
        Promise.resolve(
          path === ''
            ? [
                { name: 'real', kind: 'folder' },
                { name: 'link', kind: 'folder', target: 'real' },
                { name: 'out', kind: 'folder', escapes: true },
                { name: 'out-file', kind: 'file', escapes: true },
                { name: 'in-file', kind: 'file', target: 'real/x' },
              ]
            : [{ name: 'x', kind: 'file' }],
        ),
    };
    expect(await walkTree(tree)).toMatchObject({
      files: ['in-file', 'real/x'],
      folders: ['real'],
      escaping: ['out', 'out-file'],
    });
  });

  it('WT3: tells how far it is, pauses, stops when asked to, and at the limit', async () => {
    const many = createMemoryTree(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}/x`, ''])));
    const seen: number[] = [];
    let pauses = 0;
    const pause = (): Promise<void> => {
      pauses++;
      return Promise.resolve();
    };
    await walkTree(many, '', { onProgress: ({ files }) => seen.push(files), pause });
    expect([seen.at(-1), seen.length === pauses, pauses > 5]).toEqual([500, true, true]);
    const controller = new AbortController();
    const stopped = walkTree(many, '', { signal: controller.signal, onProgress: () => controller.abort() });
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
    expect(await walkTree(many, '', { maxFiles: 10 })).toMatchObject({ isCut: true, files: { length: 10 } });
  });
});

describe('copying', () => {
  it('WT4: copies a folder into another, with progress', async () => {
    const target = createMemoryTree({ 'kept/x': 'x' });
    const seen: number[] = [];
    const copied = await copyTree(createMemoryTree(FILES), target, {
      from: 'a',
      to: 'new',
      skip: HEAVY_FOLDERS,
      onProgress: ({ done }) => seen.push(done),
    });
    expect([...target.files.keys()].toSorted()).toEqual(['kept/x', 'new/b/z', 'new/y']);
    expect([copied.files, copied.bytes, seen.at(-1)]).toEqual([2, 2, 2]);
    expect(copied.leftOut.map(({ path }) => path)).toEqual(['node_modules']);
  });

  it('WT5: stops when asked to, and at its limits', async () => {
    const many = createMemoryTree(Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}`, 'text'])));
    const controller = new AbortController();
    const target = createMemoryTree({});
    const stopped = copyTree(many, target, { signal: controller.signal, onProgress: () => controller.abort() });
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
    expect(target.files.size).toBeLessThan(60);
    await expect(copyTree(many, createMemoryTree({}), { maxFiles: 10 })).rejects.toThrow('more than 10 files');
    await expect(copyTree(many, createMemoryTree({}), { maxBytes: 100 })).rejects.toThrow('smaller folder');
  });

  it('WT5: ends only when its last write has ended, and begins none after a failure', async () => {
    const many = createMemoryTree(Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}`, 'text'])));
    let [begun, ended] = [0, 0];
    const target: FileTree = {
      ...createMemoryTree({}),
      write: async () => {
        const isFirst = begun++ === 0;
        if (isFirst) throw new Error('the first fails at once');
        await new Promise((resolve) => setTimeout(resolve));
        ended++;
      },
    };
    await expect(copyTree(many, target)).rejects.toThrow('the first fails at once');
    expect(ended).toBe(begun - 1);
    expect(begun).toBeLessThan(60);
  });
});

describe('noticing changes', () => {
  it('CH1: of what is remembered: written, gone, there again; each once', async () => {
    const tree = createMemoryTree({ a: 'a', b: 'b', c: 'c' });
    const changes = createChangeCheck(tree);
    for (const path of ['a', 'b', 'new']) await changes.remember(path);
    expect(await changes.check()).toEqual([]);
    await tree.write('a', bytes('x'));
    await tree.remove('b');
    await tree.write('c', bytes('not remembered'));
    await tree.write('new', bytes('x'));
    expect(await changes.check()).toEqual(['a', 'b', 'new']);
    expect(await changes.check()).toEqual([]);
    await tree.write('a', bytes('y'));
    await changes.remember('a');
    changes.forget('b');
    await tree.write('b', bytes('y'));
    expect(await changes.check()).toEqual([]);
  });
});
