import { describe, expect, it } from 'vitest';
import { explainCalls } from '../explainer.ts';
import { createRecordingReader, readRecording } from '../recording/read-recording.ts';
import { joinSources, type SourceFile } from '../recording/sources.ts';
import { codexConversation } from './conversation.ts';

let minute = 0;
const line = (type: string, payload: object) =>
  JSON.stringify({ timestamp: new Date(Date.UTC(2026, 10, 18, 17, minute++)).toISOString(), type, payload });
const meta = (more: object = {}) =>
  line('session_meta', {
    id: 'thread-1',
    session_id: 'thread-1',
    cli_version: '0.169.0',
    base_instructions: { text: 'You are Codex.' },
    ...more,
  });
const context = line('turn_context', { model: 'gpt-5.2' });
const user = (text: string) =>
  line('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
const said = (text: string) =>
  line('response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });
const call = line('response_item', { type: 'function_call', call_id: 'c1', name: 'exec_command', arguments: '{}' });
const output = line('response_item', { type: 'function_call_output', call_id: 'c1', output: 'README.md' });
const usage = (input: number, cached: number) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: 5,
  reasoning_output_tokens: 0,
});
const record = (id: string, input: number, cached: number) =>
  line('token_usage_record', { response_id: id, usage: usage(input, cached) });
const count = (total: number, input: number, cached: number) =>
  line('event_msg', {
    type: 'token_count',
    info: {
      total_token_usage: { input_tokens: total, output_tokens: 0 },
      last_token_usage: usage(input, cached),
    },
  });
const read = (...lines: readonly string[]) => readRecording(lines.join('\n'), 'rollout.jsonl');

describe('rollouts of Codex', () => {
  it('CDX1, CDX2: answers and calls between two inputs are one call, with the usage of its record', () => {
    const { calls, faults } = read(
      meta(),
      context,
      user('List the files'),
      said('I look.'),
      call,
      record('r1', 7000, 0),
      output,
      said('One file.'),
      record('r2', 7100, 6912),
    );
    expect(faults).toEqual([]);
    expect(calls.map(({ id, usage: used }) => [id, used?.read, used?.uncached])).toEqual([
      ['r1', 0, 7000],
      ['r2', 6912, 188],
    ]);
    expect(calls[0]?.known).toBe('reconstructed');
    expect(JSON.parse(calls[0]?.body ?? '').input).toHaveLength(2);
    expect(JSON.parse(calls[1]?.body ?? '').input).toHaveLength(5);
    const chains = new Set(explainCalls(calls).map(({ chain }) => chain.id));
    expect([...chains]).toEqual(['thread-1']);
  });

  it('CDX1: what Codex notes on an item for itself was not sent', () => {
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] };
    const { calls } = read(
      meta(),
      context,
      line('response_item', { ...item, internal_chat_message_metadata_passthrough: { turn_id: 't1' } }),
      said('Hi.'),
      record('r1', 10, 0),
    );
    expect(JSON.parse(calls[0]?.body ?? '').input.at(-1)).toEqual(item);
  });

  it('CDX2: without records a count is one request only where its total grew', () => {
    const { calls } = read(
      meta(),
      context,
      user('a'),
      said('A'),
      count(7000, 7000, 0),
      count(7000, 7000, 0),
      user('b'),
      said('B'),
      count(14_100, 7100, 6912),
      line('event_msg', { type: 'token_count', info: null }),
    );
    expect(calls.map(({ usage: used }) => used?.read)).toEqual([0, 6912]);
  });

  it('CDX3, CDX4: sub-agents, compactions, and what Codex asks for itself', () => {
    const { calls } = read(
      meta({ id: 'thread-2', parent_thread_id: 'thread-1', source: { subagent: { thread_spawn: {} } } }),
      context,
      user('a'),
      said('A'),
      record('r1', 7000, 0),
      record('r2', 7000, 6912),
      line('compacted', { message: 'Sum.', replacement_history: [{ type: 'message', role: 'user', content: 'Sum.' }] }),
      user('b'),
      said('B'),
      record('r3', 5000, 4000),
    );
    expect(calls.map(({ conversation, known }) => [conversation?.kind, known])).toEqual([
      ['sub-agent', 'reconstructed'],
      ['compaction', 'absent'],
      ['sub-agent', 'reconstructed'],
    ]);
    expect(calls[2]?.conversation).toMatchObject({ id: 'thread-2', parent: 'thread-1', isCompacted: true });
    expect(JSON.parse(calls[2]?.body ?? '').input).toHaveLength(3);
    expect(explainCalls(calls).map(({ verdict }) => verdict.kind)).not.toContain('miss');
  });

  it('CDX5: a cut last line is skipped, a broken one in the middle is reported once', () => {
    const lines = [meta(), context, user('a'), said('A'), record('r1', 7000, 0)];
    expect(read(...lines, '{"timestamp":"20').faults).toEqual([]);
    expect(read(...lines, '{"timest', user('b')).faults).toEqual([
      { line: 6, message: 'the line is not a JSON object.' },
    ]);
  });
});

