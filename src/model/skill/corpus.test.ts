/** Real skills, and many made like them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fixAll } from './fix.ts';
import { readSkill } from './skill.ts';
import { generateCorpus } from './testing/generated-corpus.ts';
import { PROFILES, type Diagnostic, type SkillInput } from './types.ts';

const isValid = (input: SkillInput): boolean => readSkill(input, 'strict').skill !== undefined;

const fixed = (input: SkillInput): SkillInput => fixAll(input, 'strict', { unsafe: true }).input;

/** Diagnostics whose range does not lie inside the file, under any profile. */
const outside = (input: SkillInput): Diagnostic[] =>
  PROFILES.flatMap((profile) => {
    const { document, diagnostics } = readSkill(input, profile);
    return diagnostics.filter(({ file, range }) => {
      const length = file === input.fileName ? document.text.length : (input.files?.get(file)?.text?.length ?? 0);
      return !(range.start >= 0 && range.start <= range.end && range.end <= length);
    });
  });

const CORPUS = new URL('../../../../shared/corpus/', import.meta.url);

const readCorpus = (): SkillInput[] =>
  readdirSync(CORPUS, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('SKILL.md'))
    .map((path) => {
      const parts = path.split(/[/\\]/);
      const content = new Uint8Array(readFileSync(new URL(parts.map(encodeURIComponent).join('/'), CORPUS)));
      return {
        content,
        fileName: 'SKILL.md',
        folder: parts.at(-2) ?? '',
        files: new Map([['SKILL.md', { size: content.length }]]),
      };
    });

// The corpus is 300 published SKILL.md files, collected to test the checks on real text. It is other people's text, so it is never part of the
// repository; where the folder is absent, these tests are skipped.
describe.runIf(existsSync(CORPUS))('300 real skills', () => {
  const corpus = existsSync(CORPUS) ? readCorpus() : [];

  it('are all there', () => {
    expect(corpus.length).toBe(300);
  });

  it('are read under every profile, with ranges inside their files', () => {
    expect(corpus.flatMap(outside)).toEqual([]);
  });

  it('become valid under strict', () => {
    const before = corpus.filter(isValid).length;
    const left = corpus.map(fixed).filter((input) => !isValid(input));
    // What only the author can shorten does not count.
    const beyondRepair = left.filter((input) =>
      readSkill(input, 'strict').diagnostics.every(
        ({ rule, severity }) => severity !== 'error' || rule === 'description-length',
      ),
    );
    expect(before).toBeLessThan(corpus.length);
    expect(left.length - beyondRepair.length).toBeLessThanOrEqual((corpus.length - beyondRepair.length) / 100);
  });

  it('keep their bodies when they are fixed', () => {
    for (const input of corpus)
      expect(readSkill(fixed(input), 'strict').document.body).toBe(readSkill(input, 'strict').document.body);
  });
});

describe('2,000 skills like those that people publish', () => {
  const corpus = generateCorpus(2000, 20_260_101);

  it('are as often valid under strict as real ones', () => {
    // Of 4,999 real ones 50.2% were.
    const share = corpus.filter(({ input }) => isValid(input)).length / corpus.length;
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(0.6);
  });

  it('have ranges inside their files', () => {
    expect(corpus.flatMap(({ input }) => outside(input))).toEqual([]);
  });

  it('become valid under strict, 99 of 100 that can be repaired', () => {
    const repairable = corpus.filter(({ beyondRepair }) => beyondRepair === undefined);
    expect(repairable.length).toBeGreaterThan(corpus.length * 0.99);
    const left = repairable.map(({ input }) => fixed(input)).filter((input) => !isValid(input));
    expect(left.length).toBeLessThanOrEqual(repairable.length / 100);
  });

  it('lose nothing: fields that no specification knows are found under metadata', () => {
    for (const { input, extraFields, beyondRepair } of corpus) {
      if (beyondRepair !== undefined) continue;
      const { skill } = readSkill(fixed(input), 'strict');
      expect(Object.keys(skill?.metadata ?? {})).toEqual(expect.arrayContaining([...extraFields]));
    }
  });
});
