/** One example of every event, as a session would have it. */
import { createUlid } from '../../../base/ulid.ts';
import { createJournal, type Journal, type JournalDeps } from '../journal.ts';
import type { EventDraft, EventType, Payload } from '../types.ts';

export interface TestJournal extends Journal {
  /** Milliseconds go by. */
  readonly wait: (ms: number) => void;
}

export const testJournal = (more: Partial<JournalDeps> = {}): TestJournal => {
  let time = 1_700_000_000_000;
  const now = (): number => time;
  const journal = createJournal({ sessionId: 'sess_1', now, ulid: createUlid({ now, random: () => 0.5 }), ...more });
  return { ...journal, wait: (ms) => void (time += ms) };
};

const usage = { uncached: 10, read: 20, writes: { '5m': 30 }, output: 5, cacheReported: true, partial: false } as const;
const settings: Payload<'session.settings_changed'>['settings'] = {
  provider: 'simulator',
  model: 'claude-haiku-4-5',
  cache: { mode: 'static', ttl: { tools: '5m', system: '5m', messages: '5m' } },
  max_output_tokens: 4096,
  spending_limit_usd: null,
  token_limit: null,
  run_spending_limit_usd: null,
  run_token_limit: null,
};

/** Payloads whose private parts hold the word SECRET. */
const EXAMPLES: { readonly [T in EventType]: Payload<T> } = {
  'session.started': {
    workspace_path: 'demo',
    workspace_hash: 'h',
    initial_active_model: 'claude-haiku-4-5',
    routing_policy_version: '1',
  },
  'session.configured': {
    title: 'SECRET title',
    dialect: 'metis',
    padding: 'spec',
    metaskill_policy: 'local',
    settings,
    limits: { max_turns: 20, wall_clock_seconds: 300 },
    tools: [{ name: 'read_file', description: 'SECRET', inputSchema: { type: 'object' } }],
    segments: [{ kind: 'persona', id: 'persona', text: 'SECRET persona' }],
    preloaded: [],
    skills: [{ name: 'pdf', version: 'v', layer: 'project', source: 'workspace', tokens: 5, metaskill: false }],
    forked_from: null,
  },
  'session.settings_changed': { settings },
  'session.renamed': { title: 'SECRET title' },
  'session.resumed': { workspace_hash: 'h', last_event_id_at_resume: null },
  'session.ended': { disposition: 'completed', turn_count: 2, total_cost_usd: 0.001, duration_seconds: 12 },
  'turn.started': {
    user_message_hash: 'h',
    estimated_input_tokens: 1200,
    has_images: false,
    has_tool_calls_in_history: false,
    user_message_text_redacted: 'SECRET question',
    nested_in: null,
  },
  'turn.completed': {
    stop_reason: 'end_turn',
    llm_call_count: 2,
    tool_call_count: 1,
    total_input_tokens: 60,
    total_output_tokens: 5,
    total_cost_usd: null,
    wall_time_seconds: 1.5,
  },
  'turn.cancelled': { reason: 'user_cancel', partial_llm_calls: 1, partial_tool_calls: 0, message: 'stopped' },
  'llm.call_started': {
    model: 'claude-haiku-4-5',
    provider: 'simulator',
    estimated_input_tokens: 1200,
    request_id: 'r1',
    is_worker: false,
  },
  'request.sent': {
    request_id: 'r1',
    attempt: 1,
    wire: 'anthropic-messages',
    url: 'https://SECRET.example/v1/messages',
    base_event_id: null,
    keep_start: 0,
    keep_end: 0,
    text: '{"SECRET":1}',
  },
  'response.received': { request_id: 'r1', status: 200, text: 'SECRET', truncated: false },
  'llm.call_completed': {
    request_id: 'r1',
    model: 'claude-haiku-4-5',
    provider: 'simulator',
    input_tokens: 10,
    output_tokens: 5,
    cached_input_tokens: 20,
    cache_creation_input_tokens: 30,
    cost_usd: 0.000123,
    pricing_version: '1',
    latency_ms: 800,
    first_byte_ms: 100,
    stop_reason: 'end_turn',
    produced_tool_calls: 0,
    produced_thinking_blocks: 0,
    response_id: 'msg_1',
    upstream: null,
    attempts: 1,
    usage,
    diagnosis: null,
  },
  'llm.call_failed': {
    request_id: 'r2',
    model: 'claude-haiku-4-5',
    provider: 'simulator',
    error_class: 'rate_limit',
    error_code: 'overloaded',
    error_message_redacted: 'too many requests',
    next_step: 'wait',
    retry_count: 0,
    latency_ms: 20,
    final: true,
    usage: null,
    cost_usd: null,
  },
  'message.appended': {
    role: 'assistant',
    content: [
      { type: 'text', text: 'SECRET answer' },
      { type: 'tool_use', id: 'tu_1', name: 'skill_load', input: { name: 'pdf' } },
    ],
    partial: false,
  },
  'tool.called': {
    tool_use_id: 'tu_1',
    tool_name: 'skill_load',
    input_hash: 'h',
    input_size_bytes: 14,
    side_effects: 'read',
  },
  'tool.completed': {
    tool_use_id: 'tu_1',
    success: true,
    output_size_bytes: 2000,
    latency_ms: 3,
    files_modified: ['SECRET.md'],
    command_executed: null,
    metadata: { skill_id: 'pdf' },
  },
  'tool.failed': {
    tool_use_id: 'tu_2',
    error_class: 'timeout',
    error_message: 'SECRET took too long',
    latency_ms: 60_000,
  },
  'tool.input_invalid': { tool_use_id: 'tu_3', tool_name: 'read_file', validation_errors: ['path: is required'] },
  'tool.confirmation_requested': {
    tool_use_id: 'tu_4',
    tool_name: 'run_command',
    side_effects: 'execute',
    confirmation_request_id: 'q1',
    input_summary: '{"argv":["SECRET"]}',
    expires_at: 1,
    projected_modifications: null,
    command_summary: 'rm SECRET',
  },
  'tool.confirmation_resolved': {
    tool_use_id: 'tu_4',
    confirmation_request_id: 'q1',
    decision: 'deny',
    scope: null,
    reason: 'SECRET',
  },
  'skill.loaded': {
    skill_id: 'pdf',
    skill_version: 'v',
    load_reason: 'on_demand',
    load_size_tokens: 500,
    source: 'workspace',
    triggered_by_tool_use_id: 'tu_1',
  },
  'skill.refused': { skill_id: 'pdf', cap: 'count', message: 'activation budget exhausted' },
  'memory.updated': {
    file: 'SECRET/MEMORY.md',
    operation: 'add',
    before_hash: null,
    after_hash: 'h',
    before_size: 0,
    after_size: 20,
  },
  'metaskill.started': { tool_use_id: 'tu_5', name: 'loop', max_ask_calls: 5, max_command_calls: 10, notes: [] },
  'metaskill.step': {
    tool_use_id: 'tu_5',
    name: 'loop',
    kind: 'ask',
    label: 'SECRET label',
    range: null,
    started_at: 1,
    duration_ms: 700,
    ok: true,
    request: 'SECRET',
    response: 'SECRET',
    notes: [],
  },
  'metaskill.trace': {
    tool_use_id: 'tu_5',
    name: 'loop',
    kind: 'SECRET',
    data_json: '{"SECRET":1}',
    range: { line: 1, column: 1, endLine: 1, endColumn: 2 },
  },
  'metaskill.finished': {
    tool_use_id: 'tu_5',
    name: 'loop',
    status: 'ok',
    ask_calls: 1,
    command_calls: 0,
    duration_ms: 900,
  },
  'cache.predicted': {
    request_id: 'r1',
    uncached: 10,
    read: 20,
    writes: { '5m': 30 },
    floor: 4096,
    uncertain: false,
    breakpoints: [],
    faults: [],
  },
  'cache.explained': {
    request_id: 'r1',
    previous_request_id: null,
    kind: 'start',
    cause: 'chain-start',
    partial: false,
    position: { label: 'system', path: 'system.0', offset: 3, before: 'SECRET', after: 'SECRET' },
    evidence: ['SECRET evidence'],
    provider_said: 'SECRET',
    usage_says: null,
    repair: 'SECRET',
    certainty: 'sure',
    lost_tokens: 0,
    lost_usd: null,
  },
};

export const draftOf = <T extends EventType>(
  type: T,
  more: Partial<Payload<T>> = {},
  turnId: string | null = 'turn-1',
): EventDraft => ({ type, turnId, payload: { ...EXAMPLES[type], ...more } }) as unknown as EventDraft;

/** A journal with one event of every type, in the order of the catalog. */
export const fullJournal = (): TestJournal => {
  const journal = testJournal();
  for (const type of Object.keys(EXAMPLES) as EventType[]) journal.append(draftOf(type));
  return journal;
};
