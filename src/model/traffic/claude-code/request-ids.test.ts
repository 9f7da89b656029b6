import { describe, expect, it } from 'vitest';
import { explainCalls } from '../explainer.ts';
import { readRecording } from '../recording/read-recording.ts';

const SYSTEM = [
  { type: 'text', text: "You are Claude Code, Anthropic's official CLI for Claude." },
  { type: 'text', text: 'You are an interactive agent. '.repeat(400), cache_control: { type: 'ephemeral' } },
];
const bodyOf = (user: string) => ({
  model: 'claude-haiku-4-5',
  max_tokens: 100,
  system: SYSTEM,
  messages: [{ role: 'user', content: 'List the files.' }],
  metadata: { user_id: user },
});
const now = JSON.stringify({ device_id: 'd', account_uuid: 'a', session_id: 'one' });
const before = 'user_0f_account_a_session_two';
const usage = { input_tokens: 3, cache_read_input_tokens: 0, cache_creation_input_tokens: 3000, output_tokens: 9 };

describe('sessions of Claude Code', () => {
  it('RB4: a recorded line tells its session in its body, in the form of either version', () => {
    const lines = [now, before].map((user, index) =>
      JSON.stringify({ body: JSON.stringify(bodyOf(user)), started_at: 1_763_000_000_000 + index * 400, usage }),
    );
    const { calls } = readRecording(lines.join('\n'));
    expect(calls.map(({ sessionId }) => sessionId)).toEqual(['one', 'two']);
    expect(explainCalls(calls).map(({ verdict }) => verdict.kind)).toEqual(['start', 'start']);
  });

  it('RB4: what the line says of its session comes first', () => {
    const line = JSON.stringify({ body: bodyOf(now), started_at: 1_763_000_000_000, usage, session_id: 'said' });
    expect(readRecording(line).calls[0]?.sessionId).toBe('said');
  });

  it('RB4: in HAR, headers tell session and sub-agent', () => {
    const entry = (headers: readonly object[]) => ({
      startedDateTime: '2026-11-15T10:00:00.000Z',
      time: 900,
      request: {
        method: 'POST',
        url: 'https://api.anthropic.com/v1/messages',
        headers,
        postData: { text: JSON.stringify(bodyOf(now)) },
      },
      response: { status: 200, headers: [], content: { text: JSON.stringify({ type: 'message', usage }) } },
    });
    const named = [
      { name: 'X-Claude-Code-Session-Id', value: 's-9' },
      { name: 'X-Claude-Code-Agent-Id', value: 'a1' },
    ];
    const { calls } = readRecording(JSON.stringify({ log: { entries: [entry([]), entry(named)] } }), 'a.har');
    expect(calls.map(({ sessionId, conversation }) => [sessionId, conversation])).toEqual([
      ['one', undefined],
      ['s-9', { id: 'a1', kind: 'sub-agent' }],
    ]);
  });
});
