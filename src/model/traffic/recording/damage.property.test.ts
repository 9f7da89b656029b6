import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainCalls } from '../explainer.ts';
import { createRecordingReader } from './read-recording.ts';
import { joinSources, type SourceFile } from './sources.ts';

const stamp = (second: number): string => new Date(Date.UTC(2026, 1, 1, 10, 0, second)).toISOString();
const usage = (n: number) => ({ input_tokens: 1000 + n, cached_input_tokens: n, output_tokens: 1 });

const transcript = Array.from({ length: 6 }, (_, n) => [
  JSON.stringify({
    type: 'user',
    parentUuid: null,
    isSidechain: false,
    sessionId: 's',
    uuid: `u${n}`,
    timestamp: stamp(n * 2),
    message: { role: 'user', content: `q${n}` },
  }),
  JSON.stringify({
    type: 'assistant',
    parentUuid: `u${n}`,
    isSidechain: false,
    sessionId: 's',
    uuid: `a${n}`,
    timestamp: stamp(n * 2 + 1),
    message: {
      id: `m${n}`,
      model: 'claude-haiku-4-5',
      content: [{ type: 'text', text: `t${n}` }],
      usage: { input_tokens: 3, cache_read_input_tokens: 5000 + n, cache_creation_input_tokens: 9, output_tokens: 2 },
    },
  }),
]).flat();
const rollout = [
  JSON.stringify({ timestamp: stamp(0), type: 'session_meta', payload: { id: 'x', session_id: 'x' } }),
  JSON.stringify({ timestamp: stamp(0), type: 'turn_context', payload: { model: 'gpt-5.2' } }),
  ...Array.from({ length: 6 }, (_, n) => [
    JSON.stringify({
      timestamp: stamp(n * 2),
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: `q${n}` },
    }),
    JSON.stringify({
      timestamp: stamp(n * 2 + 1),
      type: 'response_item',
      payload: { type: 'message', role: 'assistant', content: `t${n}` },
    }),
    JSON.stringify({
      timestamp: stamp(n * 2 + 1),
      type: 'token_usage_record',
      payload: { response_id: `r${n}`, usage: usage(6000 + n) },
    }),
  ]).flat(),
];
const raw: readonly (readonly [string, string])[] = Array.from({ length: 4 }, (_, n) => {
  const messages = Array.from({ length: n }, (_unused, i) => [
    { role: 'user', content: `q${i}` },
    { role: 'assistant', content: [{ type: 'text', text: `t${i}` }] },
  ]).flat();
  return [
    [
      `d/${n}.request.json`,
      JSON.stringify({
        model: 'claude-haiku-4-5',
        max_tokens: 1,
        messages: [...messages, { role: 'user', content: `q${n}` }],
      }),
    ],
    [
      `d/req_${n}.response.json`,
      JSON.stringify({
        id: `b${n}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-haiku-4-5',
        content: [{ type: 'text', text: `t${n}` }],
        usage: { input_tokens: 3, cache_read_input_tokens: 7000 + n, output_tokens: 2 },
      }),
    ],
  ] as const;
}).flat();
const FILES: readonly (readonly [string, string])[] = [
  ['s.jsonl', transcript.join('\n')],
  ['rollout.jsonl', rollout.join('\n')],
  ...raw,
];
/** What any of the files says was read. */
const READS = new Set([0, ...[5000, 6000, 7000].flatMap((base) => Array.from({ length: 8 }, (_, n) => base + n))]);

const read = (file: string, text: string): SourceFile => {
  const reader = createRecordingReader(file);
  for (const line of text.split('\n')) reader.add(line);
  return { file, ...reader.end() };
};

type Damage = readonly [kind: 'cut' | 'drop' | 'swap' | 'mix' | 'noise', at: number, by: number];

const damaged = (text: string, other: string, [kind, at, by]: Damage): string => {
  const lines = text.split('\n');
  const place = Math.floor(at * lines.length);
  switch (kind) {
    case 'cut':
      return text.slice(0, Math.floor(at * text.length));
    case 'drop':
      return lines.filter((_, index) => index !== place).join('\n');
    case 'swap':
      return [...lines.slice(place), ...lines.slice(0, place)].join('\n');
    case 'mix':
      return lines.map((line, index) => `${line}\n${other.split('\n')[index] ?? ''}`).join('\n');
    case 'noise':
      return `${text.slice(0, Math.floor(at * text.length))}\u0000{"${text.slice(Math.floor(by * text.length))}`;
  }
};

describe('damaged files', () => {
  it('TF17: nothing throws, and nothing is invented', () => {
    const damage = fc.tuple(
      fc.constantFrom('cut' as const, 'drop' as const, 'swap' as const, 'mix' as const, 'noise' as const),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(damage, { minLength: FILES.length, maxLength: FILES.length }), (all) => {
        const files = FILES.map(([file, text], index) =>
          read(file, damaged(text, FILES[(index + 1) % FILES.length]?.[1] ?? '', all[index] as Damage)),
        );
        const { calls } = joinSources(files);
        expect(calls.length).toBeLessThanOrEqual(2 * (6 + 6 + 8));
        for (const call of calls) if (call.usage) expect(READS.has(call.usage.read)).toBe(true);
        for (const { verdict } of explainCalls(calls)) expect(verdict.kind).toBeTruthy();
      }),
      { numRuns: 150 },
    );
  });
});
