import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { listingIn, wholeListingIn } from '../clients/registry.ts';
import { listingEffects, spoilable, standingsIn, unlisted, type Standing } from './listing-effect.ts';
import type { CaseRecord } from './run/journal.ts';
import { knownSkills } from './run/loads.ts';
import { tallyOf } from './run/tally.ts';
import { fisher } from './statistics/fisher.ts';
import type { Suite, TriggerQuery } from './suite/types.ts';

const query = (id: string, expected?: readonly string[]): TriggerQuery => ({
  id,
  query: id,
  ...(expected && { expect: expected }),
  all: false,
  forbid: [],
  allow: [],
  tags: [],
  context: [],
  weight: 1,
  line: 1,
});
const suite: Suite = {
  defaults: { repeats: 5, maxTurns: 3 },
  queries: [
    query('lost', ['pdf']),
    query('same', ['pdf']),
    query('once', ['pdf']),
    query('whole', ['ocr']),
    query('free'),
  ],
};
const NAME_ONLY: Standing = { state: 'name-only', reason: 'No room.' };
const standings = new Map<string, Standing>([
  ['pdf', NAME_ONLY],
  ['ocr', { state: 'kept', reason: '' }],
]);
const runs = (id: string, hits: number, all: number): CaseRecord[] =>
  Array.from({ length: all }, (_, repeat) => ({
    key: `${id}${repeat}`,
    query: id,
    repeat,
    outcome: repeat < hits ? 'loaded' : 'bypassed',
    loaded: repeat < hits ? ['pdf'] : [],
    invented: [],
    turns: 1,
    usd: 0,
    text: '',
  }));

describe('what a budget does to picking', () => {
  it('EVB2: Fisher’s exact test agrees with sums by hand', () => {
    // The tea of R. A. Fisher: (16 + 1 + 16 + 1) of 70.
    expect(fisher({ hits: 3, runs: 4 }, { hits: 1, runs: 4 })).toBeCloseTo(34 / 70, 10);
    // Two of the 252 tables.
    expect(fisher({ hits: 5, runs: 5 }, { hits: 0, runs: 5 })).toBeCloseTo(2 / 252, 10);
    expect(fisher({ hits: 2, runs: 4 }, { hits: 2, runs: 4 })).toBeCloseTo(1, 10);
  });

  it('EVB1: only queries for skills whose text was cut are asked again', () => {
    expect(spoilable(suite, standings)?.queries.map(({ id }) => id)).toEqual(['lost', 'same', 'once']);
    expect(spoilable({ ...suite, queries: [query('whole', ['ocr'])] }, standings)).toBeUndefined();
  });

  it('EVB2: a skill that only the whole listing picks is lost; one run each cannot tell', () => {
    const whole = [...runs('lost', 5, 5), ...runs('same', 5, 5), ...runs('once', 1, 1), ...runs('whole', 1, 1)];
    const listed = [...runs('lost', 0, 5), ...runs('same', 5, 5), ...runs('once', 0, 1), ...runs('whole', 1, 1)];
    expect(listingEffects(suite, standings, tallyOf(whole), tallyOf(listed))).toMatchObject([
      { query: { id: 'lost' }, skill: 'pdf', ...NAME_ONLY, verdict: 'lost', whole: { hits: 5 }, listed: { hits: 0 } },
      { query: { id: 'once' }, verdict: 'cannot-tell' },
      { query: { id: 'same' }, verdict: 'same' },
    ]);
  });

  it('EVB2: many queries at the same time are corrected together', () => {
    // 4 of 5 against 0 of 5 has p = 1/21 alone: too much beside 19 others that show nothing.
    const ids = Array.from({ length: 20 }, (_, index) => `q${index}`);
    const many = { ...suite, queries: ids.map((id) => query(id, ['pdf'])) };
    const whole = ids.flatMap((id) => runs(id, 4, 5));
    const verdicts = (rest: number): readonly string[] =>
      listingEffects(
        many,
        standings,
        tallyOf(whole),
        tallyOf(ids.flatMap((id, index) => runs(id, index === 0 ? 0 : rest, 5))),
      ).map(({ verdict }) => verdict);
    expect(verdicts(4)).not.toContain('lost');
    expect(new Set(verdicts(0))).toEqual(new Set(['lost']));
  });

  it('EVB3: what the agent never lists is named with its reason', () => {
    const listing = { label: 'Codex', entries: [] };
    const absent = standingsIn(listing, [{ name: 'pdf', path: 'skills/pdf' }]);
    expect(unlisted(suite, absent)).toEqual([
      { skill: 'pdf', state: 'absent', reason: 'Codex doesn’t read its folder.' },
    ]);
  });

  it('EVB1, EVJ1: a skill has the name of its file, whatever the agent calls it', () => {
    const known = knownSkills([{ name: 'pdf', path: '.agents/skills/pdf-tools', alias: 'pdf-tools' }]);
    expect(known.named('pdf-tools')).toBe('pdf');
    expect(known.at('r0/pdf-tools/SKILL.md')).toBe('pdf');
  });

  it('CLN34: with room for all, nothing that only the budget cut is cut', async () => {
    const skill = (name: string): string => `---\nname: ${name}\ndescription: ${'Long words. '.repeat(70)}\n---\n`;
    const tree = createMemoryTree(
      Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => `skill-${index}`).flatMap((name) =>
          ['.claude/skills', '.agents/skills'].map((root) => [`${root}/${name}/SKILL.md`, skill(name)]),
        ),
      ),
    );
    for (const client of ['claude-code', 'codex', 'copilot'] as const) {
      const cut = await listingIn(client, { project: tree });
      const whole = await wholeListingIn(
        client,
        { project: tree },
        { settings: { skills: { max_context_tokens: 5 } } },
      );
      const states = (listing: typeof cut) =>
        new Set(listing.entries.map(({ state }) => state).filter((state) => state !== 'hidden'));
      expect(states(cut)).not.toEqual(new Set(['kept']));
      expect(states(whole)).toEqual(new Set(['kept']));
    }
  });
});
