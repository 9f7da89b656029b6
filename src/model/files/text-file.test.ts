import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeText, imageType, keepLineEnds, readContent } from './text-file.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('what a file is', () => {
  it('TX1: text goes back byte for byte, with its mark and its line endings', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'ü', '😀', '\uFEFF', '\r', '\n', '\t', '\u2028') }),
        (text) => {
          const read = decodeText(bytes(text));
          expect(read).toBe(text);
          expect(encodeText(read ?? '')).toEqual(bytes(text));
        },
      ),
    );
  });

  it('TX2: NUL bytes and what is not UTF-8 are not text', () => {
    expect(decodeText(Uint8Array.of(65, 0, 66))).toBeUndefined();
    for (const bad of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
      expect(decodeText(Uint8Array.from(bad))).toBeUndefined();
      expect(readContent('a.md', Uint8Array.from(bad))).toMatchObject({ kind: 'binary', size: bad.length });
    }
    expect(readContent('a.md', Uint8Array.of(0))).toMatchObject({ reason: expect.stringContaining('NUL') as string });
    expect(readContent('empty', new Uint8Array())).toEqual({ kind: 'text', path: 'empty', text: '' });
  });

  it('TX3: images go by their name; SVG is text', () => {
    expect(['a/B.PNG', 'x.jpeg', 'x.svg', 'png', 'a.md', '.gif'].map(imageType)).toEqual([
      'image/png',
      'image/jpeg',
      undefined,
      undefined,
      undefined,
      'image/gif',
    ]);
    expect(readContent('a.svg', bytes('<svg/>'))).toMatchObject({ kind: 'text' });
  });

  it('TX4: what is too large is said to be', () => {
    expect(readContent('a.md', new Uint8Array(4 * 1024 * 1024 + 1))).toMatchObject({
      kind: 'too-large',
      reason: expect.stringContaining('4.0 MB') as string,
    });
    expect(readContent('a.png', new Uint8Array(4 * 1024 * 1024 + 1))).toMatchObject({ kind: 'image' });
  });
});

describe('what an editor makes of line endings', () => {
  const normalised = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');

  it('TX5: a text that was not edited comes back as it was', () => {
    const line = fc
      .tuple(fc.constantFrom('a', 'b', '', 'c d'), fc.constantFrom('\n', '\r\n'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('', 'end'), fc.boolean(), (lines, end, hasMark) => {
        const text = (hasMark ? '\uFEFF' : '') + lines.join('') + end;
        expect(keepLineEnds(text, normalised(text))).toBe(text);
        expect(keepLineEnds(text, normalised(text).replaceAll('\n', '\r\n'))).toBe(text);
      }),
    );
  });

  it('TX5: edited lines get the usual ending, the others keep theirs', () => {
    expect(keepLineEnds('a\r\nb\nc\r\n', 'a\nnew\nb\nc\n')).toBe('a\r\nnew\r\nb\nc\r\n');
    expect(keepLineEnds('a\r\nb\r\n', 'a\nx\nb\nend')).toBe('a\r\nx\r\nb\r\nend');
    expect(keepLineEnds('a\nb\n', 'a\r\nb\r\nc\r\n')).toBe('a\nb\nc\n');
    expect(keepLineEnds('one line', 'one\nline')).toBe('one\nline');
  });
});
