import { describe, expect, it } from 'vitest';
import { readIndex } from './git-index.ts';
import { dateText, quoteInLine, quotePath, splitMessage, statText } from './git-text.ts';

describe('words of git', () => {
  it('GT1: paths that are not plain ASCII are quoted', () => {
    expect(['a b.txt', 'ü', 'a"b', 'a\tb', 'a\\b'].map(quotePath)).toEqual([
      'a b.txt',
      '"\\303\\274"',
      '"a\\"b"',
      '"a\\tb"',
      '"a\\\\b"',
    ]);
    expect(quoteInLine('a b')).toBe('"a b"');
  });

  it('GT2: dates in the zone of anyone who wrote them', () => {
    const at = { name: '', email: '', timestamp: 1_767_258_000, timezoneOffset: -60 };
    expect(['default', 'short', 'iso', 'iso-strict', 'unix', 'raw'].map((format) => dateText(at, format))).toEqual([
      'Thu Jan 1 10:00:00 2026 +0100',
      '2026-01-01',
      '2026-01-01 10:00:00 +0100',
      '2026-01-01T10:00:00+01:00',
      '1767258000',
      '1767258000 +0100',
    ]);
    expect(dateText(at, 'relative', at.timestamp + 3 * 86_400)).toBe('3 days ago');
  });

  it('GT3: the subject is the first paragraph in one line', () => {
    expect(splitMessage('One\ntwo\n\nbody\n\nmore\n')).toEqual({ subject: 'One two', body: 'body\n\nmore' });
  });

  it('GT4: bars', () => {
    expect(statText([{ path: 'a', added: 2, removed: 1 }])).toBe(
      ' a | 3 ++-\n 1 file changed, 2 insertions(+), 1 deletion(-)\n',
    );
    expect(statText([])).toBe('');
  });

  it('GT5: an index that is none is refused', () => {
    expect(readIndex(new Uint8Array(5)).ok).toBe(false);
    expect(readIndex(new TextEncoder().encode('DIRC\0\0\0\x09\0\0\0\0')).ok).toBe(false);
  });
});
