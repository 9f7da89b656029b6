import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readRecording } from './read-recording.ts';

const BODY = '{"model":"claude-haiku-4-5","max_tokens":9,"messages":[{"role":"user","content":"Grüße"}]}';
const USAGE = { input_tokens: 5, output_tokens: 2, cache_read_input_tokens: 40, cache_creation_input_tokens: 0 };
const ANSWER = JSON.stringify({ id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: USAGE });
const STREAM = `event: message_start\ndata: ${JSON.stringify({ type: 'message_start', message: JSON.parse(ANSWER) as object })}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n`;

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64');
const packed = (text: string) => ({ encoding: 'base64', text });
const har = (postData: object, content: object) => {
  const request = { method: 'POST', url: 'https://api.anthropic.com/v1/messages', headers: [], postData };
  const response = { status: 200, headers: [{ name: 'Content-Encoding', value: 'gzip' }], content };
  const entries = [{ startedDateTime: '2026-11-15T10:00:00.000Z', time: 900, request, response }];
  return readRecording(JSON.stringify({ log: { entries } }), 'a.har');
};

describe('HAR with packed bodies', () => {
  it.each([
    ['gzip', packed(base64(gzipSync(BODY))), packed(base64(gzipSync(ANSWER)))],
    ['deflate', { text: BODY }, packed(base64(deflateSync(ANSWER)))],
    ['a packed stream', { text: BODY }, packed(base64(gzipSync(STREAM)))],
    [
      'a stream that was cut inside a character',
      { text: BODY },
      packed(base64(Buffer.concat([Buffer.from(STREAM), Buffer.from([0xc3])]))),
    ],
    [
      'a replacement character',
      { text: BODY },
      packed(base64(ANSWER.replace('[]', '[{"type":"text","text":"\uFFFD"}]'))),
    ],
    ['a mark at the start', { text: BODY }, packed(base64(`\uFEFF${ANSWER}`))],
  ])('REC22: %s', (_name, postData, content) => {
    const { calls, faults } = har(postData, content);
    expect(faults).toEqual([]);
    expect(calls.map(({ body, usage, failed }) => [body, usage?.read, failed])).toEqual([[BODY, 40, undefined]]);
  });

  it.each([
    ['another way', base64(brotliCompressSync(ANSWER))],
    ['a cut', base64(gzipSync(ANSWER).subarray(0, 40))],
    ['a cut', base64(deflateSync(ANSWER).subarray(0, 40))],
    ['more than any answer', base64(gzipSync(Buffer.alloc(9_000_000)))],
  ])('REC22: packed in %s it has no usage, says so, and has not failed', (_name, text) => {
    const [call] = har({ text: BODY }, packed(text)).calls;
    expect([call?.usage, call?.failed]).toEqual([undefined, undefined]);
    expect(call?.notes?.join(' ')).toContain('compression');
  });

  it('TF17: an archive that was cut says so, once', () => {
    const { calls, faults } = readRecording('{"log":{"entries":[{"startedDateTime":"2026', 'a.har');
    expect(calls).toEqual([]);
    expect(faults.map(({ message }) => message)).toEqual([expect.stringContaining('may end in the middle')]);
  });
});
