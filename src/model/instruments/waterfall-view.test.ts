import { describe, expect, it } from 'vitest';
import { CAUSES } from '../cache/explain/types.ts';
import type { CacheEntry, RecordedCall } from '../cache/types.ts';
import type { ToolUseBlock, Usage } from '../provider/types.ts';
import { setup, skillFile } from '../session/testing/setup.ts';
import { cacheClocks } from './cache-clocks.ts';
import { recordedRows } from './recording-rows.ts';
import { createRequestBodies } from './request-bodies.ts';
import { makeBody } from './testing/bodies.ts';
import { isAboutContent, verdictWords } from './verdict-words.ts';
import { witnessText, witnessWords } from './witness-words.ts';
import {
  firstToLookAt,
  notchOf,
  waterfallItems,
  type Verdict,
  wastedWrite,
  type WaterfallRow,
  waterfallRows,
  waterfallScale,
} from './waterfall-view.ts';

const usage = (read: number, written: number, uncached = 0): Usage => ({
  read,
  uncached,
  writes: { '5m': written },
  output: 50,
  cacheReported: true,
  partial: false,
});

const verdict = (cause: string, more: Partial<Verdict> = {}): Verdict => ({
  previous_request_id: 'r0',
  cause,
  partial: false,
  position: null,
  evidence: [],
  provider_said: null,
  usage_says: null,
  repair: '',
  certainty: 'sure',
  lost_tokens: 10,
  lost_usd: null,
  ...more,
});

const row = (key: string, more: Partial<WaterfallRow> = {}): WaterfallRow => ({
  key,
  number: key,
  source: 'session',
  depth: 0,
  nested: 0,
  turnId: 't',
  model: 'm',
  startedAt: 0,
  endedAt: undefined,
  chain: undefined,
  usage: undefined,
  status: 'completed',
  actual: { read: 0, written: 100, uncached: 10, output: 5 },
  predicted: undefined,
  isUncertain: false,
  costUsd: 0.1,
  verdict: undefined,
  kind: 'hit',
  notch: undefined,
  failure: undefined,
  modelChanged: false,
  ...more,
});

const call: ToolUseBlock = {
  type: 'tool_use',
  id: 'run1',
  name: 'run_metaskill',
  input: { name: 'loop', input: { task: 'x' } },
};
const files = {
  'skills/loop/SKILL.md': skillFile('loop', 'Input keys:\n\n- `task`: what to do'),
  'skills/loop/SKILL.star': 'def run(input):\n    return "ok"\n',
};

