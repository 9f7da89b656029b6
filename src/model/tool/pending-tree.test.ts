import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinPath } from '../../base/paths.ts';
import { createMemoryTree, type MemoryTree } from '../../platform/fs/memory-tree.ts';
import type { FileTree } from '../files/file-tree.ts';
import { createPendingTree, type PendingTree } from './pending-tree.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (content: Uint8Array | undefined): string | undefined => content && new TextDecoder().decode(content);

const open = (files: Record<string, string>): { disk: MemoryTree; tree: PendingTree; removed: string[] } => {
  const disk = createMemoryTree(files);
  const removed: string[] = [];
  return { disk, removed, tree: createPendingTree(disk, { remove: async (path) => void removed.push(path) }) };
};

const filesOf = async (tree: FileTree, folder = ''): Promise<string[]> => {
  const found = await Promise.all(
    ((await tree.list(folder)) ?? []).map(async ({ name, kind }) => {
      const path = joinPath(folder, name);
      return kind === 'folder' ? filesOf(tree, path) : [path];
    }),
  );
  return found.flat().toSorted();
};

describe('pending writes', () => {
  it('TO50: are read back, and the disk knows nothing of them', async () => {
    const { disk, tree } = open({ 'a.md': 'old', 'sub/b.md': 'b' });
    await tree.write('a.md', bytes('new'));
    await tree.write('sub/deep/c.md', bytes('c'));
    await tree.remove('sub/b.md');
    expect(text(await tree.read('a.md'))).toBe('new');
    expect(await tree.size('a.md')).toBe(3);
    expect(await tree.read('a.md', 2)).toBeUndefined();
    expect(await tree.read('sub/b.md')).toBeUndefined();
    expect(await filesOf(tree)).toEqual(['a.md', 'sub/deep/c.md']);
    expect(text(disk.files.get('a.md'))).toBe('old');
    expect([...disk.files.keys()]).toEqual(['a.md', 'sub/b.md']);
    expect(tree.pending().map(({ path, before, after }) => [path, text(before), after && text(after)])).toEqual([
      ['a.md', 'old', 'new'],
      ['sub/b.md', 'b', null],
      ['sub/deep/c.md', undefined, 'c'],
    ]);
  });

  it('TO51: a change back to what is on disk is none', async () => {
    const { tree } = open({ 'a.md': 'old' });
    await tree.write('a.md', bytes('new'));
    await tree.write('a.md', bytes('old'));
    await tree.write('b.md', bytes('b'));
    await tree.remove('b.md');
    expect(tree.pending()).toEqual([]);
  });

  it('TO52: reading after any writes, deletions, discards and applications is reading a map', async () => {
    const path = fc.constantFrom('a', 'b', 'd/a', 'd/b', 'e/f/g');
    const action = fc.oneof(
      fc.record({ kind: fc.constant('write' as const), path, content: fc.constantFrom('', '1', '22') }),
      fc.record({ kind: fc.constantFrom('remove' as const, 'discard' as const, 'apply' as const), path }),
      fc.record({ kind: fc.constant('rename' as const), path, to: path }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(path, fc.constantFrom('x', 'yy'), { noNullPrototype: true }),
        fc.array(action, { maxLength: 25 }),
        async (initial, actions) => {
          const onDisk = new Map<string, string>(Object.entries(initial));
          const seen = new Map<string, string>(onDisk);
          const { tree, removed } = open(initial);
          const gone = (): void => removed.splice(0).forEach((item) => onDisk.delete(item));
          for (const step of actions) {
            if (step.kind === 'write') {
              await tree.write(step.path, bytes(step.content));
              seen.set(step.path, step.content);
            } else if (step.kind === 'remove') {
              const isThere = seen.delete(step.path);
              await tree.remove(step.path).then(
                () => expect(isThere).toBe(true),
                () => expect(isThere).toBe(false),
              );
            } else if (step.kind === 'rename') {
              const content = seen.get(step.path);
              const isPossible = content !== undefined && (step.to === step.path || !seen.has(step.to));
              await tree.rename(step.path, step.to).then(
                () => expect(isPossible).toBe(true),
                () => expect(isPossible).toBe(false),
              );
              if (isPossible && step.to !== step.path) {
                seen.delete(step.path);
                seen.set(step.to, content);
              }
            } else if (step.kind === 'discard') {
              await tree.discard([step.path]);
              const before = onDisk.get(step.path);
              if (before === undefined) seen.delete(step.path);
              else seen.set(step.path, before);
            } else if (seen.has(step.path)) {
              // The tree below keeps what is deleted, so only writes are applied here.
              expect((await tree.apply([step.path])).ok).toBe(true);
              gone();
              onDisk.set(step.path, seen.get(step.path) ?? '');
            }
          }
          expect(await filesOf(tree)).toEqual([...seen.keys()].toSorted());
          for (const [key, content] of seen) expect(text(await tree.read(key))).toBe(content);
        },
      ),
    );
  });

  it('TO53: applies all or some, and tells who listens', async () => {
    const { disk, tree, removed } = open({ 'a.md': 'old', 'b.md': 'b' });
    let heard = 0;
    tree.subscribe(() => void heard++);
    await tree.write('a.md', bytes('new'));
    await tree.write('c.md', bytes('c'));
    await tree.remove('b.md');
    expect(await tree.apply(['a.md'])).toEqual({ ok: true, value: ['a.md'] });
    expect(text(disk.files.get('a.md'))).toBe('new');
    expect(tree.pending().map(({ path }) => path)).toEqual(['b.md', 'c.md']);
    expect(await tree.apply()).toEqual({ ok: true, value: ['b.md', 'c.md'] });
    expect(removed).toEqual(['b.md']);
    expect(tree.pending()).toEqual([]);
    expect(heard).toBe(5);
    expect(await tree.discard()).toEqual([]);
    expect(heard).toBe(5);
  });

  it('TO54: refuses to apply over a file that changed on disk, and writes nothing', async () => {
    const { disk, tree } = open({ 'a.md': 'old', 'b.md': 'b' });
    await tree.write('a.md', bytes('mine'));
    await tree.write('b.md', bytes('mine'));
    await disk.write('b.md', bytes('theirs'));
    const applied = await tree.apply();
    expect(applied).toEqual({
      ok: false,
      error: {
        kind: 'conflict',
        paths: ['b.md'],
        message:
          'b.md changed on disk since the agent read it. Nothing was written. Compare, then apply again to overwrite, or discard the pending change.',
      },
    });
    expect(text(disk.files.get('a.md'))).toBe('old');
    expect(await tree.apply(['a.md'])).toMatchObject({ ok: true });
    expect(await tree.apply(undefined, { overwrite: true })).toEqual({ ok: true, value: ['b.md'] });
    expect(text(disk.files.get('b.md'))).toBe('mine');
  });

  it('TO54: a new file is in conflict with one that came meanwhile', async () => {
    const { disk, tree } = open({});
    await tree.write('a.md', bytes('mine'));
    await disk.write('a.md', bytes('theirs'));
    expect(await tree.apply()).toMatchObject({ ok: false, error: { kind: 'conflict', paths: ['a.md'] } });
  });

  it('TO55: a disk that fails keeps what is not yet written pending', async () => {
    const disk = createMemoryTree({ 'b.md': 'b' });
    const tree = createPendingTree({
      ...disk,
      write: async (path, content) => {
        if (path === 'c.md') throw new Error('the disk is full');
        await disk.write(path, content);
      },
    });
    await tree.write('a.md', bytes('a'));
    await tree.write('c.md', bytes('c'));
    await tree.write('d.md', bytes('d'));
    expect(await tree.apply()).toEqual({
      ok: false,
      error: { kind: 'failed', path: 'c.md', applied: ['a.md'], message: 'c.md: the disk is full' },
    });
    expect(tree.pending().map(({ path }) => path)).toEqual(['c.md', 'd.md']);
    await tree.remove('b.md');
    expect(await tree.apply(['b.md'])).toMatchObject({ ok: false, error: { kind: 'failed', path: 'b.md' } });
  });

  it('TO55: a repository that is written half points at nothing that is missing', async () => {
    const disk = createMemoryTree({});
    const order: string[] = [];
    const tree = createPendingTree({
      ...disk,
      write: async (path, content) => {
        order.push(path);
        await disk.write(path, content);
      },
    });
    for (const path of ['.git/HEAD', '.git/refs/heads/main', '.git/objects/ab/cd', 'a.md', 'x/.git/objects/12/34'])
      await tree.write(path, bytes(path));
    await tree.apply();
    expect(order).toEqual(['.git/objects/ab/cd', 'x/.git/objects/12/34', '.git/HEAD', '.git/refs/heads/main', 'a.md']);
  });

  it('TO56: a file cannot be where a folder is, nor below a file', async () => {
    const { tree } = open({ 'a/b.md': 'b' });
    await tree.write('n.md', bytes('n'));
    await expect(tree.write('a', bytes('x'))).rejects.toThrow('a is a folder');
    await expect(tree.write('a/b.md/c.md', bytes('x'))).rejects.toThrow('a/b.md is a file');
    await expect(tree.write('n.md/c.md', bytes('x'))).rejects.toThrow('n.md is a file');
    await expect(tree.write('../x', bytes('x'))).rejects.toThrow('not a path inside the folder');
    await expect(tree.remove('nothing')).rejects.toThrow('there is no file nothing');
    await expect(tree.rename('a', 'a/c')).rejects.toThrow('cannot be moved into itself');
    await tree.rename('a', 'z/y');
    expect(await filesOf(tree)).toEqual(['n.md', 'z/y/b.md']);
  });

  it('TO57: updates of one file that are asked for immediately all happen, in order', async () => {
    const { tree } = open({ 'a.md': '0' });
    const results = await Promise.all(
      ['1', '2', '3'].map((next) =>
        tree.update('a.md', (before) => ({ after: bytes(`${text(before)}${next}`), value: text(before) })),
      ),
    );
    expect(results).toEqual(['0', '01', '012']);
    expect(text(await tree.read('a.md'))).toBe('0123');
    await expect(
      tree.update('a.md', () => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(text(await tree.read('a.md'))).toBe('0123');
  });

  it('TO58: what is handed in and out is the caller’s own', async () => {
    const { tree } = open({});
    const mine = bytes('mine');
    await tree.write('a', mine);
    mine[0] = 0;
    const read = await tree.read('a');
    if (read) read[1] = 0;
    expect(text(await tree.read('a'))).toBe('mine');
  });

  it('TO59: watchers hear of the disk and of pending writes', async () => {
    const { disk, tree } = open({});
    const heard: string[] = [];
    const watching = tree.watch?.((path) => heard.push(path));
    await tree.write('a', bytes('a'));
    await disk.write('b', bytes('b'));
    watching?.[Symbol.dispose]();
    await tree.write('c', bytes('c'));
    expect(heard).toEqual(['a', 'b']);
  });
});
