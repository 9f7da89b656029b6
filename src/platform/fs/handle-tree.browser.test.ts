/** In a real browser, on its own file system: the same interface as a folder that was picked. */
import { describe, expect, it, vi } from 'vitest';
import { FileError } from '../../model/files/file-error.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import { createHandleTree } from './handle-tree.ts';
import { bytes, textOf, treeContract } from './testing/tree-contract.ts';

let count = 0;
const makeFolder = async (files: Readonly<Record<string, string>> = {}): Promise<FileSystemDirectoryHandle> => {
  const top = await navigator.storage.getDirectory();
  const folder = await top.getDirectoryHandle(`tree-${Date.now()}-${count++}`, { create: true });
  const tree = createHandleTree(folder);
  for (const [path, text] of Object.entries(files)) await tree.write(path, bytes(text));
  return folder;
};

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (thrown) {
    return thrown instanceof FileError ? thrown.code : String(thrown);
  }
  return 'no error';
};

describe('handle tree', () => {
  treeContract(async (files) => createHandleTree(await makeFolder(files)));
});

describe('handle tree without move()', () => {
  /** A handle as browsers have it that cannot move, or that say so only when asked. */
  const withMove = (
    folder: FileSystemDirectoryHandle,
    move: (() => Promise<void>) | undefined,
  ): FileSystemDirectoryHandle => {
    const wrap = (handle: FileSystemHandle): FileSystemHandle =>
      new Proxy(handle, {
        get: (target, key) => {
          if (key === 'move') return move;
          if (key === 'entries') {
            return async function* entries() {
              for await (const [name, found] of (target as FileSystemDirectoryHandle).entries())
                yield [name, wrap(found)];
            };
          }
          const value: unknown = Reflect.get(target, key);
          if (typeof value !== 'function') return value;
          return async (...args: unknown[]) => {
            const made: unknown = await Reflect.apply(value, target, args);
            return made instanceof FileSystemHandle ? wrap(made) : made;
          };
        },
      });
    return wrap(folder) as FileSystemDirectoryHandle;
  };
  const files = { 'a/x.md': 'x', 'a/b/y.md': 'y', 'c.md': 'c' };
  const refusing = () => Promise.reject(new DOMException('no', 'NotSupportedError'));

  it.each([
    ['absent', undefined],
    ['refused', refusing],
  ])('FS44: moves by copying where it is %s', async (_how, move) => {
    const tree = createHandleTree(withMove(await makeFolder(files), move), { Observer: null });
    await tree.rename('a', 'z/a');
    await tree.rename('c.md', 'd.md');
    expect(await textOf(tree, 'z/a/b/y.md')).toBe('y');
    expect(await textOf(tree, 'd.md')).toBe('c');
    expect(await tree.list('a')).toBeUndefined();
    expect(await tree.read('c.md')).toBeUndefined();
    await expect(tree.rename('d.md', 'z/a/x.md')).rejects.toThrow('exists already');
    expect(await textOf(tree, 'z/a/x.md')).toBe('x');
  });
});

describe('permission', () => {
  it('FS41: is asked for at the first change and not before; a no changes nothing and says what to do', async () => {
    const folder = await makeFolder({ 'a.md': 'a', 'b/c.md': 'c' });
    const ask = vi.fn<() => Promise<boolean>>(() => Promise.resolve(false));
    const tree = createHandleTree(folder, { ensureWritable: ask });
    await tree.list('');
    await tree.read('a.md');
    await tree.stat?.('a.md');
    expect(ask).not.toHaveBeenCalled();
    for (const change of [
      () => tree.write('a.md', bytes('new')),
      () => tree.write('new/deep.md', bytes('new')),
      () => tree.rename('a.md', 'z.md'),
      () => tree.remove('b'),
    ]) {
      expect(await codeOf(change())).toBe('denied');
    }
    expect(ask).toHaveBeenCalledTimes(4);
    expect((await tree.list(''))?.map(({ name }) => name).toSorted()).toEqual(['a.md', 'b']);
    expect(await textOf(tree, 'a.md')).toBe('a');
    await expect(tree.write('a.md', bytes('x'))).rejects.toThrow('Save again and allow it when asked');
  });
});

