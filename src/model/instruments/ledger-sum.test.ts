import { expect, it } from 'vitest';
import type { WaterfallRow } from './waterfall-view.ts';
import { ledgerSum } from './ledger-sum.ts';

type Verdict = NonNullable<WaterfallRow['verdict']>;
const row = (cause: Verdict['cause'], lost_tokens: number, lost_usd: number | null) => ({
  verdict: { cause, lost_tokens, lost_usd } as Verdict,
});

it('adds what was lost, and counts each cause once', () => {
  const rows = [row('ttl-expired', 100, 0.5), row('ttl-expired', 50, 0.25), row('tools-changed', 10, 1)];
  expect(ledgerSum(rows)).toEqual({ lostTokens: 160, lostUsd: 1.75, causes: 2 });
});

it('counts no cause that lost nothing, and knows no price where one is unknown', () => {
  expect(ledgerSum([row('ttl-expired', 0, null)])).toEqual({ lostTokens: 0, lostUsd: 0, causes: 0 });
  expect(ledgerSum([row('ttl-expired', 5, null), row('ttl-expired', 5, 1)]).lostUsd).toBeNull();
});
