import { expect, it } from 'vitest';
import { explainCalls } from '../traffic/explainer.ts';
import { readRecording } from '../traffic/recording/read-recording.ts';
import { compareRecordings } from './compare-recordings.ts';

const request = (system: string, minute: number, usage: object): string =>
  JSON.stringify({
    provider: 'anthropic',
    model: 'claude-haiku-4-5',
    started_at: `2026-11-18T10:0${minute}:00Z`,
    body: JSON.stringify({
      model: 'claude-haiku-4-5',
      max_tokens: 9,
      tools: [{ name: 'read_file', description: 'Reads a file.', input_schema: { type: 'object' } }],
      system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: 'Hi' }],
    }),
    usage,
  });
const usage = (read: number, written: number) => ({
  input_tokens: 10,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: written,
  output_tokens: 4,
});
const explained = (...lines: string[]) => explainCalls(readRecording(lines.join('\n')).calls);

it('CMR1: pairs requests in their order, with usage, price, and the first part that differs', () => {
  const { pairs, usd } = compareRecordings(
    explained(request('One.', 0, usage(0, 5000)), request('One.', 1, usage(5000, 0))),
    explained(request('Two.', 0, usage(0, 6000))),
  );
  expect(pairs).toMatchObject([
    {
      a: { usage: { read: 0, written: 5000, uncached: 10, output: 4 } },
      b: { usage: { written: 6000 } },
      differs: { title: 'system prompt', state: 'changed' },
    },
    { a: { usage: { read: 5000 } }, b: undefined, differs: undefined },
  ]);
  // $1 per million uncached, 1.25 for a write of five minutes, 0.10 for a read, and $5 for output.
  expect(usd.a).toBeCloseTo((10 + 5000 * 1.25 + 4 * 5 + 10 + 5000 * 0.1 + 4 * 5) / 1e6, 9);
  expect(usd.b).toBeCloseTo((10 + 6000 * 1.25 + 4 * 5) / 1e6, 9);
});

it('CMR2: what is unknown stays unknown', () => {
  const { pairs, usd } = compareRecordings(
    explained(request('One.', 0, {})),
    explained(request('One.', 0, usage(0, 5000))),
  );
  expect(pairs).toMatchObject([{ a: { usage: undefined, usd: undefined }, differs: undefined }]);
  expect(usd.a).toBeUndefined();
  expect(usd.b).toBeGreaterThan(0);
});
