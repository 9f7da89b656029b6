import { describe, expect, it } from 'vitest';
import { ledgerItems, ledgersOf, withRepairs } from '../ledger/ledger-items.ts';
import type { Call } from '../traffic/call.ts';
import { explainCalls } from '../traffic/explainer.ts';
import { repairsOf } from './repairs.ts';
import { BASE, play, prepared, type Script } from './testing/agent.ts';
import type { Policy } from './types.ts';
import { forecastUsd } from './whatif.ts';

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
