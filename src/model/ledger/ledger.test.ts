import { describe, expect, it } from 'vitest';
import type { Usage } from '../provider/types.ts';
import { explainCalls } from '../traffic/explainer.ts';
import { readRecording } from '../traffic/recording/read-recording.ts';
import { ledgerItems, ledgersOf } from './ledger-items.ts';
import { ledgerOf } from './ledger.ts';
import type { LedgerItem, LedgerVerdict } from './types.ts';

const usage = (uncached: number, read: number, written: number, output: number, more: Partial<Usage> = {}): Usage => ({
  uncached,
  read,
  writes: { '1h': written },
  output,
  cacheReported: true,
  partial: false,
  ...more,
});
const HIT: LedgerVerdict = { kind: 'hit', cause: 'hit', place: '', repair: '', lostTokens: 0, lostUsd: 0 };
const miss = (cause: string, place: string, lostTokens: number, lostUsd: number | undefined): LedgerVerdict => ({
  kind: 'miss',
  cause,
  place,
  repair: `Repair ${place}.`,
  lostTokens,
  lostUsd,
});
let count = 0;
const item = (verdict: LedgerVerdict, own: Usage | undefined, more: Partial<LedgerItem> = {}): LedgerItem => ({
  key: String(++count),
  model: 'claude-opus-4-6',
  usage: own,
  isFailed: false,
  startedAt: 0,
  verdict,
  ...more,
});

/** The four bills of a session of Claude Code in February 2026; a tool server connected before the third one. */
const BILLS = [
  [3, 17_915, 7_883, 27],
  [1, 25_798, 208, 1],
  [3, 18_014, 8_490, 11],
  [47, 26_504, 1_115, 173],
] as const;
const transcript = BILLS.map(([uncached, read, written, output], index) => {
  const line = (more: object): string =>
    JSON.stringify({
      parentUuid: null,
      isSidechain: false,
      sessionId: 's',
      version: '2.1.39',
      uuid: `u${index}`,
      timestamp: new Date(Date.UTC(2026, 1, 10, 22, 57 + index)).toISOString(),
      ...more,
    });
  const content = [{ type: 'text', text: `Answer ${index}` }];
  const tokens = {
    input_tokens: uncached,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: written },
    output_tokens: output,
  };
  return [
    line({ type: 'user', message: { role: 'user', content: `Question ${index}` } }),
    line({ type: 'assistant', message: { id: `m${index}`, model: 'claude-opus-4-6', content, usage: tokens } }),
  ].join('\n');
}).join('\n');

describe('ledger', () => {
  it('LED1: a short session, counted by hand: necessary and avoidable are what was paid', () => {
    const { total, sources, chains, days } = ledgersOf(
      ledgerItems(explainCalls(readRecording(transcript, 'a.jsonl').calls)),
    );
    // Millionths of a dollar at 5 in, 10 written for an hour, 0.5 read, 25 out.
    const paid = 88_477.5 + 15_009 + 94_197 + 28_962;
    // The third read 18,014 of the 26,006 that the second had left, and wrote the rest again.
    const avoidable = (26_006 - 18_014) * 9.5;
    expect((total.paid.usd ?? 0) * 1e6).toBeCloseTo(paid, 3);
    expect((total.avoidable.usd ?? 0) * 1e6).toBeCloseTo(avoidable, 3);
    expect((total.necessary.usd ?? 0) * 1e6).toBeCloseTo(paid - avoidable, 3);
    expect([sources, chains, days].map((groups) => groups.map(({ ledger }) => ledger.paid.usd))).toEqual(
      [1, 2, 3].map(() => [total.paid.usd]),
    );
    expect(days[0]?.name).toBe('2026-02-10');
    expect(total.changes).toMatchObject([{ cause: 'not-recorded', requests: 1, tokens: 7_992, worst: '3' }]);
  });

  it('LED2: what a provider charged bounds what could be avoided', () => {
    const charged = usage(0, 0, 10_000, 0, { charged: 0.01 });
    expect(ledgerOf([item(miss('ttl-expired', '', 9_000, 0.08), charged)])).toMatchObject({
      paid: { usd: 0.01 },
      avoidable: { usd: 0.01 },
      necessary: { usd: 0 },
    });
  });

  it('LED3: unknown usage and unknown prices are unknown, beside the sum of what is known', () => {
    const ledger = ledgerOf([
      item(HIT, usage(1_000_000, 0, 0, 0)),
      item(HIT, undefined),
      item(miss('tools-changed', 'tools[0]', 100, undefined), usage(10, 0, 0, 0), { model: 'nobody-knows' }),
    ]);
    expect(ledger.paid).toEqual({ usd: undefined, known: 5, unknown: 2 });
    expect(ledger.avoidable).toEqual({ usd: undefined, known: 0, unknown: 2 });
    expect(ledger.changes[0]?.avoidable).toEqual({ usd: undefined, known: 0, unknown: 1 });
    expect(ledger.lostTokens).toBe(100);
  });

  it('LED4, LED7: a refused request is not billed, and an unknown verdict proves nothing', () => {
    const unknown: LedgerVerdict = { ...miss('not-recorded', '', 500, 1), kind: 'unknown' };
    const ledger = ledgerOf([item(HIT, undefined, { isFailed: true }), item(unknown, usage(1_000_000, 0, 0, 0))]);
    expect(ledger).toMatchObject({ failed: 1, unjudged: 1, paid: { usd: 5, unknown: 0 }, avoidable: { usd: 0 } });
  });

  it('LED5, LED6: the change that saves most is first, and the fewest that save most of it are counted', () => {
    const paid = usage(0, 0, 1_000_000, 0);
    const ledger = ledgerOf([
      item(miss('history-edited', 'messages[2].content[0]', 10, 1), paid),
      item(miss('ttl-expired', '', 1_000, 6), paid),
      item(miss('history-edited', 'messages[9].content[1]', 20, 2), paid),
      item(miss('history-edited', 'system[0]', 5, 0.5), paid),
    ]);
    expect(
      ledger.changes.map(({ cause, place, requests, avoidable }) => [cause, place, requests, avoidable.usd]),
    ).toEqual([
      ['ttl-expired', '', 1, 6],
      ['history-edited', 'messages', 2, 3],
      ['history-edited', 'system[0]', 1, 0.5],
    ]);
    expect(ledger.changes[1]?.repair).toBe('Repair messages[9].content[1].');
    expect(ledger.causes.map(({ cause, requests }) => [cause, requests])).toEqual([
      ['ttl-expired', 1],
      ['history-edited', 3],
    ]);
    // 6 of 9.5 are less than 80%, 9 are more.
    expect(ledger.enough).toBe(2);
    expect(ledgerOf([]).enough).toBe(0);
  });
});
