/** Small things that verdicts hang on: types of scalars, Python's view of text, names. */
import { describe, expect, it } from 'vitest';
import { isValidName, nameFaults, normalName, slugify } from './names.ts';
import { pythonRepr, pythonStrip } from './python-text.ts';
import { scalarType, typeOfPlain, type ScalarType } from './scalar-types.ts';
import type { ScalarNode, ScalarStyle } from './yaml-nodes.ts';

/** Text, its type in YAML 1.1 (PyYAML) and in YAML 1.2 (core schema). */
const TYPES: readonly (readonly [string, ScalarType, ScalarType])[] = [
  ['', 'null', 'null'], ['~', 'null', 'null'], ['null', 'null', 'null'], ['NULL', 'null', 'null'], ['nULL', 'string', 'string'],
  ['true', 'bool', 'bool'], ['True', 'bool', 'bool'], ['yes', 'bool', 'string'], ['No', 'bool', 'string'], ['on', 'bool', 'string'], ['OFF', 'bool', 'string'], ['y', 'string', 'string'], ['tRue', 'string', 'string'],
  ['0', 'int', 'int'], ['-12', 'int', 'int'], ['+1', 'int', 'int'], ['1_000', 'int', 'string'], ['010', 'int', 'int'], ['08', 'string', 'int'], ['0x1F', 'int', 'int'], ['0o17', 'string', 'int'], ['0b11', 'int', 'string'], ['1:30', 'int', 'string'],
  ['1.0', 'float', 'float'], ['1.', 'float', 'float'], ['.5', 'float', 'float'], ['1e3', 'string', 'float'], ['1.5e+3', 'float', 'float'], ['.inf', 'float', 'float'], ['-.INF', 'float', 'float'], ['.nan', 'float', 'float'], ['1:30.5', 'float', 'string'], ['1.2.3', 'string', 'string'],
  ['2024-01-01', 'timestamp', 'string'], ['2024-1-1', 'string', 'string'], ['2024-01-01T10:00:00Z', 'timestamp', 'string'], ['2024-01-01 10:00:00', 'timestamp', 'string'],
  ['<<', 'merge', 'string'], ['=', 'value', 'string'],
  ['ok', 'string', 'string'], ['nothing', 'string', 'string'], ['-', 'string', 'string'], ['1'.repeat(65), 'string', 'string'],
]; // prettier-ignore

const node = (text: string, style: ScalarStyle, tag?: string): ScalarNode => ({
  kind: 'scalar', style, text, tag, anchor: undefined, range: { start: 0, end: 0 },
}); // prettier-ignore

describe('types of plain scalars', () => {
  it.each(TYPES)('READ8: %j is %s in YAML 1.1 and %s in YAML 1.2', (text, in11, in12) => {
    expect(typeOfPlain(text, '1.1')).toBe(in11);
    expect(typeOfPlain(text, '1.2')).toBe(in12);
    expect(typeOfPlain(text, 'none')).toBe('string');
  });

  it('READ8: quotes and blocks make strings, tags decide', () => {
    expect(scalarType(node('1', 'double'), '1.1')).toBe('string');
    expect(scalarType(node('yes', 'literal'), '1.1')).toBe('string');
    expect(scalarType(node('1', 'plain', 'tag:yaml.org,2002:str'), '1.1')).toBe('string');
    expect(scalarType(node('1', 'double', 'tag:yaml.org,2002:int'), '1.2')).toBe('int');
    expect(scalarType(node('1', 'double', 'tag:yaml.org,2002:int'), 'none')).toBe('string');
  });
});

describe('text as Python sees it', () => {
  it('strips what str.strip() strips', () => {
    expect(pythonStrip(' \t\n\r\u000B\f\u001C\u001D\u001E\u001F\u0085\u00A0\u2003\u2028\u3000a b\u3000 ')).toBe('a b');
    expect(pythonStrip('\uFEFFa\uFEFF')).toBe('\uFEFFa\uFEFF');
    expect(pythonStrip('\u200Ba')).toBe('\u200Ba');
    expect(pythonStrip(' \u0085 ')).toBe('');
  });

  // As printed by Python 3: repr(…).
  it.each([
    ['ok', "'ok'"],
    ["it's", `"it's"`],
    [`it's "x"`, `'it\\'s "x"'`],
    ['a\\b\n\t\r', "'a\\\\b\\n\\t\\r'"],
    ['\u0000\u007F\u0085\u00A0', "'\\x00\\x7f\\x85\\xa0'"],
    ['\u200B\u2028\u3000', "'\\u200b\\u2028\\u3000'"],
    ['é😀技', "'é😀技'"],
    ['\u{E0041}', "'\\U000e0041'"],
  ])('shows %j as repr() does', (text, shown) => {
    expect(pythonRepr(text)).toBe(shown);
  });
});

describe('names', () => {
  it.each([
    ['PDF Tables', 'pdf-tables'],
    ['my_skill.v2', 'my-skill-v2'],
    ['GitHubPages', 'git-hub-pages'],
    ['README', 'readme'],
    ['Über Café', 'uber-cafe'],
    ['--a--b--', 'a-b'],
    ['ａｂｃ', 'abc'],
    ['技能', ''],
    ['', ''],
    ['a'.repeat(70), 'a'.repeat(64)],
    [`${'a'.repeat(63)} b`, 'a'.repeat(63)],
  ])('%j becomes %j', (text, slug) => {
    expect(slugify(text)).toBe(slug);
    expect(isValidName(slugify(text), 'standard')).toBe(slug !== '');
  });

  it('are wrong in every way that they are wrong', () => {
    expect(nameFaults('ok-2', 'standard')).toEqual([]);
    expect(nameFaults(`-A_--${'a'.repeat(60)}`, 'standard')).toEqual([
      'name-length',
      'name-case',
      'name-edge-hyphen',
      'name-double-hyphen',
      'name-characters',
    ]);
    expect(nameFaults('δεξια', 'strict')).toEqual([]);
    expect(nameFaults('δεξια', 'metis')).toEqual(['name-characters']);
  });

  it('are compared in normal form by strict alone', () => {
    expect(normalName(' ａ ', 'strict')).toBe('a');
    expect(normalName(' a ', 'claude-upload')).toBe('a');
    expect(normalName(' a ', 'metis')).toBe(' a ');
  });
});
