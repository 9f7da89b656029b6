import { expect, it } from 'vitest';
import { alignedRows, readable } from './aligned-lines.ts';
import { bodyDifference } from './body-difference.ts';
import { makeBody, readBody } from './testing/bodies.ts';

const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });
const rowsOf = (before: string, after: string) => {
  const difference = bodyDifference(
    readBody(makeBody({ messages: [user(before)] })),
    readBody(makeBody({ messages: [user(after)] })),
  );
  if (difference.kind !== 'block') throw new Error('no difference');
  return alignedRows(difference.before, difference.after).map(({ before: one, after: other, isSame }) => {
    const text = (line: typeof one) => line?.map((part) => (part.isChanged ? `[${part.text}]` : part.text)).join('');
    return isSame ? [text(one)] : [text(one), text(other)];
  });
};

it('CO5: what is the same on both sides is on one row, and a line break is one', () => {
  const rows = rowsOf('one\ntwo\nthree\nfour', 'one\n2\nthree\nfour');
  expect(rows.slice(-3)).toEqual([['[two]\n', '[2]\n'], ['three\n'], [expect.stringContaining('four')]]);
});

it('CO5: a line that only one side has leaves the other side empty', () => {
  const rows = rowsOf('one\nthree', 'one\ntwo\nthree');
  expect(rows.some(([before, after]) => before === undefined && after?.includes('two') === true)).toBe(true);
  expect(rows.at(-1)?.[0]).toContain('three');
});

it('CO5: no escape is cut in half', () => {
  const rows = rowsOf('a\nb', 'a\tb');
  const all = rows.flat().join('');
  expect(all).toContain('[\n]');
  expect(all).toContain('[\t]');
  expect(readable('\\u00e4 \\"x\\" \\\\n \\n')).toBe('ä "x" \\n \n');
});
