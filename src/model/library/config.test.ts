import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_CONFIG, parseConfig } from './config.ts';

const parse = (text: string) => parseConfig(new TextEncoder().encode(text));
const errorOf = (text: string): string => {
  const result = parse(text);
  return result.ok ? 'no error' : result.error;
};

describe('.agents/config.yaml', () => {
  it.each([
    '',
    '\n',
    '# nothing\n',
    '---\n',
    'null',
    '~',
    '{}',
    'skills: {}\n',
    'other: [1, 2]\nskills: { more: yes }\n',
  ])('LIB40: %j is not configuration', (text) => {
    expect(parse(text)).toEqual({ ok: true, value: NO_CONFIG });
  });

  it('LIB40: a byte order mark and CRLF do not matter', () => {
    expect(parse('\uFEFFskills:\r\n  paths:\r\n    - a\r\n')).toEqual({
      ok: true,
      value: { inside: ['a'], outside: [], urls: [] },
    });
  });

  it('LIB41: tells folders inside from folders elsewhere', () => {
    const inside = {
      a: 'a',
      './a/b/': 'a/b',
      'a/../b': 'b',
      'a//b': 'a/b',
      '.': '',
      'a\\b': 'a/b',
      '.hidden': '.hidden',
      'a/..': '',
    };
    const outside = ['..', '../a', 'a/../../b', '/opt/a', '/', 'C:\\a', 'C:/a', '\\\\server\\a', '~', '~/a', '~user/a'];
    const paths = JSON.stringify([...Object.keys(inside), ...outside]);
    expect(parse(`skills: { paths: ${paths} }`)).toEqual({
      ok: true,
      value: { inside: Object.values(inside), outside, urls: [] },
    });
  });

  it('LIB43: takes http and https addresses only', () => {
    const urls = ['https://example.com/a/SKILL.md', 'http://localhost:3000/x.zip'];
    expect(parse(`skills: { urls: ${JSON.stringify(urls)} }`)).toEqual({
      ok: true,
      value: { inside: [], outside: [], urls },
    });
    for (const url of [
      'file:///etc/passwd',
      'javascript:alert(1)',
      'data:text/plain,x',
      'example.com',
      'ftp://example.com/a',
      '',
    ]) {
      expect([url, errorOf(`skills: { urls: [${JSON.stringify(url)}] }`)]).toEqual([
        url,
        expect.stringMatching(/^skills\.urls\.0: /),
      ]);
    }
  });

  it.each([
    ['- a\n', /^the file: .*expected object, received array/],
    ['text', /^the file: .*expected object, received string/],
    ['skills: 3\n', /^skills: .*expected object, received number/],
    ['skills:\n', /^skills: .*expected object, received null/],
    ['skills: { paths: a }\n', /^skills\.paths: .*expected array, received string/],
    ['skills: { paths: [a, 1] }\n', /^skills\.paths\.1: .*expected string, received number/],
    ['skills: { paths: [""] }\n', /^skills\.paths\.0: /],
    ['skills: { paths: ["a\\0b"] }\n', /^skills\.paths\.0: /],
    ['skills: { urls: {} }\n', /^skills\.urls: .*expected array, received object/],
    ['skills: [a\n', /^it is not YAML: .*line \d+, column \d+/],
    ['a: b: c\n', /^it is not YAML: .*line 1, column \d+/],
    ['a: 1\na: 2\n', /^it is not YAML: .*unique/],
  ])('LIB44: %j is refused, and the error says what is wrong', (text, expected) => {
    expect(errorOf(text)).toMatch(expected);
  });

  it('LIB45: a bomb of aliases does not go off', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 12; level++) {
      lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`);
    }
    expect(errorOf(`${lines.join('\n')}\nskills: { paths: *a11 }\n`)).toMatch(/^it is not YAML: .*alias/i);
  });

  it('LIB45: deep nesting and bytes that are not UTF-8 are errors, not crashes', () => {
    expect(errorOf('['.repeat(100_000))).toBe('it is too large');
    expect(errorOf('['.repeat(50_000))).toBe('it is nested too deeply');
    expect(errorOf(`skills: ${'{a: '.repeat(10_000)}`)).toBe('it is nested too deeply');
    expect(errorOf(Array.from({ length: 300 }, (_, level) => `${' '.repeat(level)}a:`).join('\n'))).toBe(
      'it is nested too deeply',
    );
    expect(errorOf(`# ${'x'.repeat(100_000)}`)).toBe('it is too large');
    expect(parseConfig(Uint8Array.of(0x61, 0xff, 0x62))).toEqual({ ok: false, error: 'it is not UTF-8' });
  });

  it('LIB45: `__proto__` is a key like any other', () => {
    expect(parse('__proto__: { skills: { paths: [a] } }\n')).toEqual({ ok: true, value: NO_CONFIG });
  });

  it('LIB45: never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.string({ unit: 'binary' }).map((text) => new TextEncoder().encode(text)),
        ),
        (content) => void parseConfig(content),
      ),
    );
    fc.assert(fc.property(fc.json(), (json) => void parse(`skills: ${json}`)));
  });
});