describe('what goes wrong', () => {
  const failing = async (name: string): Promise<FileTree> => {
    const folder = await makeFolder({ 'a.md': 'old' });
    const fail = (): Promise<never> => Promise.reject(new DOMException('no', name));
    const stream = { write: fail, close: fail, abort: () => Promise.resolve() };
    const wrapped = new Proxy(folder, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        if (key === 'getFileHandle') {
          return async (...args: [string, FileSystemGetFileOptions]) => {
            const file = await target.getFileHandle(...args);
            return new Proxy(file, {
              get: (inner, innerKey) => {
                if (innerKey === 'createWritable') return () => Promise.resolve(stream);
                const found: unknown = Reflect.get(inner, innerKey);
                return typeof found === 'function' ? found.bind(inner) : found;
              },
            });
          };
        }
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    return createHandleTree(wrapped, { Observer: null });
  };

  it.each([
    ['NotAllowedError', 'denied', 'permission'],
    ['QuotaExceededError', 'full', 'no room left'],
    ['NoModificationAllowedError', 'busy', 'in use'],
    ['NotFoundError', 'missing', 'no longer exists'],
  ])('FS45: %s is reported as a sentence, and leaves the old file and no new one', async (name, code, words) => {
    const tree = await failing(name);
    expect(await codeOf(tree.write('a.md', bytes('new')))).toBe(code);
    expect(await codeOf(tree.write('b.md', bytes('new')))).toBe(code);
    await expect(tree.write('a.md', bytes('new'))).rejects.toThrow(words);
    expect(await textOf(tree, 'a.md')).toBe('old');
    expect((await tree.list(''))?.map((entry) => entry.name)).toEqual(['a.md']);
  });
});

describe('what happens outside', () => {
  it('FS42: shows readers the old file or the new one, never a part', async () => {
    const [old, next] = ['a'.repeat(300_000), 'b'.repeat(400_000)];
    const folder = await makeFolder({ file: old });
    const [tree, reader] = [createHandleTree(folder), createHandleTree(folder)];
    let isDone = false;
    const seen = new Set<string>();
    const reading = (async () => {
      while (!isDone) seen.add((await textOf(reader, 'file')) ?? 'nothing');
    })();
    for (let round = 0; round < 6; round++) await tree.write('file', bytes(round % 2 === 0 ? next : old));
    isDone = true;
    await reading;
    expect([...seen].filter((text) => text !== old && text !== next).map((text) => text.slice(0, 20))).toEqual([]);
  });

  it('FS43: a handle that was kept does not show what was replaced or removed', async () => {
    const folder = await makeFolder({ 'a/b.md': 'one', 'c/d.md': 'd' });
    const [tree, other] = [createHandleTree(folder), createHandleTree(folder)];
    expect(await textOf(tree, 'a/b.md')).toBe('one');
    await other.write('a/b.md', bytes('two'));
    expect(await textOf(tree, 'a/b.md')).toBe('two');
    await tree.list('c');
    await other.remove('c');
    expect([await tree.list('c'), await tree.read('c/d.md')]).toEqual([undefined, undefined]);
    await other.write('c', bytes('now a file'));
    expect(await textOf(tree, 'c')).toBe('now a file');
    await other.remove('c');
    await tree.write('c/d.md', bytes('again'));
    expect(await textOf(other, 'c/d.md')).toBe('again');
  });

  it('FS46: is heard by who watches, anyone who wrote', async () => {
    const folder = await makeFolder({ 'a/b.md': 'one' });
    const [tree, other] = [createHandleTree(folder), createHandleTree(folder)];
    const heard = new Set<string>();
    const watching = tree.watch?.((path) => heard.add(path));
    await vi.waitFor(async () => {
      await other.write('a/b.md', bytes(`two ${heard.size} ${performance.now()}`));
      expect(heard).toContain('a/b.md');
    });
    watching?.[Symbol.dispose]();
    expect(createHandleTree(folder, { Observer: null }).watch).toBeUndefined();
  });
});
