/** Requests whose tokens can be read off: `TEXT@1200` counts 1,200 tokens, anything else 10. */
import type { Wire } from '../../provider/types.ts';
import { type CacheCall, type CacheModel, type CacheModelOptions, createCacheModel } from '../engine.ts';
import { readRequest } from '../read-request.ts';
import type { CacheRequest, Prediction } from '../types.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const MINUTE = 60_000;

export const marker = (ttl?: string): Fields => ({
  cache_control: { type: 'ephemeral', ...(ttl !== undefined && { ttl }) },
});

export const text = (value: string, extra: Fields = {}): Fields => ({ type: 'text', text: value, ...extra });
export const tool = (name: string, extra: Fields = {}): Fields => ({
  name,
  description: `does ${name}`,
  input_schema: { type: 'object', properties: {} },
  ...extra,
});
export const user = (...content: readonly (Fields | string)[]): Fields => ({
  role: 'user',
  content: content.map((block) => (typeof block === 'string' ? text(block) : block)),
});
export const assistant = (...content: readonly (Fields | string)[]): Fields => ({
  ...user(...content),
  role: 'assistant',
});
export const toolUse = (id: string): Fields => ({ type: 'tool_use', id, name: 'look', input: {} });
export const toolResult = (id: string, extra: Fields = {}): Fields => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'done',
  ...extra,
});
export const thinking = (value: string): Fields => ({ type: 'thinking', thinking: value, signature: 'sig' });

/** Claude with a floor of 512 and no forgetting. */
export const OPUS = 'claude-opus-5';
export const HAIKU = 'claude-haiku-4-5';
export const GPT = 'gpt-6-sol';
export const OLD_GPT = 'gpt-5.1';

export const request = (body: Fields, wire: Wire = 'anthropic-messages', previous?: CacheRequest): CacheRequest => {
  const read = readRequest(JSON.stringify(body), wire, previous);
  if (!read.ok) throw new Error(read.error);
  return read.value;
};

const tokensOf = (value: CacheRequest): readonly number[] =>
  value.blocks.map((block) => Number(/@(\d+)/.exec(block.text)?.[1] ?? 10));

export interface Turn {
  readonly at?: number;
  readonly firstByteAt?: number;
  readonly scope?: string;
  readonly wire?: Wire;
  readonly betas?: readonly string[];
  readonly estimated?: boolean;
}

export const callOf = (body: Fields, turn: Turn = {}): CacheCall => {
  const read = request({ model: OPUS, ...body }, turn.wire);
  return {
    request: read,
    tokens: tokensOf(read),
    toolPromptTokens: 0,
    startedAt: turn.at ?? 0,
    scope: turn.scope ?? 'key',
    ...(turn.betas && { betas: turn.betas }),
    ...(turn.estimated !== undefined && { estimated: turn.estimated }),
  };
};

export interface Driver {
  readonly model: CacheModel;
  /** Sends and answers. */
  readonly turn: (body: Fields, turn?: Turn) => Prediction;
}

export const createDriver = (options?: CacheModelOptions, wire?: Wire): Driver => {
  const model = createCacheModel(options);
  return {
    model,
    turn: (body, turn = {}) => {
      const call = callOf(body, { ...(wire && { wire }), ...turn });
      const sent = model.send(call);
      sent.answered(turn.firstByteAt ?? call.startedAt + 1);
      return sent.prediction;
    },
  };
};
