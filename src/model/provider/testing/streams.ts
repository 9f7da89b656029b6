/** Streams in the order in which the providers send them, written from their documents and the types of the SDKs. */
import type { Json } from '../../../base/json.ts';

const ANTHROPIC_USAGE = {
  input_tokens: 12,
  cache_creation_input_tokens: 300,
  cache_read_input_tokens: 4000,
  cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
  output_tokens: 1,
};

export const anthropicStart = (more: { readonly [key: string]: Json } = {}): Json => ({
  type: 'message_start',
  message: {
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    model: 'claude-haiku-4-5-20251001',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: ANTHROPIC_USAGE,
    ...more,
  },
});

const delta = (index: number, value: Json): Json => ({ type: 'content_block_delta', index, delta: value });
const start = (index: number, content_block: Json): Json => ({ type: 'content_block_start', index, content_block });
const stop = (index: number): Json => ({ type: 'content_block_stop', index });

export const anthropicEnd = (reason = 'tool_use', output = 50): readonly Json[] => [
  {
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null },
    usage: {
      input_tokens: 12,
      cache_creation_input_tokens: 300,
      cache_read_input_tokens: 4000,
      output_tokens: output,
      output_tokens_details: { thinking_tokens: 20 },
      server_tool_use: null,
    },
  },
  { type: 'message_stop' },
];

export const ANTHROPIC_BLOCKS: readonly Json[] = [
  start(0, { type: 'thinking', thinking: '', signature: '' }),
  delta(0, { type: 'thinking_delta', thinking: 'Let me ' }),
  delta(0, { type: 'thinking_delta', thinking: 'see.' }),
  delta(0, { type: 'signature_delta', signature: 'EqQB' }),
  stop(0),
  start(1, { type: 'text', text: '' }),
  { type: 'ping' },
  delta(1, { type: 'text_delta', text: 'I rea' }),
  delta(1, { type: 'text_delta', text: 'd.' }),
  stop(1),
  start(2, { type: 'tool_use', id: 'toolu_01', name: 'read_file', input: {}, caller: { type: 'direct' } }),
  delta(2, { type: 'input_json_delta', partial_json: '' }),
  delta(2, { type: 'input_json_delta', partial_json: '{"path": "a' }),
  delta(2, { type: 'input_json_delta', partial_json: '.md"}' }),
  stop(2),
];

export const ANTHROPIC_STREAM: readonly Json[] = [anthropicStart(), ...ANTHROPIC_BLOCKS, ...anthropicEnd()];

export const ANTHROPIC_MESSAGE: Json = {
  id: 'msg_01',
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-4-5-20251001',
  content: [
    { type: 'thinking', thinking: 'Let me see.', signature: 'EqQB' },
    { type: 'text', text: 'I read.' },
    { type: 'tool_use', id: 'toolu_01', name: 'read_file', input: { path: 'a.md' }, caller: { type: 'direct' } },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { ...ANTHROPIC_USAGE, output_tokens: 50, output_tokens_details: { thinking_tokens: 20 } },
};

const REASONING = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [
    { type: 'summary_text', text: 'First.' },
    { type: 'summary_text', text: 'Second.' },
  ],
  encrypted_content: 'gAAA',
};
const OUTPUT = {
  id: 'ot_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'I read.', annotations: [] }],
};
const CALL = {
  id: 'fc_1',
  type: 'function_call',
  call_id: 'call_1',
  name: 'read_file',
  arguments: '{"path":"a.md"}',
  status: 'completed',
};

export const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  model: 'gpt-6-sol',
  status: 'completed',
  output: [REASONING, OUTPUT, CALL],
  prompt_cache_diagnostics: { type: 'cache_miss', reason: 'tools_changed', cache_missed_tokens: 900 },
  usage: {
    input_tokens: 5000,
    input_tokens_details: {
      cached_tokens: 3000,
      cache_write_tokens: 1500,
      cache_write_tokens_details: { ttl_30m_tokens: 1500, ttl_12h_tokens: 0 },
    },
    output_tokens: 60,
    output_tokens_details: { reasoning_tokens: 40 },
    total_tokens: 5060,
  },
} as const;

