/** What the three wires share when they write a request. */
import { type Json, type JsonObject, isObject } from '../../base/json.ts';
import type { Block, BreakpointMode, CanonicalRequest, ProviderId, ToolUseBlock, Ttl, Wire } from './types.ts';
import { MODEL_BOOK, modelFacts, type ModelBook, type ModelFacts } from './model-book.ts';

export interface WireOptions {
  /** Routers and local servers want fields that others refuse. */
  readonly provider?: ProviderId;
  readonly book?: ModelBook;
}

export const factsFor = (request: CanonicalRequest, options: WireOptions): ModelFacts =>
  modelFacts(request.model, options.book ?? MODEL_BOOK);

/** OpenAI's models that think count thoughts as output, and take the limit of a chat under its newer name only. */
export const takesNewLimit = (model: string): boolean => /^(?:gpt-[5-9]|o\d)(?!.*chat)/.test(model);

/** A tool's input must be an object on the way back; the wrapper is the one that Anthropic's documents name. */
export const objectInput = (block: ToolUseBlock): JsonObject => {
  if (isObject(block.input)) return block.input;
  return { INVALID_JSON: typeof block.input === 'string' ? block.input : JSON.stringify(block.input) };
};

/** Thinking without a signature was cut off, and a provider refuses it. */
const isSigned = (raw: Json): boolean =>
  !isObject(raw) || raw['type'] !== 'thinking' || (typeof raw['signature'] === 'string' && raw['signature'] !== '');

/** Claude is refused a string of spaces, wherever it is served: that says as little as an empty one. */
export const wordsOf = (text: string, isClaude: boolean): string => (isClaude && text.trim() === '' ? '' : text);

/** Whether a block has anything to say on this wire. */
export const goesTo = (wire: Wire, block: Block, isClaude = wire === 'anthropic-messages'): boolean => {
  if (block.type === 'text') return wordsOf(block.text, isClaude) !== '';
  if (block.type === 'thinking') return block.wire === wire && isSigned(block.raw);
  return block.type !== 'opaque' || block.wire === wire;
};

/** Blocks with their place in the message; results of tools come first, because a provider refuses text before them. */
export const resultsFirst = (
  content: readonly Block[],
): readonly { readonly block: Block; readonly index: number }[] => {
  const all = content.map((block, index) => ({ block, index }));
  return [
    ...all.filter(({ block }) => block.type === 'tool_result'),
    ...all.filter(({ block }) => block.type !== 'tool_result'),
  ];
};

type MarkerTtls = CanonicalRequest['cache']['ttl'];

/**
 * One hour must come before five minutes, else the request is refused. An earlier marker is raised, never a later one
 * lowered: the tokens before a marker of one hour are billed as one hour in any case. A marker that is not written raises
 * none.
 */
export const orderedTtls = (
  ttl: MarkerTtls,
  written: { readonly system: boolean; readonly messages: boolean },
): MarkerTtls => {
  const messages = written.messages ? ttl.messages : '5m';
  const system = longer(ttl.system, messages);
  return { tools: longer(ttl.tools, written.system ? system : messages), system, messages: ttl.messages };
};

const longer = (a: Ttl, b: Ttl): Ttl => (a === '1h' || b === '1h' ? '1h' : '5m');

/** Five minutes is the default and not written. */
export const marker = (ttl: Ttl): JsonObject => ({ type: 'ephemeral', ...(ttl === '1h' && { ttl }) });

export const hasStaticMarkers = (mode: BreakpointMode): boolean => mode === 'static' || mode === 'rolling';
