/** Nothing in the reading is worse than linear: lines that backtracking is feared for, and many lines. */
import { describe, expect, it } from 'vitest';
import { fixAll } from './fix.ts';
import { outlineOf } from './language/outline.ts';
import { readSkill } from './skill.ts';
import { SLOW_LINES, SLOW_PIECES } from './testing/hostile-texts.ts';
import { withBody, withFrontmatter } from './testing/skill-case.ts';
import type { SkillInput } from './types.ts';

const FILES = new Map([
  ['SKILL.md', { size: 1 }],
  ['scripts/a.py', { size: 8, text: 'import x' }],
  ['references/b.md', { size: 8, text: '# B\n\n[a](c.md)\n' }],
]);

const inputOf = (content: string): SkillInput => ({
  content,
  fileName: 'SKILL.md',
  folder: 'ok',
  files: FILES,
  knownSkills: new Set(['ok']),
});

/** A third of what fits into frontmatter: every second character can be an error, each of which costs the YAML library some time. */
const FITS = 20_000;
const LONG = 200_000;
const filled = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** What takes a second when it is linear takes minutes when it is quadratic. */
const SOON = 20_000;

/** Whether it ends at all: the time that the test has is the measure. */
const ends = (content: string): boolean => {
  const { document } = readSkill(inputOf(content), 'standard');
  const { input } = fixAll(inputOf(content), 'strict', { unsafe: true });
  return document.text === content && input.fileName === 'SKILL.md';
};

describe('files that are many', () => {
  it('are looked for in each other only while that is little, and links are not looked for in each', () => {
    const text = 'word '.repeat(20_000);
    const files = new Map(
      Array.from({ length: 2000 }, (_, index) => [`scripts/f${index}.py`, { size: text.length, text }] as const),
    );
    const links = Array.from({ length: 20_000 }, (_, index) => `[a](references/g${index}/x.md)`).join('\n');
    const { diagnostics } = readSkill({ ...inputOf(withBody(links)), files }, 'standard');
    const rules = new Set(diagnostics.map(({ rule }) => rule));
    expect(rules).toContain('link-broken');
    expect(rules).not.toContain('orphan-file');
    const few = new Map([...files].slice(0, 3));
    expect(
      readSkill({ ...inputOf(withBody('# A')), files: few }, 'standard').diagnostics.map(({ rule }) => rule),
    ).toContain('orphan-file');
  });
});

describe('signs in a row', () => {
  it('never tries every way to divide them', () => {
    const front = `---\nname: ok\ndescription: Divides signs. Use it when there are many.\nmetadata:\n  a: "${'&'.repeat(120)} a"\n  b: &x c\n  d: !!str &y e\n---\n\n# A\n`;
    const { diagnostics } = readSkill(inputOf(front), 'strict');
    const texts = diagnostics
      .filter(({ rule }) => rule === 'yaml-anchor' || rule === 'yaml-tag')
      .map(({ range }) => front.slice(range.start, range.end));
    expect(texts).toContain('&x');
    expect(texts.join(' ')).toContain('!!str &y');
  });

  it('finds the outline of a heading of spaces', () => {
    expect(outlineOf(`# a${' #'.repeat(3000)} b\n## c ##  \n# ${' '.repeat(50_000)}x\n`)).toHaveLength(2);
  });
});

describe('long lines, and many lines', () => {
  it.each([...SLOW_PIECES, ...SLOW_LINES])('%j in the body', { timeout: SOON }, (piece) => {
    // Headings that links ask for, and something at the end that lets a greedy match fail.
    expect(ends(withBody(`[a](#b) [c](references/b.md#d)\n# ${filled(piece, LONG)}x`))).toBe(true);
  });

  it.each([...SLOW_PIECES, ...SLOW_LINES])('%j without frontmatter', { timeout: SOON }, (piece) => {
    expect(ends(`${filled(piece, FITS)}\nno frontmatter`)).toBe(true);
  });

  it.each([...SLOW_PIECES, ...SLOW_LINES])('%j in the frontmatter', { timeout: SOON }, (piece) => {
    expect(ends(withFrontmatter(`name: ok\ndescription: d\n${filled(piece, FITS)}`))).toBe(true);
  });

  it.each(SLOW_PIECES)('%j in quotes', { timeout: SOON }, (piece) => {
    const text = `"a ${filled(piece, FITS / 2).replace(/["\\]/g, "'")}x"`;
    const fields = ['name', 'description', 'allowed-tools', 'x'].map((name) => `${name}: ${text}`);
    expect(ends(withFrontmatter(`${fields.join('\n')}\nmetadata:\n  a: ${text}`))).toBe(true);
  });
});