const item = (type: 'added' | 'done', output_index: number, value: Json): Json => ({
  type: `response.output_item.${type}`,
  output_index,
  item: value,
});

export const RESPONSES_STREAM: readonly Json[] = [
  { type: 'response.created', response: { id: 'resp_1', model: 'gpt-6-sol', status: 'in_progress', output: [] } },
  { type: 'response.in_progress', response: { id: 'resp_1', model: 'gpt-6-sol', status: 'in_progress', output: [] } },
  item('added', 0, { id: 'rs_1', type: 'reasoning', summary: [] }),
  {
    type: 'response.reasoning_summary_part.added',
    output_index: 0,
    summary_index: 0,
    part: { type: 'summary_text', text: '' },
  },
  { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'First.' },
  { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 1, delta: 'Sec' },
  { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 1, delta: 'ond.' },
  item('done', 0, REASONING),
  item('added', 1, { ...OUTPUT, status: 'in_progress', content: [] }),
  { type: 'response.content_part.added', output_index: 1, content_index: 0, part: { type: 'output_text', text: '' } },
  { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'I ' },
  { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: 'read.' },
  { type: 'response.output_text.done', output_index: 1, content_index: 0, text: 'I read.' },
  item('done', 1, OUTPUT),
  item('added', 2, { ...CALL, status: 'in_progress', arguments: '' }),
  { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"path":' },
  { type: 'response.function_call_arguments.delta', output_index: 2, delta: '"a.md"}' },
  { type: 'response.function_call_arguments.done', output_index: 2, arguments: '{"path":"a.md"}' },
  item('done', 2, CALL),
  { type: 'response.completed', response: RESPONSE },
];

const chunk = (value: Json, finish_reason: string | null = null): Json => ({
  id: 'gen-1',
  object: 'chat.completion.chunk',
  provider: 'Anthropic',
  model: 'anthropic/claude-haiku-4.5',
  choices: [{ index: 0, delta: value, finish_reason }],
});

const CHAT_USAGE = {
  prompt_tokens: 1000,
  completion_tokens: 30,
  total_tokens: 1030,
  cost: 0.0015,
  prompt_tokens_details: { cached_tokens: 700, cache_write_tokens: 200 },
  completion_tokens_details: { reasoning_tokens: 10 },
};

export const CHAT_STREAM: readonly Json[] = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ reasoning: 'Let ', reasoning_details: [{ type: 'reasoning.text', text: 'Let ', index: 0 }] }),
  chunk({ reasoning: 'me.', reasoning_details: [{ type: 'reasoning.text', text: 'me.', index: 0 }] }),
  chunk({ reasoning_details: [{ type: 'reasoning.text', text: '', signature: 'Eq', index: 0 }] }),
  chunk({ content: 'I re' }),
  chunk({ content: 'ad.' }),
  chunk({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'read_file', arguments: '' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '{"path":"a' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '.md"}' } }] }),
  chunk({ tool_calls: [{ index: 1, id: 'c2', type: 'function', function: { name: 'list_dir', arguments: '{}' } }] }),
  chunk({}, 'tool_calls'),
  { id: 'gen-1', object: 'chat.completion.chunk', model: 'anthropic/claude-haiku-4.5', choices: [], usage: CHAT_USAGE },
];

export const CHAT_MESSAGE: Json = {
  id: 'gen-1',
  object: 'chat.completion',
  provider: 'Anthropic',
  model: 'anthropic/claude-haiku-4.5',
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: 'I read.',
        reasoning: 'Let me.',
        reasoning_details: [{ type: 'reasoning.text', text: 'Let me.', signature: 'Eq', index: 0 }],
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a.md"}' } },
          { id: 'c2', type: 'function', function: { name: 'list_dir', arguments: '{}' } },
        ],
      },
    },
  ],
  usage: CHAT_USAGE,
};

/** As Anthropic and the Responses API write it: every event has its name. */
export const named = (events: readonly Json[]): string =>
  events.map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

/** As chat servers write it. */
export const unnamed = (events: readonly Json[]): string =>
  [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n'].join('');
