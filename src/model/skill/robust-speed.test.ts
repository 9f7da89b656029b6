/** Nothing in the reading is worse than linear: lines that backtracking is feared for, and many lines. */
import { describe, expect, it } from 'vitest';
import { fixAll } from './fix.ts';
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
