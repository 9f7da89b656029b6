import { describe, expect, it } from 'vitest';
import { readRecording } from '../recording/read-recording.ts';
import { captureSetups } from './agent-setup.ts';
import { captureHeader, captureLine, type CapturedExchange } from './capture-line.ts';

const exchange = (more: Partial<CapturedExchange> = {}): CapturedExchange => ({
  method: 'POST',
  url: 'http://127.0.0.1:1/v1/messages?key=abcdefgh1',
  requestHeaders: {
    authorization: 'Bearer tok-12345678',
    'x-claude-code-agent-id': 'a7',
    'x-claude-code-session-id': 's1',
  },
  responseHeaders: {},
  body: '{"model":"claude-haiku-4-5","messages":[{"role":"user","content":"my key is tok-12345678"}]}',
  answer: undefined,
  status: 200,
  startedAt: 5,
  firstByteAt: undefined,
  endedAt: 9,
  cut: undefined,
  problem: undefined,
  ...more,
});

describe('a line of a capture', () => {
  it('REC25: reads back, with the conversation of a sub-agent, and a stand-in of equal length for the key', () => {
    const line = captureLine(exchange()) ?? '';
    expect(line).not.toMatch(/tok-12345678|abcdefgh1/);
    const { calls, faults } = readRecording(`${captureHeader({ startedAt: 0, target: 'x' })}\n${line}\n`);
    expect(faults).toEqual([]);
    expect(calls).toMatchObject([
      { sessionId: 's1', conversation: { id: 'a7', kind: 'sub-agent' }, source: { line: 2 } },
    ]);
    expect(calls[0]?.body.length).toBe(exchange().body?.length);
  });

  it('REC25: holds no key of others either, such as that of a tool server, and stays JSON of the same length', () => {
    const body = JSON.stringify({
      model: 'claude-haiku-4-5',
      mcp_servers: [{ type: 'url', url: 'https://host/mcp', name: 's', authorization_token: 'tok_9f8e7d6c5b4a' }],
      tools: [
        { type: 'mcp', server_label: 's', headers: { 'X-Api-Key': 'zzzz1111yyyy' }, authorization: 'abcd1234efgh' },
      ],
      messages: [{ role: 'user', content: 'OPENAI_API_KEY=sk-proj-Ab3dEfGhIjKlMnOp and jane@doe.dev' }],
    });
    const answer = '{"error":{"message":"Incorrect API key provided: sk-other-1234567890abc."}}';
    const line = captureLine(exchange({ body, answer })) ?? '';
    expect(line).not.toMatch(/9f8e7d6c5b4a|zzzz1111|abcd1234|Ab3dEfGh|1234567890abc/);
    const kept = JSON.parse(line) as { body: string; response: string };
    expect([kept.body.length, kept.response.length]).toEqual([body.length, answer.length]);
    expect(JSON.parse(kept.body)).toMatchObject({ mcp_servers: [{ name: 's' }] });
    // Addresses of people are masked where something is exported.
    expect(line).toContain('jane@doe.dev');
  });

  it('REC25: leaves out what could not be read, and its first line always has one length', () => {
    expect(captureLine(exchange({ body: undefined }))).toBeUndefined();
    const state = { startedAt: 0, target: `https://${'x'.repeat(900)}` };
    const stopped = { at: 0, requests: 3, why: 'ü'.repeat(900) };
    expect(captureHeader({ ...state, stopped }).length).toBe(captureHeader(state).length);
    expect(readRecording(captureHeader({ ...state, stopped })).faults).toEqual([
      { line: 1, message: expect.stringContaining('after 3 requests') as string },
    ]);
  });
});

describe('what to set for an agent', () => {
  it('REC25: names a line for each agent that speaks to what comes after', () => {
    const url = 'http://127.0.0.1:4142';
    const lines = (...wires: ('anthropic' | 'openai')[]) => captureSetups(url, wires).map(({ agent }) => agent);
    expect(lines('anthropic')).toEqual(['Claude Code', 'Anthropic SDK', 'Others']);
    expect(lines('openai')).toEqual(['Codex', 'OpenAI SDK', 'Others']);
    for (const { line } of captureSetups(url)) expect(line).toContain(url);
  });
});
