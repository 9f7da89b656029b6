import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import type { Usage, Wire } from './types.ts';
import { mergeUsage, usageFromWire } from './usage.ts';

type Row = [name: string, wire: Wire, raw: Json, usage: Partial<Usage>];

describe('usageFromWire', () => {
  it.each<Row>([
    [
      'PV60: Anthropic with a split',
      'anthropic-messages',
      {
        input_tokens: 5,
        cache_read_input_tokens: 100,
        cache_creation_input_tokens: 30,
        cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
        output_tokens: 7,
        output_tokens_details: { thinking_tokens: 3 },
      },
      { uncached: 5, read: 100, writes: { '5m': 10, '1h': 20 }, output: 7, reasoning: 3, cacheReported: true },
    ],
    [
      'PV60: Anthropic without a split',
      'anthropic-messages',
      { input_tokens: 5, cache_creation_input_tokens: 30, output_tokens: 7 },
      { writes: { unknown: 30 }, read: 0, cacheReported: true },
    ],
    [
      'PV60: Anthropic with a split that is short of the sum',
      'anthropic-messages',
      { input_tokens: 5, cache_creation_input_tokens: 30, cache_creation: { ephemeral_5m_input_tokens: 10 } },
      { writes: { '5m': 10, unknown: 20 } },
    ],
    [
      'PV62: a server that speaks this wire without a cache',
      'anthropic-messages',
      { input_tokens: 5, output_tokens: 7 },
      { uncached: 5, read: 0, writes: {}, cacheReported: false },
    ],
    [
      'PV62: nothing read and nothing written is news',
      'anthropic-messages',
      { input_tokens: 5, output_tokens: 7, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
      { read: 0, writes: {}, cacheReported: true },
    ],
    [
      'PV61: Responses with writes of two lifetimes',
      'openai-responses',
      {
        input_tokens: 1000,
        input_tokens_details: {
          cached_tokens: 200,
          cache_write_tokens: 700,
          cache_write_tokens_details: { ttl_30m_tokens: 600, ttl_12h_tokens: 100 },
        },
        output_tokens: 9,
        output_tokens_details: { reasoning_tokens: 4 },
      },
      { uncached: 100, read: 200, writes: { '30m': 600, '12h': 100 }, output: 9, reasoning: 4 },
    ],
    [
      'PV61: Responses of an older model',
      'openai-responses',
      { input_tokens: 1000, input_tokens_details: { cached_tokens: 256 }, output_tokens: 9 },
      { uncached: 744, read: 256, writes: {}, cacheReported: true },
    ],
    [
      'PV61: never below zero',
      'openai-responses',
      { input_tokens: 10, input_tokens_details: { cached_tokens: 20 }, output_tokens: 1 },
      { uncached: 0, read: 20 },
    ],
    [
      'PV63: OpenRouter',
      'openai-chat',
      {
        prompt_tokens: 100,
        completion_tokens: 5,
        cost: 0.02,
        prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
      },
      { uncached: 10, read: 60, writes: { unknown: 30 }, charged: 0.02, cacheReported: true },
    ],
    [
      'PV63: OpenRouter with a key of one’s own, which the upstream charges',
      'openai-chat',
      { prompt_tokens: 9, cost: 0.01, is_byok: true, cost_details: { upstream_inference_cost: 0.12 } },
      { charged: 0.13 },
    ],
    [
      'PV63: OpenRouter with a key of one’s own, free of its own charge',
      'openai-chat',
      { prompt_tokens: 9, cost: 0, cost_details: { upstream_inference_cost: 0.12 } },
      { charged: 0.12 },
    ],
    [
      'PV63: OpenRouter, which tells what it paid itself',
      'openai-chat',
      { prompt_tokens: 9, cost: 0.13, is_byok: false, cost_details: { upstream_inference_cost: 0.12 } },
      { charged: 0.13 },
    ],
    [
      'PV63: a free model of OpenRouter',
      'openai-chat',
      { prompt_tokens: 9, cost: 0, cost_details: { upstream_inference_cost: null } },
      { charged: 0 },
    ],
    [
      'PV63: DeepSeek',
      'openai-chat',
      { prompt_tokens: 100, completion_tokens: 5, prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 },
      { uncached: 36, read: 64, cacheReported: true },
    ],
    [
      'PV63: Moonshot',
      'openai-chat',
      { prompt_tokens: 100, completion_tokens: 5, cached_tokens: 40 },
      { uncached: 60, read: 40, cacheReported: true },
    ],
    [
      'PV63: llama.cpp with timings only',
      'openai-chat',
      { timings: { cache_n: 90, prompt_n: 10, predicted_n: 4 } },
      { uncached: 10, read: 90, output: 4, cacheReported: true },
    ],
    [
      'PV63: llama.cpp with both',
      'openai-chat',
      { prompt_tokens: 100, completion_tokens: 4, timings: { cache_n: 90, prompt_n: 10, predicted_n: 4 } },
      { uncached: 10, read: 90, output: 4 },
    ],
    [
      'PV62: Ollama',
      'openai-chat',
      { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 },
      { uncached: 100, read: 0, writes: {}, output: 5, cacheReported: false },
    ],
    [
      'PV66: a compaction on the way counts',
      'anthropic-messages',
      {
        input_tokens: 229,
        output_tokens: 5,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
        iterations: [
          { type: 'compaction', input_tokens: 100, output_tokens: 131, cache_creation_input_tokens: 55_096 },
          { type: 'message', input_tokens: 229, output_tokens: 5, cache_creation_input_tokens: 0 },
        ],
      },
      { uncached: 329, read: 0, writes: { unknown: 55_096 }, output: 136, cacheReported: true },
    ],
    [
      'PV66: passes of messages are in the counts already',
      'anthropic-messages',
      {
        input_tokens: 4,
        output_tokens: 9,
        cache_read_input_tokens: 300,
        iterations: [
          { type: 'message', input_tokens: 2, output_tokens: 4, cache_read_input_tokens: 100 },
          { type: 'message', input_tokens: 2, output_tokens: 5, cache_read_input_tokens: 200 },
        ],
      },
      { uncached: 4, read: 300, output: 9 },
    ],
    [
      'PV65: counts that are none',
      'openai-chat',
      { prompt_tokens: 100, completion_tokens: -1, prompt_tokens_details: { cached_tokens: 'many' } },
      { uncached: 100, output: 0, cacheReported: false },
    ],
  ])('%s', (_name, wire, raw, usage) => {
    expect(usageFromWire(wire, raw)).toMatchObject({ ...usage, partial: false });
  });

  it.each([[null], [undefined], ['x'], [{}], [[1]], [{ input_tokens: null }]])('PV65: %j is not a usage', (raw) => {
    expect(usageFromWire('anthropic-messages', raw)).toBeUndefined();
    expect(usageFromWire('openai-responses', raw)).toBeUndefined();
    expect(usageFromWire('openai-chat', raw)).toBeUndefined();
  });
});

describe('mergeUsage', () => {
  it('PV64: later counts replace, what they leave out stays', () => {
    const start = {
      input_tokens: 5,
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 0 },
      output_tokens: 1,
    };
    const merged = mergeUsage(start, { input_tokens: null, cache_creation_input_tokens: 30, output_tokens: 80 });
    expect(usageFromWire('anthropic-messages', merged)).toMatchObject({
      uncached: 5,
      writes: { '5m': 30 },
      output: 80,
    });
    expect(mergeUsage(undefined, undefined)).toEqual({});
    expect(mergeUsage(start, null)).toEqual(start);
  });
});
