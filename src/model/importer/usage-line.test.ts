import { describe, expect, it } from 'vitest';
import { readArguments, splitUsage, typeOfValue } from './usage-line.ts';

const args = (line: string, action = 'update'): string[] =>
  readArguments(splitUsage(line), action).map(
    ({ name, kind, type, isOptional, choices }) =>
      `${kind} ${name} ${type}${isOptional ? ' optional' : ''}${choices ? ` ${choices.join('/')}` : ''}`,
  );

describe('usage lines', () => {
  it('IU4: values and their types', () => {
    expect(typeOfValue('2026-05-11T08:00:00+02:00')).toBe('datetime');
    expect(typeOfValue('2026-05-11T08:00:00Z')).toBe('datetime');
    expect(typeOfValue('2026-05-11T08:00:00')).toBe('string');
    expect(typeOfValue('2026-05-11')).toBe('date');
    expect(typeOfValue('12')).toBe('integer');
    expect(typeOfValue('-1.5')).toBe('number');
    expect(typeOfValue('a@x.org,b@x.org')).toBe('array');
    expect(typeOfValue('done,filed')).toBe('array');
  });

  it('IU4: prose, JSON and numbers with separators are not lists', () => {
    for (const text of [
      'Thanks, noted.',
      'Dear Ada, it is done',
      '[["a","b"],["c","d"]]',
      '{"a":1,"b":2}',
      '1,000,000',
      'https://x.example/?a=1,2',
    ])
      expect(typeOfValue(text)).toBe('string');
  });

  it('IU5: ranges and paths are not queries', () => {
    expect(args('SHEET_ID "Sheet1!A1:D10"')).toEqual(['positional sheet_id undefined', 'positional range string']);
    expect(args('/path/to/report.pdf --name report.pdf')).toEqual(['positional path string', 'flag name string']);
    expect(args('"tide tables"', 'search')).toEqual(['positional query string']);
    expect(args('hello')).toEqual(['positional text string']);
  });

  it('IU6: switches, brackets, choices, equals signs', () => {
    expect(args('--all --role reader|writer [--note TEXT] --limit=5')).toEqual([
      'flag all boolean',
      'flag role string reader/writer',
      'flag note undefined optional',
      'flag limit integer',
    ]);
  });

  it('IU4: an option whose value is in quotes is an option, with any spelling', () => {
    expect(args(`--subject="Ciao, Anna" --body='a "b"' --note "say \\"hi\\", then go"`)).toEqual([
      'flag subject string',
      'flag body string',
      'flag note string',
    ]);
    expect(readArguments(splitUsage('--maxResults 5 -n 3 --page_size 2'), 'list').map(({ flag }) => flag)).toEqual([
      '--maxResults',
      '-n',
      '--page_size',
    ]);
  });

  it('IU4: a placeholder says its type or leaves it to others', () => {
    expect(args('--max N --since <YYYY-MM-DD> --from DATETIME --to <address>')).toEqual([
      'flag max integer',
      'flag since date',
      'flag from datetime',
      'flag to undefined',
    ]);
  });

  it('IU5: two of a kind are two arguments', () => {
    expect(args('a.txt b.txt', 'move')).toEqual(['positional path string', 'positional path_2 string']);
    expect(args('42', 'get')).toEqual(['positional number integer']);
  });

  it('IU6: choices in every spelling', () => {
    expect(args('--format {json,text} --role <reader|writer>')).toEqual([
      'flag format string json/text',
      'flag role string reader/writer',
    ]);
  });

  it('IU2: pipes, redirections, dots and the next command are not arguments', () => {
    const words = (line: string): string[] => splitUsage(line).map(({ text }) => text);
    expect(words('list --json | jq .')).toEqual(['list', '--json']);
    expect(words('get ID > out.json')).toEqual(['get', 'ID']);
    expect(words('list 2>&1 && echo ok')).toEqual(['list']);
    expect(words('delete FILE_ID... --force;')).toEqual(['delete', 'FILE_ID', '--force']);
    expect(words('search "a | b > c"')).toEqual(['search', 'a | b > c']);
  });

  it('IU4: quotes hold words together, a comment ends the line', () => {
    expect(splitUsage('a "b c" \'d "e\' # f').map(({ text }) => text)).toEqual(['a', 'b c', 'd "e']);
    expect(splitUsage('a#b').map(({ text }) => text)).toEqual(['a#b']);
  });
});
