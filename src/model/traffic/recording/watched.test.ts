import { describe, expect, it } from 'vitest';
import { readRecording } from './read-recording.ts';
import { callKey, createWatchedFiles, isOpen } from './watched.ts';

const stamp = (file: string, size: number) => ({ file, size, modifiedAt: size });
const read = (file: string) => ({
  file,
  ...readRecording(
    JSON.stringify({
      body: { model: 'm', messages: [] },
      started_at: 1,
      usage: { uncached: 1, read: 0, writes: {}, output: 1 },
    }),
    file,
  ),
});
const names = (list: readonly { file: string }[]) => list.map(({ file }) => file);

describe('a folder that grows', () => {
  it('TF18: reads only files that are new or have changed, and forgets those that are gone', () => {
    const files = createWatchedFiles();
    const [a, b, longer] = [stamp('a', 1), stamp('b', 1), stamp('a', 2)];
    expect(names(files.stale([b, a]))).toEqual(['b', 'a']);
    for (const item of [b, a]) files.put(item, read(item.file));
    expect(names(files.all())).toEqual(['a', 'b']);
    expect(files.stale([a, b])).toEqual([]);
    expect(names(files.stale([longer, b]))).toEqual(['a']);
    files.put(longer, read('a'));
    expect(files.stale([longer])).toEqual([]);
    expect(names(files.all())).toEqual(['a']);
  });

  it('TF18: reads files without times again, because joining gives them one', () => {
    const files = createWatchedFiles();
    const timeless = {
      file: 't',
      calls: read('t').calls.map((call) => Object.assign(call, { isTimeless: true })),
      faults: [],
    };
    files.put(stamp('t', 1), timeless);
    expect(files.stale([stamp('t', 1)])).toEqual([]);
    expect(names(files.stale([stamp('t', 1), stamp('new', 1)]))).toEqual(['new', 't']);
  });

  it('TF18: knows a call again, and whether its answer is still in progress', () => {
    const [call] = read('a').calls;
    if (!call) throw new Error('no call');
    expect([callKey(call), isOpen(call)]).toEqual(['a:1', false]);
    const { usage: _usage, ...asked } = call;
    expect([isOpen(asked), isOpen({ ...asked, failed: true }), isOpen({ ...asked, endedAt: 3 })]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
