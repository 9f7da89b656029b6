import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grouped, percent } from '../../base/figures.ts';
import { remarkSkillLinks } from '../../model/preview/skill-links.ts';
import { markdownBlocks, markdownPieces } from './markdown-blocks.ts';

describe('pieces of Markdown', () => {
  it('ED75: split before headings, not in code', () => {
    const long = 'word '.repeat(100);
    const parts = [`${long}\n`, `# B\nb\n\`\`\`\n# no\n\`\`\`\n${long}\n`, '## C\n'];
    expect(markdownBlocks(parts.join(''))).toEqual(parts);
    expect(markdownBlocks('')).toEqual([]);
  });
  it('ED75: a heading in every line makes no thousands of pieces', () => {
    expect(markdownBlocks('# a\n'.repeat(25_000)).length).toBeLessThan(300);
  });
  it('ED75: a long text without headings ends pieces at blank lines, so that it is rendered', () => {
    const text = 'One sentence of many.\n\n'.repeat(6000);
    const pieces = markdownPieces(text);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(pieces.filter(({ isLeftOut }) => isLeftOut)).toEqual([]);
  });
  it('ED75: definitions keep the text whole', () => {
    const text = '# A\n[x]\n# B\n[x]: https://example.com\n';
    expect(markdownBlocks(text)).toEqual([text]);
  });
  it('ED75: joined, the pieces are the text', () => {
    const piece = fc.constantFrom('# A', '```', '~~~', '\n', 'text', '  ', '## B');
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(markdownBlocks(pieces.join('')).join('')).toBe(pieces.join(''));
      }),
    );
  });
  it.each(['[[a]]', '[', '![', '*a', '_', '`', '<a ', '> ', '- ', '[[a]]\n', 'a@b.c ', 'http://'])(
    'ED76: 100 KB of %j are not rendered',
    (piece) => {
      expect(markdownPieces(`# A\n\n${piece.repeat(100_000 / piece.length)}`)).toMatchObject([{ isLeftOut: true }]);
    },
  );
  it('ED76: only the costly piece is left out, and all beyond the limit is one', () => {
    const long = 'word '.repeat(100);
    const pieces = markdownPieces(`${long}\n# B\n${'[[b]]'.repeat(300)}\n# C\n${long}\n`);
    expect(pieces.map(({ isLeftOut }) => isLeftOut)).toEqual([false, true, false]);
    const large = markdownPieces(`# A\n${'word '.repeat(10_000)}\n`.repeat(5));
    expect(large.map(({ isLeftOut }) => isLeftOut)).toEqual([false, false, true]);
  });
  it('ED76: a long list of links is rendered', () => {
    const text = '- [one](a.md), [two](b.md) and `code`\n'.repeat(500);
    expect(markdownPieces(text).map(({ isLeftOut }) => isLeftOut)).toEqual([false]);
  });
  it('ED72: `[[name]]` becomes a link, outside links', () => {
    const tree = {
      type: 'root',
      children: [{ type: 'paragraph', children: [{ type: 'text', value: 'See [[a-b]] and [[ c ]].' }] }],
    };
    remarkSkillLinks()(tree);
    expect(tree.children[0]?.children.map(({ type }) => type)).toEqual(['text', 'link', 'text', 'link', 'text']);
    expect(JSON.stringify(tree)).toContain('lathe-skill:a-b');
    const linked = {
      type: 'root',
      children: [{ type: 'link', url: 'x', children: [{ type: 'text', value: '[[a]]' }] }],
    };
    const before = JSON.stringify(linked);
    remarkSkillLinks()(linked);
    expect(JSON.stringify(linked)).toBe(before);
  });
  it('numbers are short and honest', () => {
    expect([grouped(12345), percent(0.004), percent(0.25)]).toEqual(['12,345', '<1%', '25%']);
  });
});
