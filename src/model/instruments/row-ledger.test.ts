import { expect, it } from 'vitest';
import { ledgerOf } from '../ledger/ledger.ts';
import { rowItems } from './row-ledger.ts';
import type { WaterfallRow } from './waterfall-view.ts';

type Verdict = NonNullable<WaterfallRow['verdict']>;
const row = (key: string, status: WaterfallRow['status'], verdict?: object) => ({
  key,
  model: 'claude-opus-5',
  status,
  startedAt: 0,
  verdict: verdict as Verdict | undefined,
});
const usage = { uncached: 1_000_000, read: 0, writes: {}, output: 0, cacheReported: true, partial: false };

it('LED1, LED4: rows give the same numbers as a ledger of the recording, and running ones are left out', () => {
  const lost = {
    kind: 'miss',
    cause: 'ttl-expired',
    position: null,
    lost_tokens: 10,
    lost_usd: 2,
    repair: 'Wait less.',
  };
  const rows = [row('a', 'completed', lost), row('b', 'running'), row('c', 'failed')];
  const ledger = ledgerOf(rowItems(rows, (key) => (key === 'a' ? usage : undefined)));
  expect(ledger).toMatchObject({
    requests: 2,
    failed: 1,
    paid: { usd: 5 },
    avoidable: { usd: 2 },
    necessary: { usd: 3 },
  });
  expect(ledger.changes).toMatchObject([{ cause: 'ttl-expired', repair: 'Wait less.', worst: 'a' }]);
});
