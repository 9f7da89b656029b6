import { describe, expect, it } from 'vitest';
import { readRecording } from './read-recording.ts';

const BODY = { model: 'claude-haiku-4-5', max_tokens: 5, system: 'S', messages: [{ role: 'user', content: 'Hi' }] };
const read = (...lines: unknown[]) => readRecording(lines.map((value) => JSON.stringify(value)).join('\n'));

describe('journals', () => {
  const header = (content: string) => ({ lathe: 'journal', version: 1, session_id: 's', content });
  const event = (id: string, type: string, payload: object | null, sensitivity: string) => ({
    id: `01JD000000000000000000000${id}`,
    timestamp: 1_000_000 * Number(id),
    session_id: 's',
    turn_id: null,
    parent_event_id: null,
    type,
    actor: 'agent',
    sensitivity,
    payload,
  });
  const facts = { request_id: 'r', model: 'claude-haiku-4-5', provider: 'anthropic' };
  const sent = (attempt: number, delta: object) => ({
    request_id: 'r',
    attempt,
    wire: 'anthropic-messages',
    url: 'https://example.com',
    ...delta,
  });
  const failed = {
    ...facts,
    error_class: 'server_error',
    error_code: '529',
    error_message_redacted: 'x',
    next_step: 'x',
    retry_count: 0,
    latency_ms: 5,
    final: false,
    usage: null,
    cost_usd: null,
  };
  const whole = { base_event_id: null, keep_start: 0, keep_end: 0, text: JSON.stringify(BODY) };

  it('REC12: a call for every attempt, with the end that is reported behind it', () => {
    const again = { base_event_id: event('2', '', {}, '').id, keep_start: whole.text.length, keep_end: 0, text: '' };
    const { calls, faults } = read(
      header('all'),
      event('1', 'llm.call_started', { ...facts, estimated_input_tokens: 1, is_worker: false }, 'private'),
      event('2', 'request.sent', sent(1, whole), 'private'),
      event('3', 'llm.call_failed', failed, 'pseudonymous'),
      event('4', 'request.sent', sent(2, again), 'private'),
      event('5', 'request.sent', sent(3, { ...again, base_event_id: 'lost' }), 'private'),
    );
    expect(calls).toEqual([
      expect.objectContaining({ body: whole.text, startedAt: 2000, endedAt: 2005, failed: true, sessionId: 's' }),
      expect.objectContaining({ body: whole.text, startedAt: 4000, model: 'claude-haiku-4-5' }),
    ]);
    expect(calls[1]?.failed).toBeUndefined();
    expect(calls.map(({ source }) => source?.line)).toEqual([3, 5]);
    expect(faults).toEqual([{ line: 6, message: expect.stringContaining('lacks a body') as string }]);
  });

  it('REC12: one without content says so', () => {
    const { calls, faults } = read(header('catalog'), event('2', 'request.sent', null, 'private'));
    expect(calls).toEqual([]);
    expect(faults).toEqual([{ line: 1, message: expect.stringContaining('without content') as string }]);
    expect(read({ ...header('all'), version: 99 }).faults[0]?.message).toContain('version 99');
  });
});