describe('rows', () => {
  it('WF1: requests are numbered, those of asks below the one before them', async () => {
    const { session, journal } = await setup({
      files,
      program: async ({ ask }) => {
        await ask('one');
        await ask('two');
        return 'ok';
      },
      script: [
        { content: [call], usage: usage(0, 500) },
        'First.',
        'Second.',
        { content: 'Done.', usage: usage(500, 20) },
      ],
    });
    await session.send('Go');
    const bodies = createRequestBodies(() => session.state, journal.byId);
    const rows = waterfallRows({ state: session.state, shareBefore: bodies.shareBefore });
    expect(rows.map(({ number, depth, nested }) => [number, depth, nested])).toEqual([
      ['1', 0, 2],
      ['1.1', 1, 0],
      ['1.2', 1, 0],
      ['2', 0, 0],
    ]);
    expect(rows[3]?.actual).toEqual({ read: 500, written: 20, uncached: 0, output: 50 });
    expect(bodies.segments(rows[0]?.key ?? '')?.segments.some(({ kind }) => kind === 'persona')).toBe(true);
    expect(bodies.sent('unknown')).toBeUndefined();
  });

  it('WF2: about content the notch is at the difference, else where reading ended', () => {
    const place = { label: 'system[0]', path: '', offset: 4, before: 'a', after: 'b' };
    expect(notchOf(usage(200, 800), verdict('tools-changed', { position: place }), 0.5)).toBe(500);
    expect(notchOf(usage(200, 800), verdict('ttl-expired', { position: place }), 0.5)).toBe(200);
    expect(notchOf(usage(0, 800), verdict('model-or-key-switch'), undefined)).toBe(0);
    expect(notchOf(usage(800, 0), verdict('hit'), undefined)).toBeUndefined();
    expect(notchOf(usage(0, 800), verdict('cold'), undefined)).toBeUndefined();
    expect(notchOf(undefined, verdict('ttl-expired'), undefined)).toBeUndefined();
  });

  it('WF3: a bridge is what was read, as far as the row above had it', () => {
    const rows = [
      row('1'),
      row('2', { actual: { read: 100, written: 30, uncached: 0, output: 1 }, nested: 1 }),
      row('2.1', { depth: 1, actual: { read: 90, written: 0, uncached: 0, output: 1 } }),
      row('3', { actual: { read: 500, written: 0, uncached: 0, output: 1 } }),
      row('4', { model: 'other', actual: { read: 500, written: 0, uncached: 0, output: 1 } }),
    ];
    const bridges = waterfallItems(rows, new Set()).map((item) => item.kind === 'request' && item.bridge);
    expect(bridges).toEqual([0, 100, 0, 130, 0]);
  });

  it('WF4: a verdict stands below its row, and asks of a folded request are left out', () => {
    const rows = [
      row('1', { nested: 1, kind: 'miss', verdict: verdict('ttl-expired') }),
      row('1.1', { depth: 1, kind: 'miss', verdict: verdict('tools-changed') }),
      row('2'),
    ];
    const kinds = (folded: readonly string[]) =>
      waterfallItems(rows, new Set(folded)).map((item) => `${item.kind} ${item.row.key}`);
    expect(kinds([])).toEqual(['request 1', 'verdict 1', 'request 1.1', 'verdict 1.1', 'request 2']);
    expect(kinds(['1'])).toEqual(['request 1', 'verdict 1', 'request 2']);
  });

  it('WF12: a pause is a line, and mixed conversations are drawn one below the other', () => {
    const pausing = [
      row('1', { endedAt: 2000 }),
      row('2', { startedAt: 61_000, endedAt: 61_500 }),
      row('3', { startedAt: 122_000 }),
    ];
    expect(waterfallItems(pausing, new Set()).map((item) => (item.kind === 'pause' ? item.ms : item.row.key))).toEqual([
      '1',
      '2',
      60_500,
      '3',
    ]);
    const main = { id: 'a', kind: 'main' } as const;
    const sub = { id: 'b', kind: 'sub-agent' } as const;
    const mixed = [row('1', { chain: main }), row('2', { chain: sub }), row('3', { chain: main })];
    const names = (folded: readonly string[]) =>
      waterfallItems(mixed, new Set(folded)).map((item) => (item.kind === 'chain' ? item.chain.name : item.row.key));
    expect(names([])).toEqual(['main', '1', '3', 'sub-agent', '2']);
    expect(names(['a'])).toEqual(['main', 'sub-agent', '2']);
  });

  it('WF13: what was lost of a miss is a wasted write, as far as it was written', () => {
    const lost = (kind: 'miss' | 'waste', lost_tokens: number) =>
      wastedWrite(row('1', { kind, verdict: verdict('ttl-expired', { lost_tokens }) }));
    expect([lost('miss', 40), lost('miss', 400), lost('waste', 40)]).toEqual([40, 100, 0]);
  });

  it('WF5: the scale holds the longest row', () => {
    const rows = [row('1'), row('2', { actual: { read: 0, written: 900, uncached: 0, output: 100 } })];
    expect(waterfallScale(rows)).toBeGreaterThan(1000);
    expect(waterfallScale([])).toBe(1);
  });

  it('WF10: the first miss is looked at first, else the last request', () => {
    const hits = [row('1'), row('2'), row('3')];
    expect(firstToLookAt([])).toBeUndefined();
    expect(firstToLookAt(hits)?.key).toBe('3');
    const missed = row('4', { kind: 'miss', verdict: verdict('ttl-expired') });
    expect(firstToLookAt([...hits, missed, row('5', { kind: 'miss' }), row('6')])?.key).toBe('4');
  });

  it('WF9: each witness speaks for itself', () => {
    const said = 'messages_changed at 812 tokens';
    expect(witnessWords(verdict('ttl-expired'))).toEqual({
      comparison: 'Nothing readable differs.',
      provider: 'said nothing about its cache.',
      usage: 'was not reported.',
    });
    const missed = verdict('history-edited', {
      evidence: ['Message 2 differs.', said],
      provider_said: `The provider says: ${said}.`,
      usage_says: '0 read.',
      repair: 'Append only.',
    });
    expect(witnessWords(missed).comparison).toBe('Message 2 differs.');
    expect(witnessText(row('3', { verdict: missed })).split('\n')).toEqual([
      'Request #3, m',
      '0 read, 100 written, 10 uncached, 5 output: $0.1000',
      'History edited. An earlier message was changed, removed, or inserted.',
      'Our comparison: Message 2 differs.',
      `The provider: ${said}.`,
      'The usage: 0 read.',
      'What to do: Append only.',
    ]);
  });

  it('WF8: every cause has a title and a sentence', () => {
    for (const cause of [...CAUSES, 'hit', 'cold']) {
      const { title, about } = verdictWords(cause);
      expect(title).not.toBe(cause);
      expect(about).toMatch(/\.$/);
    }
    expect(verdictWords('new-cause').title).toBe('Other cause');
    expect(verdictWords('model-or-key-switch', 'model').title).toBe('Model changed');
    expect(verdictWords('model-or-key-switch').title).toBe('Different cache');
    expect(isAboutContent('tool-order')).toBe(true);
  });
});

