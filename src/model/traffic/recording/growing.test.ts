import { createHash } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import { describe, expect, it } from 'vitest';
import { explainCalls } from '../explainer.ts';
import { createGrowingFile, type GrowingFile } from './growing.ts';
import { createRecordingReader } from './read-recording.ts';
import type { Recording } from './types.ts';

const bytes = (text: string): number => Buffer.byteLength(text);

/** Gives the file its text from where it wants to continue, in small pieces. */
const feed = (file: GrowingFile, text: string): Recording => {
  const rest = Buffer.from(text).subarray(file.from);
  const decoder = new StringDecoder('utf8');
  for (let at = 0; at < rest.length; at += 97) file.add(decoder.write(rest.subarray(at, at + 97)));
  return file.end();
};

const seen = ({ calls, faults }: Recording): unknown => [
  calls.map(({ id, startedAt, known, usage, source, response }) => [id, startedAt, known, usage, source, response]),
  faults,
  explainCalls(calls).map(({ verdict: { kind, cause } }) => [kind, cause]),
];

const whole = (text: string): unknown => {
  const reader = createRecordingReader('a.jsonl');
  for (const line of text.split('\n').slice(0, -1)) reader.add(line);
  return seen(reader.end());
};

const call = (index: number): string =>
  `${JSON.stringify({
    body: JSON.stringify({
      model: 'claude-haiku-4-5',
      max_tokens: 1,
      messages: [{ role: 'user', content: `ä ${index} 🙂` }],
    }),
    started_at: 1_794_816_000_000 + index,
    usage: { uncached: 3, read: 0, writes: {}, output: 1 },
  })}\n`;
const calls = (count: number): string => Array.from({ length: count }, (_, index) => call(index)).join('');

const sorted = (value: object): string => JSON.stringify(value);
const digest = (value: object): string => createHash('sha256').update(sorted(value)).digest('hex');
const at = (second: number): string => new Date(Date.UTC(2026, 10, 18, 9, 0, second)).toISOString();

/** Whole requests; each message is in the transcript's own lines, an answer in two. */
const transcript = (turns: number): string => {
  const shape = { system: [{ text: 'Read first. '.repeat(2000), type: 'text' }], tools: [] };
  const common = { isSidechain: false, parentUuid: null, sessionId: 's', version: '2.1.326' };
  const lines: object[] = [{ type: 'api-request-shape', sessionId: 's', shapeHash: digest(shape), shape }];
  for (let turn = 0; turn < turns; turn++) {
    const said = { content: [{ text: `Step ${turn}`, type: 'text' }], role: 'user' };
    const block = (part: string) => ({ text: `${part} of ${turn}`, type: 'text' });
    const answer = (of: number) => ({
      content: ['First', 'Rest'].map((part) => ({ text: `${part} of ${of}`, type: 'text' })),
      role: 'assistant',
    });
    lines.push({ ...common, uuid: `u${turn}`, type: 'user', timestamp: at(turn * 5), message: said });
    lines.push({
      type: 'api-request',
      sessionId: 's',
      id: `r${turn}`,
      timestamp: at(turn * 5 + 1),
      querySource: 'sdk',
      shapeHash: digest(shape),
      params: { model: 'claude-sonnet-4-6' },
      ...(turn > 0 && { base: `r${turn - 1}` }),
      keep: Math.max(0, 2 * turn - 1),
      tail: [...(turn > 0 ? [digest(answer(turn - 1))] : []), digest(said)],
      cacheControl: [{ path: ['messages', 2 * turn, 'content', 0], value: { type: 'ephemeral' } }],
    });
    for (const part of ['First', 'Rest'])
      lines.push({
        ...common,
        uuid: `a${turn}${part}`,
        type: 'assistant',
        timestamp: at(turn * 5 + 2),
        requestRef: `r${turn}`,
        message: {
          id: `msg_${turn}`,
          model: 'claude-sonnet-4-6',
          content: [block(part)],
          usage: {
            input_tokens: 1,
            cache_read_input_tokens: turn === 0 ? 0 : 6000 + turn * 20 - 20,
            cache_creation_input_tokens: turn === 0 ? 6000 : 20,
            output_tokens: 5,
          },
        },
      });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
};

describe('a file that grows', () => {
  it.each([
    ['recorded calls', calls(60), calls(90)],
    ['a transcript with whole requests', transcript(20), transcript(30)],
  ])('TF20: %s are read from where they ended, and give the same as immediately', (_what, short, long) => {
    const file = createGrowingFile('a.jsonl');
    expect(file.from).toBe(0);
    expect(seen(feed(file, short))).toEqual(whole(short));
    expect(bytes(short) - file.from).toBeLessThan(1000);
    expect(file.from).toBeGreaterThan(0);
    expect(seen(feed(file, long))).toEqual(whole(long));
    expect(file.isOther()).toBe(false);
  });

  it('TF20: an answer that was half there is whole, and its request exact, at the next look', () => {
    const text = transcript(30);
    const cut = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1);
    const file = createGrowingFile('a.jsonl');
    feed(file, cut);
    expect(file.from).toBeGreaterThan(0);
    const longer = transcript(31);
    expect(seen(feed(file, longer))).toEqual(whole(longer));
  });

  it('TF20: cut in a line, it is read from its start', () => {
    const file = createGrowingFile('a.jsonl');
    const text = calls(80);
    feed(file, text.slice(0, -20));
    expect(file.from).toBe(0);
  });

  it('TF20: too few lines to tell what it is, it is read from its start', () => {
    const file = createGrowingFile('a.jsonl');
    feed(file, calls(3));
    expect(file.from).toBe(0);
  });

  it.each([
    ['other text', (text: string) => text.replaceAll('ä', 'o')],
    ['less text', (text: string) => text.slice(0, 400)],
  ])('TF20: written again with %s, it is another file', (_what, change) => {
    const file = createGrowingFile('a.jsonl');
    feed(file, calls(60));
    feed(file, change(calls(90)));
    expect(file.isOther()).toBe(true);
  });

  it('TF20: a look that was broken off is not a place to continue from', () => {
    const file = createGrowingFile('a.jsonl');
    feed(file, calls(60));
    file.add(Buffer.from(calls(90)).subarray(file.from).toString().slice(0, 300));
    expect(file.from).toBe(0);
  });
});
