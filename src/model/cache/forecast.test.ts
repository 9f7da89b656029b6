import { describe, expect, it } from 'vitest';
import { createMemoryTokenizer } from '../../platform/tokenizer/memory-tokenizer.ts';
import type { Usage } from '../provider/types.ts';
import { createCacheModel, type CacheCall } from './engine.ts';
import { createRequestReader, forecast, forecastChange, forecastTurns, warmed, writtenIn } from './forecast.ts';
import { changeWords, shortChange } from './forecast-words.ts';
import { assistant, HAIKU, marker, MINUTE, OPUS, request, text, tool, user, type Fields } from './testing/calls.ts';

const tokensOf = (call: Pick<CacheCall, 'request'>): readonly number[] =>
  call.request.blocks.map((block) => Number(/@(\d+)/.exec(block.text)?.[1] ?? 10));

const callOf = (body: Fields, extra: Partial<CacheCall> = {}): CacheCall => {
  const read = request(body);
  return { request: read, tokens: tokensOf({ request: read }), startedAt: 0, scope: 'key', ...extra };
};

const bodyOf = (stable: string, said = 'hello @20', model = OPUS): Fields => ({
  model,
  tools: [tool('look @300', marker())],
  system: [text(stable, marker()), text('volatile @50')],
  messages: [user(said)],
});

const usage = (read: number, written: number, uncached: number): Usage => ({
  read,
  writes: { '5m': written },
  uncached,
  output: 5,
  cacheReported: true,
  partial: false,
});

describe('forecast', () => {
  it('FC2: blocks and hidden tokens add up to the prompt', () => {
    const told = forecast(createCacheModel(), callOf(bodyOf('stable @1000')));
    // 286 hidden ones of Opus 5, with automatic tool choice.
    expect(told.hidden).toBe(286);
    expect(told.blocks).toEqual([300, 1000, 50, 20]);
    expect(told.promptTokens).toBe(286 + 300 + 1000 + 50 + 20);
    expect(writtenIn(told)).toBe(286 + 300 + 1000);
    // 5 USD per million: 1,586 written at 1.25, 70 uncached.
    expect(told.usd).toBeCloseTo((1586 * 1.25 + 70) * 5e-6, 12);
  });

  it('FC1: changes nothing', () => {
    const cache = createCacheModel();
    const call = callOf(bodyOf('stable @1000'));
    expect(forecast(cache, call)).toEqual(forecast(cache, call));
    expect(cache.entries(0)).toEqual([]);
  });

  it('FC3: a change loses what the unchanged request would have read', () => {
    const cache = createCacheModel();
    cache.send(callOf(bodyOf('stable @1000'))).answered(10);
    const at = { startedAt: 1000 };
    const change = forecastChange(cache, callOf(bodyOf('stable @1000'), at), callOf(bodyOf('other @1100'), at));
    // The tools alone have 586 tokens, above the floor of 512: they are still read.
    expect(change.before.usage.read).toBe(1586);
    expect(change.after.usage).toMatchObject({ read: 586, writes: { '5m': 1100 } });
    expect(change.lost).toBe(1000);
    expect(change.extraUsd).toBeCloseTo((586 * 0.1 + 1100 * 1.25 - 1586 * 0.1) * 5e-6, 12);
    expect(changeWords(change, 'The next request')).toBe(
      '1,000 cached tokens are lost. The next request reads 586 and writes 1,100 tokens, $0.0064 more than without the change.',
    );
  });

  it('FC3: without anything cached nothing is lost', () => {
    const change = forecastChange(createCacheModel(), callOf(bodyOf('a @1000')), callOf(bodyOf('b @1000')));
    expect(change).toMatchObject({ lost: 0, extraUsd: 0 });
    expect(changeWords(change, 'The next request')).toBe(
      'Nothing is cached for it now, so nothing is lost. The next request reads 0 and writes 1,586 tokens, at the same price.',
    );
  });

  it('FC21: a change is said in the same words everywhere, with a price that is unknown as unknown', () => {
    const cache = createCacheModel();
    cache.send(callOf(bodyOf('stable @1000'))).answered(10);
    const at = { startedAt: 1000 };
    const change = forecastChange(cache, callOf(bodyOf('stable @1000'), at), callOf(bodyOf('other @1100'), at));
    expect(shortChange(change)).toBe('loses 1,000 cached tokens, +$0.0064');
    expect(shortChange({ ...change, extraUsd: undefined })).toBe('loses 1,000 cached tokens, price unknown');
    expect(changeWords({ ...change, extraUsd: undefined }, 'The next request')).toBe(
      '1,000 cached tokens are lost. The next request reads 586 and writes 1,100 tokens, price unknown.',
    );
    expect(changeWords({ ...change, extraUsd: -0.002 }, 'The next request')).toContain(
      ', $0.0020 less than without the change.',
    );
    expect(changeWords(undefined, 'The next request')).toContain('the next request reads and costs is unknown');
  });

  it('FC5: warming leaves the known history as it is', () => {
    const cache = createCacheModel();
    const call = callOf(bodyOf('stable @1000'), { startedAt: 5000 });
    expect(forecast(warmed(cache, call), call).usage.read).toBe(1586);
    expect(forecast(cache, call).usage.read).toBe(0);
  });

  it('FC6: turns read what the first one wrote', () => {
    const told = forecastTurns(callOf(bodyOf('stable @1000')), 3, MINUTE);
    expect(told.map(({ usage: { read } }) => read)).toEqual([0, 1586, 1586]);
  });

  it('reads and counts a body', async () => {
    const reader = createRequestReader(createMemoryTokenizer());
    const body = JSON.stringify({ model: HAIKU, system: 'x'.repeat(400), messages: [] });
    const read = await reader.read({ wire: 'anthropic-messages', body, startedAt: 0, scope: '', estimated: true });
    // 100 tokens by the memory tokenizer, times 1.05.
    expect(read).toMatchObject({ ok: true, value: { tokens: [105] } });
    expect(
      (await reader.read({ wire: 'anthropic-messages', body: '{', startedAt: 0, scope: '', estimated: true })).ok,
    ).toBe(false);
  });
});

