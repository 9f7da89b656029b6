import { expect, it } from 'vitest';
import { openRecorded, type RecordedFile, type RecordingProgress } from './opened-recording.ts';

const line = (startedAt: number, system: string): string =>
  JSON.stringify({
    provider: 'anthropic',
    model: 'claude-haiku-4-5',
    body: JSON.stringify({
      model: 'claude-haiku-4-5',
      max_tokens: 10,
      system,
      messages: [{ role: 'user', content: 'Hi' }],
    }),
    started_at: startedAt,
    usage: { input_tokens: 5, output_tokens: 3 },
  });

const fileOf = (text: string, cut: number): RecordedFile => ({
  name: 'calls.jsonl',
  size: text.length,
  pieces: async function* (from) {
    for (let at = from; at < text.length; at += cut)
      yield await Promise.resolve({ text: text.slice(at, at + cut), read: Math.min(text.length, at + cut) });
  },
});

const TEXT = [line(2000, 'Second'), 'not JSON', line(1000, 'First')].join('\n');

it('WF11: a file in pieces gives rows, faults, and bodies on request', async () => {
  const { calls, faults, segments } = await openRecorded(fileOf(TEXT, 7));
  expect(calls.map(({ row, usage }) => [row.key, row.startedAt, usage?.output])).toEqual([
    ['recorded-1', 1000, 3],
    ['recorded-2', 2000, 3],
  ]);
  expect(faults).toEqual(['line 2: the line is not JSON.']);
  expect(JSON.stringify(segments('recorded-1'))).toContain('First');
  expect(segments('recorded-9')).toBeUndefined();
});

it('WF11: progress counts bytes, then requests', async () => {
  const seen: RecordingProgress[] = [];
  await openRecorded(fileOf(TEXT, 200), { onProgress: (progress) => seen.push(progress) });
  const reading = seen.filter(({ step }) => step === 'reading');
  expect(reading.at(-1)).toEqual({ step: 'reading', done: TEXT.length, total: TEXT.length });
  expect(seen.slice(reading.length)).toEqual(
    [0, 1, 2].map((done): RecordingProgress => ({ step: 'explaining', done, total: 2 })),
  );
});

it('WF11: canceling stops it', async () => {
  const abort = new AbortController();
  const opening = openRecorded(fileOf(TEXT, 7), { signal: abort.signal, onProgress: () => abort.abort() });
  await expect(opening).rejects.toThrow();
});
