/** Nothing in the reading is worse than linear: lines that backtracking is feared for, and many lines. */
import { describe, it } from 'vitest';
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

const readAndFix = (content: string): void => {
  readSkill(inputOf(content), 'standard');
  fixAll(inputOf(content), 'strict', { unsafe: true });
};

describe('long lines, and many lines', () => {
  it.each([...SLOW_PIECES, ...SLOW_LINES])('%j in the body', { timeout: SOON }, (piece) => {
    // Headings that links ask for, and something at the end that lets a greedy match fail.
    readAndFix(withBody(`[a](#b) [c](references/b.md#d)\n# ${filled(piece, LONG)}x`));
    // Of a file without frontmatter only the beginning is looked at for a description.
    readAndFix(`${filled(piece, FITS)}\nno frontmatter`);
  });

  it.each([...SLOW_PIECES, ...SLOW_LINES])('%j in the frontmatter', { timeout: SOON }, (piece) => {
    readAndFix(withFrontmatter(`name: ok\ndescription: d\n${filled(piece, FITS)}`));
  });

  it.each(SLOW_PIECES)('%j in quotes', { timeout: SOON }, (piece) => {
    const text = `"a ${filled(piece, FITS / 5).replace(/["\\]/g, "'")}x"`;
    readAndFix(
      withFrontmatter(
        `name: ${text}\ndescription: ${text}\nallowed-tools: ${text}\nmetadata:\n  a: ${text}\nx: ${text}`,
      ),
    );
  });
});
