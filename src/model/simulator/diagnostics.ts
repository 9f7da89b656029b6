/** What each provider says about its own cache: a comparison of structure with an earlier request, whatever was hit. */
import type { Json } from '../../base/json.ts';
import { createSharedLists } from '../../base/shared-lists.ts';
import type { CacheBlock, CacheRequest, Tier } from '../cache/types.ts';

/** How long an earlier request can be named. The documentation says "short". */
const RETENTION_MS = 3_600_000;
/** Anthropic estimates missed tokens from bytes; the divisor is not published. */
const CHARACTERS_PER_TOKEN = 4;

export interface Fingerprint {
  readonly at: number;
  readonly scope: string;
  readonly model: string;
  readonly cacheKey: string | undefined;
  readonly blocks: () => readonly CacheBlock[];
  /** Of all blocks. */
  readonly tokens: number;
  readonly params: ReadonlyMap<string, string>;
}

export type Fingerprints = (request: CacheRequest, tokens: readonly number[], scope: string, at: number) => Fingerprint;

/** Fingerprints of one server: what requests of a conversation have in common is kept once. */
export const createFingerprints = (): Fingerprints => {
  const lists = createSharedLists<CacheBlock>();
  return (request, tokens, scope, at) => ({
    at,
    scope,
    model: request.model,
    cacheKey: request.cacheKey,
    blocks: lists.keep(request.blocks),
    tokens: tokens.reduce((sum, count) => sum + count, 0),
    params: request.params,
  });
};

type Blocks = readonly CacheBlock[];

const isSame = (left: CacheBlock, right: CacheBlock | undefined): boolean =>
  left === right || (left.text === right?.text && (left.role ?? '') === (right.role ?? ''));

/** The index, in the earlier request, of the first block that the later one does not repeat; undefined if it repeats all. */
const divergence = (before: Blocks, after: Blocks): number | undefined => {
  const at = before.findIndex((block, index) => !isSame(block, after[index]));
  return at === -1 ? undefined : at;
};

const isChanged = (before: Blocks, after: Blocks, tier: Tier): boolean => {
  const of = (blocks: Blocks): Blocks => blocks.filter((block) => block.tier === tier);
  const [old, now] = [of(before), of(after)];
  return divergence(old, now) !== undefined || (tier !== 'messages' && old.length !== now.length);
};

const isParamChanged = (before: Fingerprint, after: Fingerprint, name: string): boolean =>
  before.params.get(name) !== after.params.get(name);

/** Parameters that are about the answer or about this diagnosis, not about the prompt. */
const BESIDE = new Set(['max_tokens', 'stream', 'prompt_cache_options', 'diagnostics', 'prompt_cache_retention']);

const firstParam = (before: Fingerprint, after: Fingerprint): boolean =>
  [...new Set([...before.params.keys(), ...after.params.keys()])].some(
    (name) => !BESIDE.has(name) && isParamChanged(before, after, name),
  );

const find = (
  known: ReadonlyMap<string, Fingerprint>,
  id: string,
  { scope, at }: Fingerprint,
): Fingerprint | undefined => {
  const found = known.get(id);
  return found && found.scope === scope && at - found.at <= RETENTION_MS ? found : undefined;
};

/** `previous` is what the request names: undefined if it does not ask, null on the first turn. */
export const anthropicDiagnostics = (
  known: ReadonlyMap<string, Fingerprint>,
  previous: string | null | undefined,
  current: Fingerprint,
): Json => {
  if (typeof previous !== 'string') return null;
  const before = find(known, previous, current);
  if (!before) return { cache_miss_reason: { type: 'previous_message_not_found' } };
  const [blocks, now] = [before.blocks(), current.blocks()];
  const miss = (type: string, from: number): Json => ({
    cache_miss_reason: {
      type,
      cache_missed_input_tokens: Math.ceil(
        blocks.slice(from).reduce((sum, { text }) => sum + text.length, 0) / CHARACTERS_PER_TOKEN,
      ),
    },
  });
  const at = divergence(blocks, now) ?? blocks.length;
  if (before.model !== current.model || isParamChanged(before, current, 'speed')) return miss('model_changed', 0);
  if (isChanged(blocks, now, 'tools')) return miss('tools_changed', at);
  if (isChanged(blocks, now, 'system')) return miss('system_changed', at);
  if (isChanged(blocks, now, 'messages')) return miss('messages_changed', at);
  return firstParam(before, current) ? { cache_miss_reason: { type: 'unavailable' } } : null;
};

const OPENAI_PARAMS: readonly (readonly [param: string, reason: string])[] = [
  ['service_tier', 'service_tier_changed'],
  ['text.format', 'text_format_changed'],
  ['response_format', 'text_format_changed'],
  ['reasoning.effort', 'reasoning_effort_changed'],
  ['reasoning_effort', 'reasoning_effort_changed'],
  ['text.verbosity', 'verbosity_changed'],
  ['verbosity', 'verbosity_changed'],
];

/** `read` is what this request found in the cache. Undefined: the request does not ask. */
export const openaiDiagnostics = (
  known: ReadonlyMap<string, Fingerprint>,
  compared: string | null | undefined,
  current: Fingerprint,
  read: number,
): Json | undefined => {
  if (typeof compared !== 'string') return undefined;
  const before = find(known, compared, current);
  if (!before) return { type: 'comparison_response_not_found' };
  const reusable = before.tokens;
  const miss = (reason: string): Json => ({
    type: 'cache_miss',
    reason,
    cache_missed_tokens: Math.max(0, reusable - read),
    comparison_reusable_tokens: reusable,
  });
  if (before.model !== current.model) return miss('model_changed');
  if (before.cacheKey !== current.cacheKey) return miss('prompt_cache_key_changed');
  const [blocks, now] = [before.blocks(), current.blocks()];
  if (isChanged(blocks, now, 'tools')) return miss('tools_changed');
  const param = OPENAI_PARAMS.find(([name]) => isParamChanged(before, current, name));
  if (param) return miss(param[1]);
  if (isChanged(blocks, now, 'system') || isChanged(blocks, now, 'messages')) return miss('input_changed');
  return read > 0 ? { type: 'cache_hit' } : { type: 'unavailable' };
};
