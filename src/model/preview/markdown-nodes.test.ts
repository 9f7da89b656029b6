import { describe, expect, it } from 'vitest';
import { countNodes, toMarkdownNodes } from './markdown-nodes.ts';

/** As React's elements look. */
const element = (type: unknown, props: Record<string, unknown>) => ({ type, props });
const nested = (levels: number): unknown => {
  let inner: unknown = 'x';
  for (let level = 0; level < levels; level++) inner = element('blockquote', { children: inner });
  return inner;
};

describe('rendered Markdown as data', () => {
  it('MN1: names, plain properties, and text; fragments give their children', () => {
    const given = element(Symbol('fragment'), {
      children: [
        element('a', { href: 'b', onClick: () => undefined, children: ['c', element('br', {})] }),
        '\n',
        element('td', { style: { textAlign: 'left' }, children: undefined }),
      ],
    });
    const nodes = toMarkdownNodes(given);
    expect(nodes).toEqual([
      { tag: 'a', props: { href: 'b' }, children: ['c', { tag: 'br', props: {}, children: [] }] },
      '\n',
      { tag: 'td', props: { style: { textAlign: 'left' } }, children: [] },
    ]);
    expect(countNodes(nodes ?? [])).toBe(5);
  });

  it('MN2: too many elements, or too deep ones, are nothing', () => {
    expect(toMarkdownNodes(nested(60))).toBeDefined();
    expect(toMarkdownNodes(nested(100_000))).toBeUndefined();
    expect(toMarkdownNodes(Array.from({ length: 4000 }, () => element('p', {})))).toHaveLength(4000);
    expect(toMarkdownNodes(Array.from({ length: 4001 }, () => element('p', {})))).toBeUndefined();
  });
});
