import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSimpleYaml } from './yaml-simple.ts';
import { parseFullYaml } from './yaml-tree.ts';

const key = fc.constantFrom('name', 'description', 'a', 'A_b', 'x-1', 'metadata', 'true', 'null', '__proto__');
const value = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'x',
    'a b',
    'a:b',
    'a: b',
    'a :',
    'é',
    '1.0',
    '~',
    '"q"',
    '"q" x',
    "'s'",
    "'it''s'",
    '"a\\n"',
    'a #b',
    'a# b',
    '#c',
  ),
  fc.constantFrom(
    '- a',
    '-a',
    '[x]',
    '{a: b}',
    '|',
    '>-',
    '&a b',
    '*a',
    '!t',
    '@x',
    '`x`',
    '%x',
    'x\u00a0',
    'x\ty',
    '=',
    '<<',
    'x  ',
  ),
  fc.string({ unit: fc.constantFrom('a', ' ', ':', '#', '"', "'", '-', '\\', '.'), maxLength: 8 }),
);
const flowText = fc.constantFrom(
  'a',
  ' b ',
  'a b',
  '"q"',
  "'s'",
  "'it''s'",
  '1.0',
  'x: y',
  'x:y',
  '{}',
  '[]',
  '[a]',
  '{a: b}',
  '',
  ' ',
  '#c',
  'a #c',
  '-',
  '*x',
  'a, b',
);
const flow = fc.oneof(
  fc.array(flowText, { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
  fc.array(flowText, { maxLength: 3 }).map((items) => `[${items.join(', ')}] `),
  fc
    .array(fc.tuple(fc.constantFrom('a', 'b c', '"q"', ''), fc.constantFrom(': ', ':', ' : '), flowText), {
      maxLength: 3,
    })
    .map((pairs) => `{${pairs.map((pair) => pair.join('')).join(', ')}}`),
  fc.string({ unit: fc.constantFrom('{', '}', '[', ']', ',', ': ', 'a', ' '), maxLength: 10 }),
);
const line = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(key, value).map(([name, text]) => `${name}: ${text}`) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('  ', '    ', ' '), key, value)
      .map(([indent, name, text]) => `${indent}${name}: ${text}`),
  },
  { weight: 2, arbitrary: key.map((name) => `${name}:`) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(key, fc.constantFrom('|', '>', '>-', '|-', '|+', '>2'), fc.array(value, { minLength: 1, maxLength: 3 }))
      .map(
        ([name, header, texts]) =>
          `${name}: ${header}\n${texts.map((text) => (text.trim() === '' ? '' : `  ${text}`)).join('\n')}`,
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(key, fc.constantFrom('', '  '), fc.array(value, { minLength: 1, maxLength: 3 }))
      .map(([name, indent, texts]) => `${name}:\n${texts.map((text) => `${indent}- ${text}`).join('\n')}`),
  },
  { weight: 2, arbitrary: fc.tuple(key, value, value).map(([name, text, more]) => `${name}: ${text}\n  ${more}`) },
  { weight: 3, arbitrary: fc.tuple(key, flow).map(([name, text]) => `${name}: ${text}`) },
  { weight: 1, arbitrary: fc.constantFrom('', '# comment', '  # comment', '- item', '  - item', 'text', '...', '   ') },
);

describe('parseSimpleYaml', () => {
  it('gives the tree of the real parser wherever it gives one', () => {
    let simple = 0;
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.constantFrom('', '\n'), (lines, last) => {
        const text = lines.join('\n') + last;
        const fast = parseSimpleYaml(text, 0, text.length);
        if (!fast) return;
        simple++;
        const full = parseFullYaml(text, 0, text.length);
        expect(full.problems).toEqual([]);
        expect(fast.root).toEqual(full.root);
        expect(fast.hasFlow).toBe(full.hasFlow);
      }),
      { numRuns: 20_000 },
    );
    // The property would hold for a reader that always gives up.
    expect(simple).toBeGreaterThan(500);
  });

  it('reads what most skills have', () => {
    const text =
      'name: pdf\ndescription: "Reads PDF files. Use when: needed"\nmetadata:\n  author: me\n  version: \'1\'\nlicense: MIT\n';
    expect(parseSimpleYaml(text, 0, text.length)?.root.entries.map((entry) => entry.name)).toEqual([
      'name',
      'description',
      'metadata',
      'license',
    ]);
  });
});
