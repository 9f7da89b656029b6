/** Recorded calls for tests: bodies as a client would write them, usage as the provider would report it. */
import type { Json } from '../../../../base/json.ts';
import type { Usage } from '../../../provider/types.ts';
import type { RecordedCall } from '../../types.ts';
import { explain } from '../explain.ts';

export type Body = { readonly [key: string]: Json };

/** 2026-11-15T10:00:00Z */
export const T0 = Date.UTC(2026, 10, 15, 10);
export const SECOND = 1000;
export const MINUTE = 60_000;

/** About 1,500 tokens (o200k), above every floor of 512 and of 1,024. */
export const GUIDE = Array.from(
  { length: 60 },
  (_, index) =>
    `Rule ${index + 1}: read the whole file before you edit it, and say in one sentence what you are about to do next.`,
).join('\n');

export const text = (value: string, isMarked = false): Json => ({
  type: 'text',
  text: value,
  ...(isMarked && { cache_control: { type: 'ephemeral' } }),
});
export const marked = (value: string, ttl?: string): Json => ({
  type: 'text',
  text: value,
  cache_control: { type: 'ephemeral', ...(ttl !== undefined && { ttl }) },
});
export const user = (content: Json): Json => ({ role: 'user', content });
export const assistant = (content: Json): Json => ({ role: 'assistant', content });

export const tool = (name: string, more: { readonly [key: string]: Json } = {}): Json => ({
  name,
  description: `Does ${name} and returns its result as text.`,
  input_schema: { type: 'object', properties: { path: { type: 'string' }, limit: { type: 'integer' } } },
  ...more,
});

export const usage = (read: number, written: number, uncached = 20, ttl: '5m' | '1h' | '30m' = '5m'): Usage => ({
  uncached,
  read,
  writes: written > 0 ? { [ttl]: written } : {},
  output: 50,
  cacheReported: true,
  partial: false,
});

type Sent = Body | string;
type Extra = Partial<Omit<RecordedCall, 'body' | 'wire'>>;

const recorded = (
  wire: RecordedCall['wire'],
  provider: string,
  model: string,
  body: Sent,
  extra: Extra,
): RecordedCall => {
  const startedAt = extra.startedAt ?? T0;
  const named = extra.model ?? model;
  return {
    provider,
    wire,
    model: named,
    body: typeof body === 'string' ? body : JSON.stringify({ model: named, max_tokens: 1024, ...body }),
    firstByteAt: startedAt + SECOND,
    endedAt: startedAt + 5 * SECOND,
    ...extra,
    startedAt,
  };
};

export const claude = (body: Sent, extra: Extra = {}): RecordedCall =>
  recorded('anthropic-messages', 'anthropic', 'claude-sonnet-5-5', body, extra);
export const gpt = (body: Sent, extra: Extra = {}): RecordedCall =>
  recorded('openai-responses', 'openai', 'gpt-6-sol', body, extra);
export const chat = (body: Sent, extra: Extra = {}): RecordedCall =>
  recorded('openai-chat', 'openrouter', 'anthropic/claude-sonnet-5-5', body, extra);

/** A minute later, unless told otherwise. */
export const later = (extra: Extra = {}): Extra => ({ startedAt: T0 + MINUTE, ...extra });

/** One long stable system block, marked, and a conversation. */
export const talk = (
  messages: readonly Json[],
  more: { readonly [key: string]: Json } = {},
): { readonly [key: string]: Json } => ({
  system: [marked(GUIDE)],
  messages: [...messages],
  ...more,
});

/** Tokens that a whole prefix is said to have. */
export const W = 2600;

/** Both calls a minute apart; the second wrote everything again. */
export const judge = (before: Body, after: Body, read = 0) =>
  explain(claude(before, { usage: usage(0, W) }), claude(after, later({ usage: usage(read, W - read) })));
/** The same without usage: the prediction alone. */
export const predict = (before: Body, after: Body) => explain(claude(before), claude(after, later()));
export const openai = (before: Body, after: Body) => {
  const key = { prompt_cache_key: 'k' };
  return explain(gpt({ ...key, ...before }), gpt({ ...key, ...after }, later()));
};

export const ask = [user('List the files.')];
export const system = (value: string): Body => ({ system: [marked(value)], messages: ask });
export const developer = (value: string): Body => ({
  input: [
    {
      role: 'developer',
      content: [{ type: 'input_text', text: value, prompt_cache_breakpoint: { mode: 'explicit' } }],
    },
    { role: 'user', content: 'List the files.' },
  ],
});
