import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonNode, nodeAt, scanJson, valueOf } from './json-scan.ts';

const rebuild = (text: string, node: JsonNode): unknown => {
  if (node.kind === 'array') return node.items.map((item) => rebuild(text, item));
  if (node.kind === 'object') {
    const value: Record<string, unknown> = {};
    for (const member of node.members)
      Object.defineProperty(value, member.key, {
        value: rebuild(text, member.value),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    return value;
  }
  return valueOf(text, node);
};

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('scanJson', () => {
  it('finds in every JSON text what JSON.parse finds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const scanned = scanJson(text);
        expect(scanned.ok && rebuild(text, scanned.value)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('accepts exactly what JSON.parse accepts', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"a"',
      '"\\n"',
      '"\\x"',
      '"\n"',
      ',',
      ':',
      '1',
      '-',
      '01',
      '1e5',
      'true',
      'nul',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        expect(scanJson(text).ok).toBe(parses(text));
      }),
      { numRuns: 3000 },
    );
  });

  it('accepts long strings as JSON.parse does', () => {
    const filler = 'x\\\\'.repeat(6000);
    for (const tail of ['\\n', '\\"', '\\q', '\\u12', '\\u1234', '\t', '\\\\', '\\'])
      expect(scanJson(`"${filler}${tail}"`).ok).toBe(parses(`"${filler}${tail}"`));
  });

  it('says where a string is wrong', () => {
    expect(scanJson('{"a": [1, }')).toMatchObject({ ok: false, error: { offset: 10 } });
    expect(scanJson('{"a": 1')).toMatchObject({ ok: false, error: { offset: 7 } });
    expect(scanJson('['.repeat(100_000))).toMatchObject({ ok: false });
  });

  it('follows a path', () => {
    const text = '{"a": 1, "a": {"b": [0, "x"]}}';
    const scanned = scanJson(text);
    expect(scanned.ok && valueOf(text, nodeAt(scanned.value, ['a', 'b', 1]))).toBe('x');
    expect(scanned.ok && nodeAt(scanned.value, ['a', 'c', 1])).toBeUndefined();
  });
});
