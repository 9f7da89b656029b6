import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob } from './glob.ts';
import { compilePattern } from './line-pattern.ts';

const test = (pattern: string, line: string): boolean => {
  const compiled = compilePattern(pattern);
  if (!compiled.ok) throw new Error(compiled.error);
  return compiled.value.test(line);
};

describe('patterns of grep_files', () => {
  it('TO40: match like regular expressions do', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '\\w',
      '\\d',
      '\\b',
      '^',
      '$',
      '(a|b)',
      '(?:ab|)',
      'é',
      '\\.',
    );
    const piece = fc
      .tuple(atom, fc.constantFrom('', '*', '+', '?', '{2}', '{1,2}', '{0,}', '*?'))
      .map(([node, times]) => (/^(?:\^|\$|\\b)$/.test(node) ? node : node + times));
    const sequence = fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
    const pattern = fc.oneof(
      sequence,
      fc.tuple(sequence, sequence).map(([a, b]) => `${a}|${b}`),
      fc.tuple(sequence, sequence).map(([a, b]) => `(${a})+${b}`),
    );
    const line = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ', '.', 'é', '😀'), maxLength: 8 });
    fc.assert(
      fc.property(pattern, line, (source, text) => {
        expect([source, text, test(source, text)]).toEqual([source, text, new RegExp(source, 'u').test(text)]);
      }),
      { numRuns: 2000 },
    );
  });

  it('TO40: ignore case, know classes, take escapes that models like to write', () => {
    expect(test('(?i)todo', 'ToDo')).toBe(true);
    expect(test('todo', 'ToDo')).toBe(false);
    expect(test('\\"name\\"\\s*:', '  "name" : 1')).toBe(true);
    expect(test('[\\"\\-x]+$', '-"')).toBe(true);
    expect(test('\\p{Lu}', 'É')).toBe(true);
    expect(test('a{', 'a{')).toBe(true);
    expect(test('x]', 'x]')).toBe(true);
    expect(test('(?<year>\\d{4})', 'in 2024')).toBe(true);
    expect(test('[]a]', ']')).toBe(true);
    expect(test('^$', '')).toBe(true);
  });

  it.each([
    ['(', 'a "(" is not closed'],
    ['a)', 'there is a ")" without its "("'],
    ['*a', 'there is nothing to repeat'],
    ['a**', 'there is nothing to repeat'],
    ['[a', 'a "[" is not closed'],
    ['[z-a]', '[z-a] is not a set of characters'],
    ['a{3,1}', 'in {3,1} the numbers are reversed'],
    ['(a)\\1', 'back-references are not supported'],
    ['(?=a)', 'look-around and options inside the pattern are not supported'],
    ['(?<!a)b', 'look-around and options inside the pattern are not supported'],
    ['\\', 'it ends with a "\\"'],
    ['\\Q.', '\\Q is not supported'],
    ['(a{1000}){1000}', 'it is too large: repeat less'],
    ['(){99999}', 'it is too large: repeat less'],
    ['a.'.repeat(1500), 'it is too large: repeat less'],
    ['()'.repeat(50_000), 'it is too large: repeat less'],
    ['((((){2000}){2000}){2000}){0,2000}', 'it is too large: repeat less'],
    ['('.repeat(60), 'its groups are nested too deeply'],
  ])('TO41: %s is refused in words', (pattern, message) => {
    expect(compilePattern(pattern)).toEqual({ ok: false, error: message });
  });

  it('TO42: never run away', () => {
    const line = 'a'.repeat(20_000);
    for (const pattern of ['(a+)+$b', '(a|a)*b', '(a|aa)+$b', '.*.*.*.*.*b', '((((((a*)*)*)*)*)*)*b'])
      expect(test(pattern, line)).toBe(false);
  });
});

describe('globs', () => {
  const matches = (glob: string, path: string): boolean => {
    const compiled = compileGlob(glob);
    return compiled.ok && compiled.value(path);
  };
  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/deep/a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['a?.md', 'x/ab.md', true],
    ['*.{ts,tsx}', 'x/a.tsx', true],
    ['src/**/*.md', 'src/a.md', true],
    ['src/**/*.md', 'src/x/y/a.md', true],
    ['src/**/*.md', 'lib/a.md', false],
    ['src/*.md', 'src/x/a.md', false],
    ['./src/*.md', 'src/a.md', true],
    ['src/', 'src/x/a.md', true],
    ['**/a.md', 'a.md', true],
    ['**', 'x/y', true],
    ['a.c', 'abc', false],
    ['a(b)+.md', 'a(b)+.md', true],
  ])('TO43: %s and %s', (glob, path, expected) => {
    expect(matches(glob, path)).toBe(expected);
  });
});
