import { describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../../base/hash.ts';
import { explainCalls } from '../explainer.ts';
import { readRecording } from '../recording/read-recording.ts';

/** Keys come sorted here, so that plain JSON is what a digest covers. */
const digest = (value: object): string => sha256(JSON.stringify(value));

const GUIDE = 'Read the whole file before you edit it. '.repeat(600);
const at = (second: number): string => new Date(Date.UTC(2026, 10, 18, 9, 0, second)).toISOString();
const common = { isSidechain: false, parentUuid: null, sessionId: 's', version: '2.1.326' };
const shapeOf = (guide: string) => ({
  system: [
    { text: 'You are an agent.', type: 'text' },
    { text: guide, type: 'text' },
  ],
  tools: [{ description: 'Reads.', input_schema: { type: 'object' }, name: 'Read' }],
});
const blob = (text: string) => ({ content: [{ text, type: 'text' }], role: 'user' });
const shapeLine = (shape: object, shapeHash = digest(shape)) => ({
  type: 'api-request-shape',
  sessionId: 's',
  shapeHash,
  shape,
});
const blobLine = (message: object, hash = digest(message)) => ({
  type: 'api-request-blob',
  sessionId: 's',
  hash,
  message,
});
const requestLine = (
  id: string,
  second: number,
  shape: object,
  tail: readonly string[],
  last: number,
  more: object = {},
) => ({
  type: 'api-request',
  sessionId: 's',
  id,
  timestamp: at(second),
  querySource: 'sdk',
  shapeHash: digest(shape),
  params: { model: 'claude-sonnet-4-6', betas: ['b1'], max_tokens: 100 },
  keep: 0,
  tail,
  cacheControl: [
    { path: ['system', 1], value: { type: 'ephemeral' } },
    { path: ['messages', last, 'content', 0], value: { type: 'ephemeral' } },
  ],
  ...more,
});
const answerLine = (id: string, second: number, said: string, read: number, written: number) => ({
  ...common,
  uuid: `a${id}`,
  type: 'assistant',
  timestamp: at(second),
  requestRef: id,
  message: {
    id: `msg_${id}`,
    model: 'claude-sonnet-4-6',
    content: [{ text: said, type: 'text' }],
    usage: {
      input_tokens: 1,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written,
      cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
      output_tokens: 5,
    },
  },
});
const userLine = (second: number, content: string) => ({
  ...common,
  uuid: `u${second}`,
  type: 'user',
  timestamp: at(second),
  message: { role: 'user', content },
});

const first = blob('Hello, with all that was added to it');
const answered = { content: [{ text: 'Hi.', type: 'text' }], role: 'assistant' };
const second = blob('Go on.');

const session = (shape: object, later: object, read: number, blobs: readonly object[] = [blobLine(first)]): string =>
  [
    userLine(0, 'Hello'),
    shapeLine(shape),
    ...blobs,
    requestLine('r1', 1, shape, [digest(first)], 0),
    answerLine('r1', 2, 'Hi.', 0, 6000),
    userLine(3, 'Go on.'),
    ...(later === shape ? [] : [shapeLine(later)]),
    requestLine('r2', 4, later, [digest(answered), digest(second)], 2, { base: 'r1', keep: 1 }),
    answerLine('r2', 5, 'Done.', read, 6020 - read),
  ]
    .map((line) => JSON.stringify(line))
    .join('\n');

describe('whole requests in transcripts', () => {
  it('CC6: are put together from shape, messages and markers, with the lines of the conversation', () => {
    const shape = shapeOf(GUIDE);
    const { calls } = readRecording(session(shape, shape, 6000), 'a.jsonl');
    expect(calls.map(({ known, startedAt, betas }) => [known, startedAt, betas])).toEqual([
      ['exact', Date.parse(at(1)), ['b1']],
      ['exact', Date.parse(at(4)), ['b1']],
    ]);
    const marker = { type: 'ephemeral' };
    expect(JSON.parse(calls[1]?.body ?? '')).toEqual({
      model: 'claude-sonnet-4-6',
      betas: ['b1'],
      max_tokens: 100,
      system: [shape.system[0], { ...shape.system[1], cache_control: marker }],
      tools: shape.tools,
      messages: [first, answered, { role: 'user', content: [{ ...second.content[0], cache_control: marker }] }],
    });
    const request = calls[1]?.request?.();
    expect(request?.blocks.map(({ label, marker: own }) => [label, own?.ttl])).toEqual([
      ['tools[0]', undefined],
      ['system[0]', undefined],
      ['system[1]', '5m'],
      ['messages[0].content[0]', undefined],
      ['messages[1].content[0]', undefined],
      ['messages[2].content[0]', '5m'],
    ]);
    expect(explainCalls(calls).map(({ verdict: { cause, certainty } }) => [cause, certainty])).toEqual([
      ['chain-start', 'sure'],
      ['hit', 'sure'],
    ]);
  });

  it('CC6: what changed in system prompt or tools is named, and sure', () => {
    const later = shapeOf(`${GUIDE} Today is 2026-11-19.`);
    const { calls } = readRecording(session(shapeOf(`${GUIDE} Today is 2026-11-18.`), later, 0), 'a.jsonl');
    const verdict = explainCalls(calls)[1]?.verdict;
    expect([verdict?.kind, verdict?.position?.label, verdict?.certainty]).toEqual(['miss', 'system[1]', 'sure']);
  });

  it.each([
    ['missing', []],
    ['not what its digest says', [blobLine(blob('Something else'), digest(first))]],
  ])('CC6: a request with a message that is %s is reconstructed, and never sure', (_why, blobs) => {
    const shape = shapeOf(GUIDE);
    const { calls } = readRecording(session(shape, shape, 0, blobs), 'a.jsonl');
    expect(calls.map(({ known }) => known)).toEqual(['reconstructed', 'reconstructed']);
    expect(explainCalls(calls).map(({ verdict }) => verdict.certainty)).toEqual(['likely', 'likely']);
  });

  it('CC6: nothing is digested before somebody asks how well a body is known, and then each part once', () => {
    const shape = shapeOf(GUIDE);
    const recording = session(shape, shape, 6000);
    // Each digest is made of the bytes of one string.
    using digested = vi.spyOn(TextEncoder.prototype, 'encode');
    const { calls } = readRecording(recording, 'a.jsonl');
    expect(digested).not.toHaveBeenCalled();
    expect(calls.map(({ startedAt }) => startedAt)).toEqual([Date.parse(at(1)), Date.parse(at(4))]);
    expect(calls.map(({ known, body }) => [known, body.length > 0])).toEqual([
      ['exact', true],
      ['exact', true],
    ]);
    // A shape, a blob, and the four lines of the conversation.
    expect(digested).toHaveBeenCalledTimes(6);
  });
});
