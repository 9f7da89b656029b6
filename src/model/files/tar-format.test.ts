import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTar, writeTar, type TarEntry } from './tar-format.ts';

const file = (name: string, text = ''): TarEntry => ({
  name,
  kind: 'file',
  mode: 0o644,
  mtime: 1_700_000_000,
  content: new TextEncoder().encode(text),
});

describe('tar', () => {
  it('TA1: what was written is read, long names included', () => {
    const entries = [
      file('a.txt', 'hello'),
      { ...file('d/'), kind: 'folder' as const },
      file(`${'deep/'.repeat(30)}end.txt`, 'x'),
      file(`${'n'.repeat(300)}.txt`, 'y'),
      file('ünï.txt', 'ü'),
    ];
    expect(readTar(writeTar(entries), 100)).toEqual({ ok: true, value: { entries, left: [] } });
  });

  it('TA2: what is not an archive, or too large, is refused', () => {
    expect(readTar(new TextEncoder().encode('x'.repeat(1024)), 9)).toEqual({
      ok: false,
      error: 'This does not look like a tar archive',
    });
    expect(readTar(writeTar([file('a'), file('b')]), 1)).toEqual({ ok: false, error: 'more than 1 entries' });
    expect(readTar(writeTar([file('a', 'x'.repeat(2000))]).subarray(0, 1024), 9)).toEqual({
      ok: false,
      error: 'Unexpected EOF in archive',
    });
  });

  it('TA3: no bytes make it throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => {
        expect(typeof readTar(bytes, 10).ok).toBe('boolean');
      }),
    );
  });
});
