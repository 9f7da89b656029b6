import { describe, expect, it } from 'vitest';
import type { SessionSettings } from '../event/catalog.ts';
import { CAUSES } from '../cache/explain/types.ts';
import { priceLines } from './price-lines.ts';
import { remedyTitle, remedyToPaste, settingRemedy } from './remedy.ts';
import type { Verdict, WaterfallRow } from './waterfall-view.ts';

const settings: SessionSettings = {
  provider: 'simulator',
  model: 'claude-sonnet-4-5',
  cache: { mode: 'static', ttl: { tools: '5m', system: '5m', messages: '5m' } },
  max_output_tokens: 1000,
  spending_limit_usd: null,
  token_limit: null,
  run_spending_limit_usd: null,
  run_token_limit: null,
};

const at = (label: string, before: string): Verdict['position'] => ({ label, path: '', offset: 0, before, after: '' });

describe('what to do', () => {
  it('RM1: every cause that something helps against has a short advice', () => {
    const without = CAUSES.filter((cause) => remedyTitle({ cause, position: null }) === undefined);
    expect(without).toEqual(['provider-eviction', 'hit', 'chain-start', 'compaction']);
    expect(remedyTitle({ cause: 'model-or-key-switch', position: at('model', 'm') })).toBe(
      'Keep one model per session',
    );
  });

  it('RM2: in a session of one’s own a press changes the setting, and says when it is set', () => {
    const expired = settingRemedy({ cause: 'ttl-expired', position: null }, settings);
    expect(expired?.change.cache?.ttl).toEqual({ tools: '1h', system: '1h', messages: '5m' });
    expect(expired?.isSet).toBe(false);
    const after = { ...settings, ...expired?.change };
    expect(settingRemedy({ cause: 'ttl-expired', position: null }, after)?.isSet).toBe(true);
    const back = settingRemedy({ cause: 'model-or-key-switch', position: at('model', 'claude-haiku-4-5') }, settings);
    expect(back?.change).toEqual({ model: 'claude-haiku-4-5' });
    expect(settingRemedy({ cause: 'tool-order', position: null }, settings)).toBeUndefined();
    expect(remedyToPaste({ cause: 'billing-header' })).toBe('CLAUDE_CODE_ATTRIBUTION_HEADER=0');
  });

  it('RM3: the bill adds up, and tells a wasted write from a necessary one', () => {
    const row = {
      model: 'claude-haiku-4-5',
      kind: 'miss',
      actual: { read: 1000, written: 500, uncached: 10, output: 20 },
      usage: { read: 1000, uncached: 10, writes: { '5m': 500 }, output: 20, cacheReported: true, partial: false },
      verdict: { lost_tokens: 400 },
    } as unknown as WaterfallRow;
    const lines = priceLines(row);
    expect(lines.map(({ kind, tokens }) => [kind, tokens])).toEqual([
      ['read', 1000],
      ['written', 100],
      ['wasted write', 400],
      ['uncached', 10],
      ['output', 20],
    ]);
    // A dollar in, five out per million; a read costs a tenth, a write a quarter more.
    expect(lines.reduce((sum, { usd }) => sum + (usd ?? 0), 0)).toBeCloseTo((100 + 625 + 10 + 100) / 1e6, 12);
    expect(priceLines({ ...row, usage: undefined })).toEqual([]);
  });
});
