import { describe, expect, it } from 'vitest';
import type { YamlNode } from './yaml-nodes.ts';
import { parseYaml, resolveAlias, type YamlTree } from './yaml-tree.ts';

const parse = (text: string): YamlTree => parseYaml(text, 0, text.length);

/** A tree in which every node is the source at its range: readable, and right only if the ranges are. */
const sources = (node: YamlNode | undefined, text: string): unknown => {
  if (!node) return undefined;
  if (node.kind === 'map') return node.entries.map((entry) => [sources(entry.key, text), sources(entry.value, text)]);
  if (node.kind === 'seq') return node.items.map((item) => sources(item, text));
  return text.slice(node.range.start, node.range.end);
};

const rangesOf = (text: string): unknown => sources(parse(text).root, text);

describe('ranges', () => {
  const yaml =
    'name: ok\ndescription: "a\n  b"\nmetadata:\n  x: \'y\' # c\n  z: [1, {q: w}]\nlist:\n- a\n- b\nblock: |\n  one\n  two\nempty:\nlast: end\n';
  const expected = (eol: string): unknown => [
    ['name', 'ok'],
    ['description', `"a${eol}  b"`],
    [
      'metadata',
      [
        ['x', "'y'"],
        ['z', ['1', [['q', 'w']]]],
      ],
    ],
    ['list', ['a', 'b']],
    ['block', `|${eol}  one${eol}  two${eol}`],
    ['empty', ''],
    ['last', 'end'],
  ];

  it('are exact', () => {
    expect(rangesOf(yaml)).toEqual(expected('\n'));
  });

  it('READ4: are exact with CRLF, in the file as it is', () => {
    expect(rangesOf(yaml.replaceAll('\n', '\r\n'))).toEqual(expected('\r\n'));
    expect(rangesOf(yaml.replaceAll('\n', '\r'))).toEqual(expected('\r'));
  });

  it('are offsets into the whole file', () => {
    const text = `---\r\n${yaml.replaceAll('\n', '\r\n')}---\r\nbody`;
    const { root } = parseYaml(text, 5, text.indexOf('---\r\nbody'));
    expect(sources(root, text)).toEqual(expected('\r\n'));
  });

  it('are exact behind quoted text that continues unindented', () => {
    const text = 'a: "one\ntwo\n\nthree"\nb: x\nc: \'four\nfive\'\nd: y\n';
    const tree = parse(text);
    expect(tree.problems).toEqual([]);
    expect(sources(tree.root, text)).toEqual([
      ['a', '"one\ntwo\n\nthree"'],
      ['b', 'x'],
      ['c', "'four\nfive'"],
      ['d', 'y'],
    ]);
    expect(tree.unindentedQuotes.map((offset) => text.slice(offset, offset + 4))).toEqual(['two\n', 'thre', 'five']);
    const windows = text.replaceAll('\n', '\r\n');
    expect(sources(parse(windows).root, windows)).toEqual([
      ['a', '"one\r\ntwo\r\n\r\nthree"'],
      ['b', 'x'],
      ['c', "'four\r\nfive'"],
      ['d', 'y'],
    ]);
  });

  it('an empty value comes after its colon, a collection ends with its last value', () => {
    const text = 'a: # c\nb:\n  c: d # e\n\n# f\n';
    const { root } = parse(text);
    const [a, b] = root?.kind === 'map' ? root.entries : [];
    expect(a?.value.range).toEqual({ start: 2, end: 2 });
    expect(b && text.slice(b.value.range.start, b.value.range.end)).toBe('c: d');
  });
});

describe('scalars', () => {
  const textOf = (yaml: string): string | undefined => {
    const { root } = parse(yaml);
    const value = root?.kind === 'map' ? root.entries[0]?.value : undefined;
    return value?.kind === 'scalar' ? value.text : undefined;
  };

  it.each([
    ['a: 1.0', '1.0'],
    ['a: 0x10', '0x10'],
    ['a: ~', '~'],
    ['a: "x\\ny\\u00e9"', 'x\nyé'],
    ["a: 'it''s'", "it's"],
    ['a: one\n  two\n\n  three', 'one two\nthree'],
    ['a: >\n  one\n  two\n\n  three\n', 'one two\nthree\n'],
    ['a: |-\n  one\n   two\n', 'one\n two'],
    ['a: |+\n  one\n\n', 'one\n\n'],
    ['a: !!int "5"', '5'],
  ])('READ8: %j is %j', (yaml, text) => {
    expect(textOf(yaml)).toBe(text);
    expect(textOf(yaml.replaceAll('\n', '\r\n'))).toBe(text);
  });
});

describe('aliases', () => {
  it('READ6: are followed, never expanded', () => {
    const { root } = parse('a: &x y\nb: *x\n');
    const alias = root?.kind === 'map' ? root.entries[1]?.value : undefined;
    expect(alias?.kind).toBe('alias');
    expect(alias && resolveAlias(alias)).toMatchObject({ kind: 'scalar', text: 'y', anchor: 'x' });
  });

  it('READ6: point upwards only', () => {
    expect(parse('a: *x\nb: &x y\n').problems.map(({ kind }) => kind)).toEqual(['unknown-alias']);
    expect(parse('a: &x\n  b: *x\n').problems.map(({ kind }) => kind)).toEqual(['unknown-alias']);
  });
});

describe('problems', () => {
  it('are in order of position, and inside the text', () => {
    for (const text of [
      'a: b: c\nd: "x\n',
      'a: "x',
      '@',
      'a:\n\tb: c\n',
      '- a\nb: c\n',
      'a: \u0001\nb: [',
      '{',
      'a: |x\n',
    ]) {
      const { problems } = parse(text);
      expect(problems.length, text).toBeGreaterThan(0);
      const starts = problems.map(({ range }) => range.start);
      expect(starts).toEqual(starts.toSorted((left, right) => left - right));
      for (const { range } of problems)
        expect(range.start >= 0 && range.start <= range.end && range.end <= text.length, text).toBe(true);
    }
  });

  it('READ6: too large and too deep are refused before they cost', () => {
    for (const piece of ['[a][b]', ']', '- a\n', '"', '* ', '%A\n'])
      expect(parse(piece.repeat(5000)).problems.map(({ kind }) => kind)).toEqual(['too-large']);
    expect(parse(`a:\n${'  - b\n'.repeat(1200)}`).problems).toEqual([]);
    expect(parse(`a: ${'x'.repeat(65_536)}`).problems.map(({ kind }) => kind)).toEqual(['too-large']);
    expect(parse(`a: ${'['.repeat(65)}${']'.repeat(65)}`).problems.map(({ kind }) => kind)).toEqual(['too-deep']);
    expect(
      parse(Array.from({ length: 70 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')).problems.map(
        ({ kind }) => kind,
      ),
    ).toEqual(['too-deep']);
  });
});
