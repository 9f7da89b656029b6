/**
 * Usage of a request that was answered in several passes. Server tools run inside one request: the model is asked again with
 * every result, and usage adds all passes up. Held against another request, such a sum looks like an eviction.
 */
import { isObject, type Json } from '../../../base/json.ts';
import { type Usage, type UsagePass, writtenTokens } from '../../provider/types.ts';
import type { RecordedCall } from '../types.ts';

export interface Passes {
  /** What the first pass found and paid: the request as it was sent. */
  readonly first: Usage | undefined;
  /** Tokens that the last pass left in the cache; undefined where nothing is known of it. */
  readonly left: number | undefined;
  readonly count: number;
  /** Only the sum was reported, and the numbers are its mean. */
  readonly isMean: boolean;
}

const typeOf = (block: Json): string => (isObject(block) && typeof block['type'] === 'string' ? block['type'] : '');

/** Items of the Responses API for tools that OpenAI runs: each is the call and its result in one. */
const OPENAI_SERVER_CALL = /^(?:web_search|file_search|code_interpreter|image_generation|mcp)_call$/;

/** Results of tools that the provider runs; `tool_result` alone is of the client. */
const isServerResult = (type: string): boolean =>
  (type !== 'tool_result' && type.endsWith('_tool_result')) || OPENAI_SERVER_CALL.test(type);

/** How often the model was asked for one answer: once more behind every run of results. */
const passesInAnswer = (content: Json | undefined): number => {
  const types = (Array.isArray(content) ? (content as readonly Json[]) : []).map(typeOf);
  return (
    1 +
    types.filter((type, index) => {
      const next = types[index + 1];
      return isServerResult(type) && next !== undefined && !isServerResult(next);
    }).length
  );
};

/** A compaction reads the prompt as it was sent, and a message the summary. An advisor is another model. */
const ofThisModel = ({ kind }: UsagePass): boolean => !kind.includes('advisor');

const withCounts = (usage: Usage, { uncached, read, writes, output }: Omit<UsagePass, 'kind'>): Usage => ({
  ...usage,
  uncached,
  read,
  writes,
  output,
});

const share = (usage: Usage, count: number): Usage => {
  const part = (tokens: number): number => Math.round(tokens / count);
  const writes = Object.fromEntries(Object.entries(usage.writes).map(([ttl, tokens]) => [ttl, part(tokens)]));
  return withCounts(usage, {
    uncached: part(usage.uncached),
    read: part(usage.read),
    writes,
    output: part(usage.output),
  });
};

export const passesOf = ({ usage, response }: RecordedCall): Passes => {
  const leftBy = (told: Usage | undefined): number | undefined =>
    told?.cacheReported === true ? told.read + writtenTokens(told) : undefined;
  const told = usage?.passes?.filter(ofThisModel) ?? [];
  const [first] = told;
  const last = told.at(-1);
  if (usage && first && last)
    return {
      first: withCounts(usage, first),
      left: leftBy(withCounts(usage, last)),
      count: told.length,
      isMean: false,
    };
  const count = usage ? passesInAnswer(response?.content) : 1;
  if (!usage || count === 1) return { first: usage, left: leftBy(usage), count: 1, isMean: false };
  const mean = share(usage, count);
  return { first: mean, left: leftBy(mean), count, isMean: true };
};
