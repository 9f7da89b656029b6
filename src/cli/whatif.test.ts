import { describe, expect, it } from 'vitest';
import { createFolder, runLathe } from './testing/run-lathe.ts';

const GUIDE = Array.from({ length: 300 }, (_, index) => `Rule ${index}: read the whole file.`).join('\n');
const line = (minute: number, read: number, written: number): string =>
  JSON.stringify({
    provider: 'anthropic',
    model: 'claude-opus-5',
    body: JSON.stringify({
      model: 'claude-opus-5',
      max_tokens: 10,
      system: [{ type: 'text', text: GUIDE, cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: `Question ${minute}` }],
    }),
    started_at: new Date(Date.UTC(2026, 10, 15, 10, minute)).toISOString(),
    usage: { input_tokens: 9, cache_creation_input_tokens: written, cache_read_input_tokens: read, output_tokens: 3 },
  });
/** Twenty minutes apart: every entry had expired. */
const calls = [line(0, 0, 3000), line(20, 0, 3000), line(40, 0, 3000)].join('\n');

type Figures = Record<'read' | 'written' | 'uncached' | 'output' | 'usd', number>;
interface Told {
  readonly recorded: Figures;
  readonly forecast: Figures;
  readonly requests: readonly { readonly recorded: Figures; readonly forecast: Figures }[];
}

describe('lathe whatif', () => {
  it('CLI1, WIF1: recomputes what was recorded, and forecasts another TTL', () => {
    using folder = createFolder({ 'calls.jsonl': calls });
    const told = (...more: readonly string[]): Told =>
      JSON.parse(runLathe(['whatif', 'calls.jsonl', '--json', ...more], folder.path).stdout) as Told;
    const same = told();
    expect(same.requests.map(({ forecast }) => forecast)).toEqual(same.requests.map(({ recorded }) => recorded));
    const hour = told('--ttl', '1h');
    expect(hour.requests.map(({ forecast }) => [forecast.read, forecast.written])).toEqual([
      [0, 3000],
      [3000, 0],
      [3000, 0],
    ]);
    // At 5 in, 10 written for an hour, 0.50 read, and 25 out for a million.
    expect(hour.forecast.usd).toBeCloseTo((27 * 5 + 3_000 * 10 + 6_000 * 0.5 + 9 * 25) / 1e6, 9);
    const text = runLathe(['whatif', 'calls.jsonl', '--ttl', '1h'], folder.path).stdout;
    expect(text).toContain('It would have saved $0.0232');
    expect(text).toContain('"cache_control":{"type":"ephemeral","ttl":"1h"}');
  });

  it('WIF23: another price alone is a difference', () => {
    using folder = createFolder({ 'calls.jsonl': line(0, 0, 4000) });
    const text = runLathe(['whatif', 'calls.jsonl', '--ttl', '1h'], folder.path).stdout;
    // 4,000 tokens written, at 10 instead of 6.25 for a million.
    expect(text).toContain('It would have cost $0.0150 more');
    expect(text).toContain('1 request of 1 would have been different');
  });

  it('CLI2: says how to fix a wrong option', () => {
    using folder = createFolder({ 'calls.jsonl': calls });
    for (const [option, value, said] of [
      ['--ttl', '2h', "invalid --ttl '2h'; expected 5m, 1h"],
      ['--model', 'nobody', "unknown --model 'nobody'"],
      ['--move', 'system[0]', "no changing value at 'system[0]'"],
    ] as const) {
      const ran = runLathe(['whatif', 'calls.jsonl', option, value], folder.path);
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(said)]);
    }
  });
});