describe('anchors', () => {
  const model = () => createCacheModel();
  const prefixOf = (cache: ReturnType<typeof model>, call: CacheCall, blocks: number): number => {
    const sizes = cache.sizes(call);
    return sizes.blocks.slice(0, blocks).reduce((sum, tokens) => sum + tokens, sizes.hidden);
  };

  it('FC10, FC11: a billed prefix has its billed count in every later request', () => {
    const cache = model();
    const first = callOf(bodyOf('stable @1000'), { estimated: true });
    cache.send(first).answered(10, usage(0, 1900, 90));
    expect(prefixOf(cache, first, 2)).toBe(1900);
    const next = callOf(
      { ...bodyOf('stable @1000'), messages: [user('hello @20'), assistant('yes @40'), user('more @500')] },
      { estimated: true, startedAt: 1000 },
    );
    expect(prefixOf(cache, next, 2)).toBe(1900);
    expect(cache.predict(next).usage.read).toBe(1900);
    cache.send(next).answered(1010, usage(1900, 0, 700));
    expect(prefixOf(cache, next, 2)).toBe(1900);
    expect(prefixOf(cache, first, 2)).toBe(1900);
    expect(cache.predict(next).promptTokens).toBe(2600);
    expect(cache.entries(1010).map(({ tokens }) => tokens)).toContain(1900);
  });

  it('FC11: another prompt follows the ratio of the newest bill', () => {
    const cache = model();
    cache.send(callOf(bodyOf('stable @1000'), { estimated: true })).answered(10, usage(0, 286 + 2600, 140));
    // (3,026 − 286) billed for 1,370 estimated ones: 2 each.
    expect(cache.sizes(callOf(bodyOf('other @1100'), { estimated: true })).blocks).toEqual([600, 2200, 100, 40]);
  });

  it('FC12: an implausible or partial bill anchors nothing', () => {
    const first = callOf(bodyOf('stable @1000'), { estimated: true });
    for (const bill of [
      usage(0, 9000, 0),
      { ...usage(0, 1900, 90), partial: true },
      { ...usage(0, 0, 1990), cacheReported: false },
    ]) {
      const cache = model();
      cache.send(first).answered(10, bill);
      expect(cache.sizes(first).blocks).toEqual([300, 1000, 50, 20]);
    }
  });

  it('FC13: counts never fall along a prompt', () => {
    const cache = model();
    const first = callOf(bodyOf('stable @1000'), { estimated: true });
    cache.send(first).answered(10, usage(0, 1900, 90));
    // The same prefix, billed for less than the tools alone would be.
    cache.send({ ...first, startedAt: 20 }).answered(30, usage(800, 0, 60));
    expect(cache.sizes(first).blocks.every((tokens) => tokens >= 0)).toBe(true);
  });
});
