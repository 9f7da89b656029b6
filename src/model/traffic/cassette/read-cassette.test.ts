import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { explainCalls } from '../explainer.ts';
import { readRecording } from '../recording/read-recording.ts';

const LONG = 'Read the whole file before you edit it. '.repeat(400);

const usage = (read: number, written: number): string =>
  JSON.stringify({
    id: 'msg_1',
    model: 'claude-sonnet-4-6',
    content: [{ type: 'text', text: 'Fine.' }],
    usage: {
      input_tokens: 3,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written,
      output_tokens: 2,
    },
  });

const body = (text: string): string =>
  JSON.stringify({
    model: 'claude-sonnet-4-6',
    max_tokens: 10,
    system: [{ type: 'text', text: LONG, cache_control: { type: 'ephemeral' } }],
    messages: [{ role: 'user', content: text }],
  });

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** As vcrpy writes it. */
const python = (request: string, answer: string, more = ''): string => `- request:
    body: ${quoted(request)}
    headers:
      x-api-key:
      - sk-secret-0001
    method: POST
    uri: https://api.anthropic.com/v1/messages?beta=true
  response:
    body:
      string: ${quoted(answer)}
    headers: {${more}}
    status:
      code: 200
      message: OK
`;

/** As VCR of Ruby writes it. */
const ruby = (request: string, answer: string, at: string): string => `- request:
    method: post
    uri: https://api.anthropic.com/v1/messages
    body:
      encoding: UTF-8
      string: ${quoted(request)}
  response:
    status:
      code: 200
    body:
      encoding: ASCII-8BIT
      string: ${quoted(answer)}
  recorded_at: ${at}
`;

const causes = (text: string): unknown =>
  explainCalls(readRecording(text, 'a.yaml').calls).map(({ verdict: { kind, cause } }) => [kind, cause]);

