import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ledgerItems, ledgersOf, withRepairs } from '../ledger/ledger-items.ts';
import type { Call } from '../traffic/call.ts';
import { explainCalls } from '../traffic/explainer.ts';
import { repairsOf } from './repairs.ts';
import { BASE, play, prepared, type Script } from './testing/agent.ts';
import type { Policy } from './types.ts';
import { forecastUsd } from './whatif.ts';

const RUNS = 15;

const SCRIPT: Script = {
  words: 900,
  turns: [
    { pauseMs: 0, words: 300 },
    { pauseMs: 60_000, words: 200 },
    { pauseMs: 400_000, words: 200 },
    { pauseMs: 30_000, words: 100 },
  ],
  subAgents: [],
  firstByteMs: 800,
};

const weigh = async (calls: readonly Call[]) => {
  const ready = await prepared(calls);
  const items = ledgerItems(explainCalls(calls));
  const repairs = await repairsOf(items, () => Promise.resolve(ready));
  return { ready, items, ledgers: ledgersOf(withRepairs(items, repairs)) };
};

const together = (changes: readonly { readonly change?: string }[]): Policy =>
  Object.assign({}, ...changes.map(({ change = '{}' }) => JSON.parse(change) as Policy));

describe('what repairs save', () => {
  it.each([
    ['breakpoints that stand still', { ...BASE, mode: 'static' as const }],
    ['a pause longer than the TTL', { ...BASE, mode: 'rolling' as const }],
    ['both', { ...BASE, mode: 'static' as const, isSorted: false }],
    ['a value that changes', { ...BASE, mode: 'rolling' as const, value: 'line' as const }],
  ])(
    'WIF22: the best change of the ledger saves what its switch saves, and all of them what all do: %s',
    async (_, policy) => {
      const { ready, ledgers } = await weigh(await play(SCRIPT, policy));
      const { total, chains, sources, days } = ledgers;
      const before = (await forecastUsd(ready, {})) ?? NaN;
      const worth = total.changes.filter(({ avoidable }) => avoidable.known > 0);
      const [best] = worth;
      expect(best?.change).toBeDefined();
      const alone = (await forecastUsd(ready, together([best ?? {}]))) ?? NaN;
      expect(best?.avoidable.usd).toBeCloseTo(before - alone, 9);
      const all = (await forecastUsd(ready, together(worth))) ?? NaN;
      expect(total.avoidable.usd).toBeCloseTo(before - all, 9);
      for (const groups of [[{ ledger: total }], chains, sources, days])
        for (const { ledger } of groups) {
          expect(ledger.necessary.known + ledger.avoidable.known).toBeCloseTo(ledger.paid.known, 9);
          expect(ledger.avoidable.known).toBeGreaterThanOrEqual(0);
          expect(ledger.necessary.known).toBeGreaterThanOrEqual(0);
        }
      for (const groups of [chains, sources, days])
        expect(groups.reduce((sum, { ledger }) => sum + ledger.avoidable.known, 0)).toBeCloseTo(
          total.avoidable.known,
          9,
        );
    },
  );

  it('WIF22: a change that costs more than it saves leaves nothing avoidable', async () => {
    // One short pause too long, and many long writes that an hour makes dearer.
    const script: Script = {
      ...SCRIPT,
      turns: [
        { pauseMs: 0, words: 3_000 },
        { pauseMs: 400_000, words: 9_000 },
        ...Array.from({ length: 5 }, () => ({ pauseMs: 20_000, words: 9_000 })),
      ],
    };
    const calls = await play(script, { ...BASE, mode: 'rolling' });
    const { ready, items, ledgers } = await weigh(calls);
    const [before, after] = [await forecastUsd(ready, {}), await forecastUsd(ready, { ttl: '1h' })];
    expect(after ?? 0).toBeGreaterThan(before ?? NaN);
    expect(items.some(({ verdict }) => verdict?.cause === 'ttl-expired')).toBe(true);
    expect(ledgers.total.avoidable.usd).toBe(0);
    expect(ledgers.total.changes).toMatchObject([{ cause: 'ttl-expired', avoidable: { usd: 0 } }]);
  });
});

const turn = fc.record({
  pauseMs: fc.constantFrom(0, 20_000, 60_000, 400_000, 4_000_000),
  words: fc.integer({ min: 10, max: 900 }),
});
const agent = fc.record({
  model: fc.constantFrom('claude-opus-4-6', 'claude-haiku-4-5'),
  mode: fc.constantFrom('static' as const, 'rolling' as const, 'automatic' as const, 'off' as const),
  ttl: fc.constantFrom('5m' as const, '1h' as const),
  isSorted: fc.boolean(),
  value: fc.constantFrom('block' as const, 'line' as const, 'moved' as const),
  padding: fc.constant(''),
  subAgents: fc.constantFrom('apart' as const, 'together' as const),
});

it('LED1, WIF22: of any recording the parts add up, no share is negative, and What if saves the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { minLength: 2, maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
      agent,
      async (turns, subAgents, policy) => {
        const { ready, ledgers } = await weigh(await play({ ...SCRIPT, turns, subAgents }, policy));
        const { total, chains, sources, days } = ledgers;
        for (const { ledger } of [{ ledger: total }, ...chains, ...sources, ...days]) {
          expect(ledger.necessary.known + ledger.avoidable.known).toBeCloseTo(ledger.paid.known, 9);
          expect(Math.min(ledger.necessary.known, ledger.avoidable.known)).toBeGreaterThanOrEqual(-1e-12);
        }
        for (const groups of [chains, sources, days])
          expect(groups.reduce((sum, { ledger }) => sum + ledger.avoidable.known, 0)).toBeCloseTo(
            total.avoidable.known,
            9,
          );
        const worth = total.changes.filter(({ change, avoidable }) => change !== undefined && avoidable.known > 0);
        const [best] = worth;
        if (!best) return;
        const saved = ((await forecastUsd(ready, {})) ?? NaN) - ((await forecastUsd(ready, together([best]))) ?? NaN);
        // The first change alone; where several wait for each other, it is a share of what they save together.
        expect(best.avoidable.known).toBeLessThanOrEqual(Math.max(saved, total.avoidable.known) + 1e-9);
        if (worth.length === 1 && total.changes.length === 1) expect(best.avoidable.known).toBeCloseTo(saved, 9);
      },
    ),
    { numRuns: RUNS },
  );
});
