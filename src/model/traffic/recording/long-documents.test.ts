import { describe, expect, it } from 'vitest';
import { createLineSplitter } from './lines.ts';
import { createRecordingReader, readRecording } from './read-recording.ts';
import type { Recording } from './types.ts';

/** More than a document that is read as a whole. */
const FILLER = 'x'.repeat(1_000_000);
const entry = (index: number, filler: string) => ({
  startedDateTime: new Date(Date.UTC(2026, 10, 1, 10, 0, index)).toISOString(),
  time: 100,
  comment: filler,
  request: {
    method: 'POST',
    url: 'https://api.anthropic.com/v1/messages',
    headers: [],
    postData: {
      text: JSON.stringify({
        model: 'claude-opus-4-6',
        max_tokens: 9,
        messages: [{ role: 'user', content: `Hi ${index}` }],
      }),
    },
  },
  response: {
    status: 200,
    headers: [],
    content: {
      text: JSON.stringify({
        type: 'message',
        role: 'assistant',
        content: [],
        usage: { input_tokens: index, output_tokens: 1 },
      }),
    },
  },
});
const archive = (filler: string, indent: number): string =>
  JSON.stringify(
    { log: { version: '1.2', entries: Array.from({ length: 18 }, (_, at) => entry(at, filler)) } },
    null,
    indent,
  );

const read = (text: string): Recording => {
  const reader = createRecordingReader('a.har');
  const lines = createLineSplitter(reader.add, reader.addPart);
  for (let at = 0; at < text.length; at += 1 << 20) lines.add(text.slice(at, at + (1 << 20)));
  lines.end();
  return reader.end();
};
const told = ({ calls }: Recording) =>
  calls.map(({ body, usage, startedAt, source }) => ({ body, usage, startedAt, source }));

describe('documents that are too long to be held', () => {
  const short = readRecording(archive('', 0), 'a.har');

  it.each([
    ['in one line', 0],
    ['in many lines', 2],
  ])('TF21: gives the same calls entry by entry, %s', (_, indent) => {
    const long = read(archive(FILLER, indent));
    expect(long.faults).toEqual([]);
    expect(told(long)).toEqual(told(short));
  });

  it('TF21: a long document that is cut gives the entries before the cut, and says so', () => {
    const text = archive(FILLER, 0);
    const { calls, faults } = read(text.slice(0, text.length - 10));
    expect(calls).toHaveLength(17);
    expect(faults).toEqual([{ line: 18, message: expect.stringContaining('ends in the middle') as string }]);
  });
});