describe('cassettes of VCR', () => {
  it('VCR1: of Python: calls with their lines, other traffic is skipped', () => {
    const other = `- request:
    body: null
    method: GET
    uri: https://api.anthropic.com/v1/models
  response: {body: {string: '{}'}, status: {code: 200, message: OK}}
`;
    const text = `interactions:\n${other}${python(body('Hi'), usage(0, 4000))}${python(body('Hi'), usage(4000, 0))}version: 1\n`;
    const { calls, faults } = readRecording(text, 'any name');
    expect(faults).toEqual([]);
    expect(calls.map(({ source, model, provider, isTimeless }) => [source?.line, model, provider, isTimeless])).toEqual(
      [
        [7, 'claude-sonnet-4-6', 'anthropic', true],
        [21, 'claude-sonnet-4-6', 'anthropic', true],
      ],
    );
    expect(JSON.stringify(calls)).not.toContain('sk-secret');
    expect(causes(text)).toEqual([
      ['start', 'chain-start'],
      ['hit', 'hit'],
    ]);
  });

  it('VCR1: of Ruby, of Go and as JSON', () => {
    const first = ruby(body('Hi'), usage(0, 4000), 'Tue, 01 Apr 2025 12:00:00 GMT');
    const second = ruby(body('Hi'), usage(4000, 0), 'Tue, 01 Apr 2025 12:00:04 GMT');
    expect(causes(`---\nhttp_interactions:\n${first}${second}recorded_with: VCR 6.3.1\n`)).toEqual([
      ['start', 'chain-start'],
      ['hit', 'hit'],
    ]);
    const go = `---
version: 2
interactions:
    - id: 0
      request:
        body: ${quoted(body('Hi'))}
        url: https://api.anthropic.com/v1/messages
        method: POST
      response:
        body: ${quoted(usage(0, 4000))}
        code: 200
`;
    expect(readRecording(go, 'go.yaml').calls.map(({ usage: told }) => told?.writes)).toEqual([{ unknown: 4000 }]);
    const json = {
      version: 1,
      interactions: [
        {
          request: { method: 'POST', uri: 'https://api.anthropic.com/v1/messages', body: body('Hi') },
          response: { status: { code: 529 }, body: { string: '{"type":"error","error":{"type":"overloaded_error"}}' } },
        },
      ],
    };
    expect(readRecording(JSON.stringify(json), 'x.json').calls.map(({ failed }) => failed)).toEqual([true]);
  });

  it('VCR2: numbers of other versions of YAML are strings; references are whole in each place', () => {
    const text = `interactions:
- request:
    method: POST
    parsed_body:
      model: claude-sonnet-4-6
      messages: &id001
      - content: 7e12
        role: user
        y: 0o14
        on: 1.0e-05
    uri: https://api.anthropic.com/v1/messages
  response: {status: {code: 200}}
- request:
    method: POST
    parsed_body:
      model: claude-sonnet-4-6
      messages: *id001
    uri: https://api.anthropic.com/v1/messages
  response: {status: {code: 200}}
version: 1
`;
    const messages = [{ content: '7e12', role: 'user', y: '0o14', on: 0.00001 }];
    expect(
      readRecording(text, '').calls.map((call) => (JSON.parse(call.body) as { messages: unknown }).messages),
    ).toEqual([messages, messages]);
  });

  it.each([
    ['bytes of YAML', (packed: string) => `string: !!binary |\n        ${packed}`],
    ['text in base64', (packed: string) => `base64_string: ${packed}`],
  ])('VCR3: an answer that was recorded as gzip is unpacked: %s', (_what, holder) => {
    const answerOf = (bytes: Uint8Array): string => `interactions:
- request:
    method: POST
    body: ${quoted(body('Hi'))}
    uri: https://api.anthropic.com/v1/messages
  response:
    body:
      ${holder(Buffer.from(bytes).toString('base64'))}
    status: {code: 200}
version: 1
`;
    const packed = gzipSync(usage(4000, 12));
    expect(readRecording(answerOf(packed), '').calls[0]?.usage).toMatchObject({ read: 4000, uncached: 3 });
    for (const bad of [packed.subarray(0, packed.length - 20), gzipSync(new Uint8Array(8_100_000))]) {
      const [call] = readRecording(answerOf(bad), '').calls;
      expect(call?.usage).toBeUndefined();
      expect(call?.notes).toEqual([expect.stringContaining('compression')]);
    }
  });

  it('VCR3: a body that was an object is noted; a compressed answer has no usage', () => {
    const text = `interactions:
- request:
    method: POST
    parsed_body: {messages: [], model: claude-sonnet-4-6}
    uri: https://api.anthropic.com/v1/messages
  response:
    body:
      string: !!binary |
        H4sIAAAAAAAAAw==
    status: {code: 200}
version: 1
`;
    const { calls } = readRecording(text, '');
    expect(calls[0]?.usage).toBeUndefined();
    expect(calls[0]?.notes).toEqual([expect.stringContaining('sorted keys'), expect.stringContaining('compression')]);
  });

  it('VCR4: a miss that could be one of time is not judged where there are no times', () => {
    const again = python(body('Hi'), usage(0, 4000));
    expect(causes(`interactions:\n${again}${again}version: 1\n`)).toEqual([
      ['start', 'chain-start'],
      ['miss', 'not-recorded'],
    ]);
    const at = (minute: number): string => `Date: ['Tue, 01 Apr 2025 12:0${minute}:00 GMT']`;
    const timed = [0, 7].map((minute) => python(body('Hi'), usage(0, 4000), at(minute)));
    expect(causes(`interactions:\n${timed.join('')}version: 1\n`)).toEqual([
      ['start', 'chain-start'],
      ['miss', 'ttl-expired'],
    ]);
    expect(readRecording(`interactions:\n${timed[0]}${again}`, '').calls.map(({ isTimeless }) => isTimeless)).toEqual([
      true,
      true,
    ]);
  });

  it('VCR5: what is damaged is reported with its line; a cut file gives what is whole', () => {
    const good = python(body('Hi'), usage(0, 4000));
    const broken = '- request: {uri: "https://api.anthropic.com/v1/messages\n    nothing: ]\n';
    const { calls, faults } = readRecording(`interactions:\n${good}${broken}${good}`, '');
    expect(calls.map(({ source }) => source?.line)).toEqual([2, 18]);
    expect(faults).toEqual([{ line: 16, message: expect.stringContaining('not YAML') }]);
    const cut = readRecording(`interactions:\n${good}${good.slice(0, 400)}`, '');
    expect([cut.calls.length, cut.faults.map(({ line }) => line)]).toEqual([1, [16]]);
    expect(readRecording('interactions: []\nversion: 1\n', '').calls).toEqual([]);
  });

  it('VCR6: two cassettes that say the same do not continue with each other', () => {
    const text = (file: string) =>
      readRecording(`interactions:\n${python(body('Hi'), usage(0, 4000))}version: 1\n`, file).calls;
    const explained = explainCalls([...text('a.yaml'), ...text('b.yaml')]);
    expect(new Set(explained.map(({ chain }) => chain.id)).size).toBe(2);
    expect(explained.map(({ verdict }) => verdict.cause)).toEqual(['chain-start', 'chain-start']);
  });
});
