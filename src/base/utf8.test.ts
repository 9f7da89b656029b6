import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePointLength, toLineFeeds } from './text.ts';
import { countCodePoints, isUtf8, utf8Length } from './utf8.ts';

const decodes = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};

/** Bytes at which the rules change. */
const edge = fc.constantFrom(
  0x00,
  0x41,
  0x7f,
  0x80,
  0x8f,
  0x90,
  0x9f,
  0xa0,
  0xbf,
  0xc0,
  0xc1,
  0xc2,
  0xdf,
  0xe0,
  0xe1,
  0xec,
  0xed,
  0xee,
  0xef,
  0xf0,
  0xf1,
  0xf3,
  0xf4,
  0xf5,
  0xff,
);

describe('isUtf8', () => {
  it('takes every code point and no surrogate', () => {
    for (let code = 0; code <= 0x10ffff; code += code < 0x3000 ? 1 : 61) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      expect(isUtf8(new TextEncoder().encode(String.fromCodePoint(code)))).toBe(true);
    }
    expect(isUtf8(Uint8Array.of(0xed, 0xa0, 0x80))).toBe(false);
  });

  it('agrees with TextDecoder on any bytes, wherever they lie in their buffer', () => {
    const bytes = fc.oneof(
      fc.array(edge, { maxLength: 24 }).map((list) => Uint8Array.from(list)),
      fc.uint8Array({ maxLength: 24 }),
      fc.string({ unit: 'binary', maxLength: 24 }).map((text) => new TextEncoder().encode(text)),
    );
    fc.assert(
      fc.property(bytes, fc.nat(7), fc.nat(9), (content, offset, padding) => {
        const buffer = new Uint8Array(offset + padding + content.length).fill(0x61);
        buffer.set(content, offset + padding);
        expect(isUtf8(buffer.subarray(offset), padding)).toBe(decodes(content));
      }),
      { numRuns: 5000 },
    );
  });
});

describe('countCodePoints', () => {
  it('counts what the decoded text has, with LF', () => {
    const unit = fc.constantFrom('a', 'ü', '日', '😀', '\r', '\n', '\r\n', '\u2028', '\0');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), fc.string({ unit, maxLength: 5 }), (text, before) => {
        // A line ending is never cut in two.
        fc.pre(!(before.endsWith('\r') && text.startsWith('\n')));
        const start = new TextEncoder().encode(before).length;
        const count = countCodePoints(new TextEncoder().encode(before + text), start);
        expect(count).toBe(codePointLength(toLineFeeds(text)));
      }),
    );
  });
});

describe('utf8Length', () => {
  it('is what an encoder writes, for every part that is cut between characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, part) => {
        const bytes = new TextEncoder().encode(part).length;
        expect(utf8Length(before + part, before.length, before.length + part.length)).toBe(bytes);
      }),
    );
  });
});
