import { describe, expect, it, vi } from 'vitest';
import { createPendingTree } from '../model/tool/pending-tree.ts';
import { createMemoryTree } from '../platform/fs/memory-tree.ts';
import { createWriteThrough } from './write-through.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const bench = (isOnAtFirst: boolean) => {
  const disk = createMemoryTree({ 'a.txt': 'a', 'b.txt': 'b' });
  const files = createPendingTree(disk, { remove: disk.remove });
  let isOn = isOnAtFirst;
  const applied: string[] = [];
  const failures: string[] = [];
  const through = createWriteThrough({
    files,
    isOn: () => isOn,
    onApplied: (paths) => applied.push(...paths),
    onFailure: (message) => failures.push(message),
  });
  const onDisk = async (path: string): Promise<string | undefined> => {
    const content = await disk.read(path);
    return content && new TextDecoder().decode(content);
  };
  return {
    disk,
    files,
    through,
    applied,
    failures,
    onDisk,
    turn: (on: boolean) => {
      isOn = on;
      through.check();
    },
  };
};

describe('writing through', () => {
  it('WA1: off, everything waits', async () => {
    const { files, applied, onDisk } = bench(false);
    await files.write('a.txt', bytes('new'));
    await files.discard([]);
    expect(await onDisk('a.txt')).toBe('a');
    expect(applied).toEqual([]);
    expect(files.pending()).toHaveLength(1);
  });

  it('WA2: on, what is written or deleted is on disk immediately', async () => {
    const { files, applied, onDisk } = bench(true);
    await files.write('a.txt', bytes('new'));
    await files.write('c/d.txt', bytes('made'));
    await files.remove('b.txt');
    await vi.waitFor(() => expect(files.pending()).toEqual([]));
    expect([await onDisk('a.txt'), await onDisk('b.txt'), await onDisk('c/d.txt')]).toEqual(['new', undefined, 'made']);
    await vi.waitFor(() => expect(applied.toSorted()).toEqual(['a.txt', 'b.txt', 'c/d.txt']));
  });

  it('WA3: what waited when it was switched on waits on, until it is written again', async () => {
    const { files, turn, onDisk } = bench(false);
    await files.write('a.txt', bytes('waits'));
    turn(true);
    await files.write('b.txt', bytes('goes'));
    await vi.waitFor(async () => expect(await onDisk('b.txt')).toBe('goes'));
    expect(await onDisk('a.txt')).toBe('a');
    await files.write('a.txt', bytes('goes too'));
    await vi.waitFor(async () => expect(await onDisk('a.txt')).toBe('goes too'));
    turn(false);
    await files.write('a.txt', bytes('waits again'));
    expect(files.pending()).toHaveLength(1);
    expect(await onDisk('a.txt')).toBe('goes too');
  });

  it('WA4: what cannot be written is reported once, waits, and holds up nothing else', async () => {
    const { disk, files, turn, failures, onDisk } = bench(false);
    await files.write('a.txt', bytes('of the agent'));
    await disk.write('a.txt', bytes('of somebody else'));
    turn(true);
    await files.write('a.txt', bytes('of the agent again'));
    await vi.waitFor(() => expect(failures).toHaveLength(1));
    await files.write('b.txt', bytes('goes'));
    await vi.waitFor(async () => expect(await onDisk('b.txt')).toBe('goes'));
    expect(failures).toEqual([expect.stringContaining('a.txt changed on disk')]);
    expect(await onDisk('a.txt')).toBe('of somebody else');
    expect(files.pending().map(({ path }) => path)).toEqual(['a.txt']);
  });

  it('WA5: another folder is another matter', async () => {
    const { files, through, onDisk } = bench(true);
    through[Symbol.dispose]();
    await files.write('a.txt', bytes('new'));
    expect(files.pending()).toHaveLength(1);
    expect(await onDisk('a.txt')).toBe('a');
  });
});