describe('recorded requests', () => {
  const recorded = (startedAt: number, more: Partial<RecordedCall> = {}): RecordedCall => ({
    provider: 'anthropic',
    wire: 'anthropic-messages',
    model: 'claude-haiku-4-5',
    body: makeBody({ stable: 'x'.repeat(40_000) }),
    startedAt,
    endedAt: startedAt + 1000,
    usage: usage(0, 10_000),
    ...more,
  });

  it('WF6: they come in the order of time, with prediction and verdict', async () => {
    const lapsed = recorded(600_000);
    const rows = await recordedRows([lapsed, recorded(1000), recorded(5000, { usage: usage(10_000, 0) })]);
    expect(rows.map(({ row: { number, verdict: said } }) => [number, said?.cause])).toEqual([
      ['1', 'chain-start'],
      ['2', 'hit'],
      ['3', 'ttl-expired'],
    ]);
    expect(rows[1]?.row.predicted?.read).toBeGreaterThan(9000);
    expect(rows[2]?.row).toMatchObject({ kind: 'miss', notch: 0, source: 'recording' });
    expect(rows[2]?.row.verdict?.previous_request_id).toBe('recorded-2');
  });

  it('WF6: a failed one has no verdict, and an aborted reading keeps what it has', async () => {
    const abort = new AbortController();
    const rows = await recordedRows([recorded(1, { failed: true }), recorded(2), recorded(3)], {
      signal: abort.signal,
      onRow: (done) => {
        if (done === 2) abort.abort();
      },
    });
    expect(rows).toHaveLength(2);
    expect(rows[0]?.row).toMatchObject({ status: 'failed', verdict: undefined });
  });
});

describe('entries', () => {
  const entry = (id: number, expiresAt: number, more: Partial<CacheEntry> = {}): CacheEntry => ({
    id,
    model: 'm',
    scope: 's',
    hash: 'h',
    tokens: 100,
    label: 'system[0]',
    ttl: '5m',
    writtenAt: 0,
    visibleAt: 0,
    expiresAt,
    lastUsedAt: 0,
    reads: 2,
    ...more,
  });

  it('WF7: each with the time that it has left, longest first', () => {
    const clocks = cacheClocks([entry(1, 100_000), entry(2, 350_000, { label: 'messages[3].content[0]' })], 200_000);
    expect(clocks.map(({ id, left, share, reaches }) => [id, left, share, reaches])).toEqual([
      [2, 150_000, 0.5, 'up to message 4'],
      [1, 0, 0, 'tools and stable prompt'],
    ]);
  });
});
