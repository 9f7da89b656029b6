import { type Json, type JsonObject, isObject } from '../../base/json.ts';
import type { Usage, UsagePass, Wire, WriteTtl } from './types.ts';

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

const inside = (raw: JsonObject, key: string): JsonObject => {
  const value = raw[key];
  return isObject(value) ? value : {};
};

/** Parts that are named by TTL; what the sum has beyond them is of an unknown one. */
const writesOf = (total: number | undefined, named: Partial<Record<WriteTtl, number | undefined>>): Usage['writes'] => {
  const writes: Partial<Record<WriteTtl, number>> = {};
  let known = 0;
  for (const [ttl, tokens] of Object.entries(named) as [WriteTtl, number | undefined][]) {
    if (tokens === undefined || tokens === 0) continue;
    writes[ttl] = tokens;
    known += tokens;
  }
  if (total !== undefined && total > known) writes.unknown = total - known;
  return writes;
};

const sum = (writes: Usage['writes']): number => Object.values(writes).reduce((all, tokens) => all + tokens, 0);

const anthropicCounts = (raw: JsonObject): Pick<Usage, 'uncached' | 'read' | 'writes' | 'output'> => {
  const split = inside(raw, 'cache_creation');
  return {
    uncached: count(raw['input_tokens']) ?? 0,
    read: count(raw['cache_read_input_tokens']) ?? 0,
    writes: writesOf(count(raw['cache_creation_input_tokens']), {
      '5m': count(split['ephemeral_5m_input_tokens']),
      '1h': count(split['ephemeral_1h_input_tokens']),
    }),
    output: count(raw['output_tokens']) ?? 0,
  };
};

const passesOf = (raw: JsonObject): readonly UsagePass[] =>
  (Array.isArray(raw['iterations']) ? (raw['iterations'] as readonly Json[]) : [])
    .filter(isObject)
    .map((pass) =>
      Object.assign(anthropicCounts(pass), { kind: typeof pass['type'] === 'string' ? pass['type'] : 'message' }),
    );

const addWrites = (left: Usage['writes'], right: Usage['writes']): Usage['writes'] => {
  const all: Partial<Record<WriteTtl, number>> = { ...left };
  for (const [ttl, tokens] of Object.entries(right) as [WriteTtl, number][]) all[ttl] = (all[ttl] ?? 0) + tokens;
  return all;
};

const sumOf = (passes: readonly UsagePass[]): Pick<Usage, 'uncached' | 'read' | 'writes' | 'output'> => ({
  uncached: passes.reduce((all, { uncached }) => all + uncached, 0),
  read: passes.reduce((all, { read }) => all + read, 0),
  writes: passes.reduce<Usage['writes']>((all, { writes }) => addWrites(all, writes), {}),
  output: passes.reduce((all, { output }) => all + output, 0),
});

const anthropicUsage = (raw: JsonObject): Usage | undefined => {
  if (count(raw['input_tokens']) === undefined && count(raw['output_tokens']) === undefined) return undefined;
  const reasoning = count(inside(raw, 'output_tokens_details')['thinking_tokens']);
  const passes = passesOf(raw);
  // Where a pass is not a message (a compaction, an advisor), the counts at the top are those of the messages alone.
  const counts = passes.some(({ kind }) => kind !== 'message') ? sumOf(passes) : anthropicCounts(raw);
  return {
    ...counts,
    ...(reasoning !== undefined && { reasoning }),
    cacheReported:
      count(raw['cache_read_input_tokens']) !== undefined || count(raw['cache_creation_input_tokens']) !== undefined,
    partial: false,
    ...(passes.length > 1 && { passes }),
  };
};

/** OpenAI's totals hold what was read and written. */
const withTotals = (
  total: number | undefined,
  output: number | undefined,
  read: number | undefined,
  writes: Usage['writes'],
  reasoning: number | undefined,
  isWriteReported: boolean,
): Usage | undefined => {
  if (total === undefined && output === undefined) return undefined;
  return {
    uncached: Math.max(0, (total ?? 0) - (read ?? 0) - sum(writes)),
    read: read ?? 0,
    writes,
    output: output ?? 0,
    ...(reasoning !== undefined && { reasoning }),
    cacheReported: read !== undefined || isWriteReported,
    partial: false,
  };
};

const responsesUsage = (raw: JsonObject): Usage | undefined => {
  const details = inside(raw, 'input_tokens_details');
  const written = count(details['cache_write_tokens']);
  const split = inside(details, 'cache_write_tokens_details');
  return withTotals(
    count(raw['input_tokens']),
    count(raw['output_tokens']),
    count(details['cached_tokens']),
    writesOf(written, { '30m': count(split['ttl_30m_tokens']), '12h': count(split['ttl_12h_tokens']) }),
    count(inside(raw, 'output_tokens_details')['reasoning_tokens']),
    written !== undefined,
  );
};

/** With a key of one's own the upstream charges too, beside what OpenRouter takes for itself. */
const chargedBy = (raw: JsonObject): number | undefined => {
  const own = count(raw['cost']);
  if (own === undefined || (own > 0 && raw['is_byok'] !== true)) return own;
  return own + (count(inside(raw, 'cost_details')['upstream_inference_cost']) ?? 0);
};

const chatUsage = (raw: JsonObject): Usage | undefined => {
  const details = inside(raw, 'prompt_tokens_details');
  const timings = inside(raw, 'timings');
  const fresh = count(timings['prompt_n']);
  const kept = count(timings['cache_n']);
  const written = count(details['cache_write_tokens']);
  const read =
    count(details['cached_tokens']) ??
    // DeepSeek, Moonshot, llama.cpp
    count(raw['prompt_cache_hit_tokens']) ??
    count(raw['cached_tokens']) ??
    kept;
  const usage = withTotals(
    count(raw['prompt_tokens']) ?? (fresh === undefined ? undefined : fresh + (kept ?? 0)),
    count(raw['completion_tokens']) ?? count(timings['predicted_n']),
    read,
    writesOf(written, {}),
    count(inside(raw, 'completion_tokens_details')['reasoning_tokens']),
    written !== undefined,
  );
  const charged = chargedBy(raw);
  return usage && { ...usage, ...(charged !== undefined && { charged }) };
};

/**
 * The usage object of a response in the one normal form; undefined if it tells nothing. A chat server's `timings` may
 * are in it beside the counts.
 */
export const usageFromWire = (wire: Wire, raw: unknown): Usage | undefined => {
  if (!isObject(raw)) return undefined;
  if (wire === 'anthropic-messages') return anthropicUsage(raw);
  return wire === 'openai-responses' ? responsesUsage(raw) : chatUsage(raw);
};

const filled = (earlier: Json | undefined, later: JsonObject): JsonObject => ({
  ...(isObject(earlier) && earlier),
  ...Object.fromEntries(Object.entries(later).filter(([, value]) => value !== null)),
});

/** Later counts are cumulative and leave out what has not changed, also inside their details. */
export const mergeUsage = (earlier: Json | undefined, later: Json | undefined): Json => {
  const before = isObject(earlier) ? earlier : {};
  if (!isObject(later)) return before;
  const told = Object.entries(later).map(([key, value]) => [key, isObject(value) ? filled(before[key], value) : value]);
  return filled(before, Object.fromEntries(told) as JsonObject);
};