const file = (name: string, value: unknown): SourceFile => {
  const reader = createRecordingReader(name);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  for (const part of text.split('\n')) reader.add(part);
  return { file: name, ...reader.end() };
};

describe('traces of Codex', () => {
  const event = (seq: number, payload: object) =>
    JSON.stringify({ schema_version: 2, seq, wall_time_unix_ms: 1000 + seq, thread_id: 'thread-1', payload });
  const trace = [
    event(1, { type: 'inference_started', inference_call_id: 'i', request_payload: { path: 'payloads/1.json' } }),
    event(2, {
      type: 'inference_completed',
      inference_call_id: 'i',
      response_id: 'r1',
      response_payload: { path: 'payloads/2.json' },
    }),
    event(3, { type: 'inference_started', inference_call_id: 'j', request_payload: { path: 'payloads/3.json' } }),
    event(4, { type: 'inference_failed', inference_call_id: 'j' }),
  ].join('\n');
  const body = { model: 'gpt-5.2', input: [{ role: 'user', content: 'a' }], tools: [] };

  it('CDX6: requests and answers are joined; one that failed has failed; the exact one wins over a rollout', () => {
    const { calls, faults, used } = joinSources([
      file('r/rollout.jsonl', [meta(), context, user('a'), said('A'), record('r1', 7000, 0)].join('\n')),
      file('t/trace.jsonl', trace),
      file('t/payloads/1.json', body),
      file('t/payloads/2.json', { response_id: 'r1', token_usage: usage(7000, 512), output_items: [] }),
    ]);
    expect(calls.map(({ id, usage: told, failed, known }) => [id, told?.read, failed, known])).toEqual([
      ['r1', 512, undefined, undefined],
      [undefined, undefined, true, 'absent'],
    ]);
    expect(calls[0]?.body).toBe(JSON.stringify(body));
    expect(faults).toMatchObject([{ file: 't/trace.jsonl', line: 3 }]);
    expect(used.has('t/payloads/3.json')).toBe(true);
  });

  it('CDX7: a request tells its thread', () => {
    const of = (turn: object) =>
      codexConversation({ client_metadata: { 'x-codex-turn-metadata': JSON.stringify(turn) } })?.conversation;
    expect(of({ thread_id: 't', thread_source: 'user' })).toEqual({ id: 't', kind: 'main' });
    expect(of({ thread_id: 't', session_id: 's', thread_source: 'subagent' })).toEqual({
      id: 't',
      kind: 'sub-agent',
      parent: 's',
    });
    expect(of({ thread_id: 't', request_kind: 'compaction' })).toMatchObject({ kind: 'compaction', parent: 't' });
    expect(codexConversation({ model: 'x' })).toBeUndefined();
  });
});
