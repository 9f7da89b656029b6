/** Causes 14, 15, 19, 20 and 21: what is left when the bytes match, in time and in reach. */
import { type Json, isObject } from '../../../base/json.ts';
import type { Usage } from '../../provider/types.ts';
import { writtenTokens } from '../../provider/types.ts';
import { canonicalJson } from '../read-parts.ts';
import { IN_MEMORY_MS } from './breakpoints.ts';
import type { Comparison } from './comparison.ts';
import { billingFinding } from './harness-causes.ts';
import type { Entry } from './lookup.ts';
import { KEY_REPAIR, paramFinding, unsureParam } from './param-causes.ts';
import { isThinking } from './message-causes.ts';
import { coveredTokens, prefixTokens, type Subject } from './subject.ts';
import { hasMarkers } from './system-causes.ts';
import { parsedText } from './text-difference.ts';
import { expiredFinding, parallelFinding } from './time-causes.ts';
import type { Finding, VerdictPosition } from './types.ts';
import { numberText, tokensText } from './words.ts';

const at = (label: string): VerdictPosition => ({ label, path: '', offset: 0, before: '', after: '' });

/** Cause 14 where a server forgets: the bytes are the same, what is rendered of them is not. */
export const strippedFinding = ({ current, stripped }: Comparison): Finding => {
  const label = current.blocks[stripped ?? 0]?.label ?? '';
  return {
    cause: 'thinking-blocks-changed',
    position: at(label),
    evidence: [
      `${current.request.model} keeps thinking only until the user writes again. This request ends with user text, so the thinking at ${label} is no longer part of the prompt, and everything after it is a different prefix.`,
      'The payload doesn’t show this.',
    ],
    repair:
      'Expect one write per user turn on this model, and put a marker before the first thinking block of a turn. Newer models (Opus 4.5, Sonnet 4.6, and later) keep thinking.',
  };
};

const contentOf = (response: Json | undefined): readonly Json[] =>
  Array.isArray(response) ? (response as Json[]) : [];

/** Thinking of the answer before that did not come back as it was. */
const unreturnedFinding = ({ base, current }: Comparison): Finding | undefined => {
  const given = contentOf(base.call.response?.content).filter(
    (block) => isObject(block) && typeof block['type'] === 'string' && /thinking|reasoning/.test(block['type']),
  );
  if (given.length === 0) return undefined;
  const known = new Set(
    current.blocks.filter((block) => isThinking(block)).map((block) => canonicalJson(parsedText(block.text))),
  );
  if (given.every((block) => known.has(canonicalJson(block)))) return undefined;
  const label = current.blocks.find((block, index) => index >= base.blocks.length && block.role === 'assistant')?.label;
  return {
    cause: 'thinking-blocks-changed',
    position: at(label ?? current.blocks.at(-1)?.label ?? ''),
    evidence: ['This request doesn’t send back the previous response’s thinking unchanged.'],
    repair: 'Append each response to the history unchanged, including thinking and its signature.',
    certainty: 'likely',
  };
};

const isIndirect = ({ call }: Subject): boolean => call.provider === 'openrouter' || call.provider === 'compatible';

const gatewayRepair = (current: Subject): string => {
  const drops = hasMarkers(current) ? ', drop cache_control or its ttl,' : '';
  return `Compare the request you send with the one the provider gets. Gateways flatten the system prompt to a string${drops} or change providers. Pin the provider (OpenRouter: session_id or provider.order), or call it directly.`;
};

const gatewayEvidence = ({ base, current }: Comparison, others: readonly Comparison[]): readonly string[] => {
  const [before, after] = [base.call.response?.upstream, current.call.response?.upstream];
  if (before !== undefined && after !== undefined && before !== after)
    return [`The router switched providers from ${before} to ${after}. Each has its own cache.`];
  const reason = current.call.diagnosis?.reason;
  if (current.facts.caching === 'anthropic' && coveredTokens(current) === 0)
    return [
      coveredTokens(base) === 0
        ? 'Both requests had markers on a prefix above the cache floor, but all their counters are 0. The markers didn’t arrive.'
        : 'The request had markers on a prefix above the cache floor, but both counters are 0. The markers didn’t arrive.',
    ];
  if (current.call.diagnosis?.state === 'miss' && reason !== undefined)
    return [`The provider says ${reason}, but the sent bytes are the same. Something changes them on the way.`];
  const written = (subject: Subject): number => (subject.usage ? writtenTokens(subject.usage) : 0);
  const rewrites = others.filter(
    ({ base: other, reach }) => reach > 0 && written(other) > 0 && other.usage?.read === 0,
  ).length;
  if (written(current) > 0 && (isIndirect(current) ? rewrites >= 1 : rewrites >= 2))
    return ['Requests write the same prefix again and again, and none reads it.'];
  if (isIndirect(current) && current.usage?.read === 0)
    return [
      'The same prefix was sent again within its TTL, but the request read nothing. A gateway is between you and the provider.',
    ];
  return [];
};

/** Requests per minute and key that OpenAI routes to one machine. */
const MAX_PER_MINUTE = 15;
const MINUTE = 60_000;

const openaiFinding = (comparison: Comparison, others: readonly Comparison[]): Finding | undefined => {
  const { base, current } = comparison;
  if (current.facts.family !== 'openai') return undefined;
  const [old, key] = [base.request.cacheKey, current.request.cacheKey];
  const recent = others.filter((other) => other.gap < MINUTE && other.base.request.cacheKey === key).length + 1;
  const position = { label: 'prompt_cache_key', path: '', offset: 0, before: old ?? '', after: key ?? '' };
  if (recent > MAX_PER_MINUTE)
    return {
      cause: 'openai-cache-key',
      position,
      evidence: [
        `${recent} requests with this key and prefix came within a minute. Above about ${MAX_PER_MINUTE}, they spill over to machines without the entry.`,
      ],
      repair: 'Spread the load over a few keys, such as the hash of the prompt plus a small number per worker.',
      certainty: 'likely',
    };
  if (old !== key)
    return {
      cause: 'openai-cache-key',
      position,
      evidence: [
        `prompt_cache_key changed from ${old ?? 'no key'} to ${key ?? 'no key'}. On this model, the key only routes, so the same prefix may have reached a different machine.`,
      ],
      repair: KEY_REPAIR,
      certainty: 'likely',
    };
  if (key !== undefined) return undefined;
  return {
    cause: 'openai-cache-key',
    position,
    evidence: [
      'The prefix is the same and was sent within its TTL, but neither request has a prompt_cache_key. They may have reached different machines.',
    ],
    repair: 'Set prompt_cache_key to a hash of the tools and the stable prompt.',
    certainty: 'likely',
  };
};

const overlaps = ({ base, current }: Comparison): boolean =>
  base.call.firstByteAt === undefined &&
  base.call.endedAt !== undefined &&
  current.call.startedAt < base.call.endedAt &&
  (coveredTokens(base) ?? 0) > 0;

/** The bytes match, an entry was there, and usage says that it was not read. */
export const tailFinding = (comparison: Comparison, entry: Entry, others: readonly Comparison[]): Finding => {
  const { current, gap } = comparison;
  if (overlaps(entry.from)) return parallelFinding(current, { ...entry, isVisibilityGuessed: true });
  const isWhole = entry.breakpoint.origin === 'whole';
  if (isWhole && entry.from.gap > IN_MEMORY_MS && current.request.params.get('prompt_cache_retention') !== '"24h"')
    return expiredFinding(current, entry, 'likely');
  const param = unsureParam(comparison);
  if (param) return paramFinding(comparison, param);
  const label = current.blocks[entry.index]?.label ?? '';
  const billing = billingFinding(comparison);
  if (billing) return billing;
  // Where any prefix matches, what came before the answer can be read whatever became of its thinking.
  const unreturned = isWhole ? undefined : unreturnedFinding(comparison);
  if (unreturned) return unreturned;
  const direct = isIndirect(current) ? undefined : openaiFinding(comparison, others);
  if (direct) return direct;
  const gateway = gatewayEvidence(comparison, others);
  if (gateway.length > 0)
    return {
      cause: 'gateway-effect',
      position: at(label),
      evidence: gateway,
      repair: gatewayRepair(current),
      certainty: 'likely',
    };
  return (
    openaiFinding(comparison, others) ?? {
      cause: 'provider-eviction',
      position: at(label),
      evidence: [
        `Everything up to ${label} is the same, ${numberText(gap / 1000)} s later and within the TTL. The provider lost the entry, or a different machine responded.`,
      ],
      repair:
        'Nothing in the request explains this. If it happens often, make the prefix longer or send it more often, and report both response IDs to the provider.',
      certainty: 'likely',
    }
  );
};

const numberAt = (raw: Json | undefined, ...path: readonly string[]): number | undefined => {
  let value = raw;
  for (const key of path) value = isObject(value) ? value[key] : undefined;
  return typeof value === 'number' ? value : undefined;
};

/** Totals of OpenAI hold what was cached; a total below it was taken for Anthropic's remainder. */
const isImpossible = (raw: Json | undefined): boolean => {
  const chat = numberAt(raw, 'prompt_tokens');
  const responses = numberAt(raw, 'input_tokens');
  const cachedChat = numberAt(raw, 'prompt_tokens_details', 'cached_tokens') ?? 0;
  const cachedResponses = numberAt(raw, 'input_tokens_details', 'cached_tokens') ?? 0;
  return (chat !== undefined && chat < cachedChat) || (responses !== undefined && responses < cachedResponses);
};

/** Far less than the prompt: what is missing went through the cache. */
const REMAINDER = 0.5;

const remainderText = (usage: Usage, estimate: number): string =>
  `input_tokens is ${numberText(usage.uncached)} for a prompt of about ${tokensText(estimate)}, and the recorded usage has no cache counters. On this wire, input_tokens counts only tokens after the last breakpoint.`;

/** Cause 21: the call was not a miss, its usage was taken down wrongly. */
export const misreadFinding = (current: Subject): Finding | undefined => {
  const { usage } = current;
  const { rawUsage } = current.call;
  if (!usage) return undefined;
  const position = at('usage');
  if (isImpossible(rawUsage))
    return {
      cause: 'usage-misread',
      position,
      evidence: [
        'The recorded total of prompt tokens is smaller than its cached part, which is impossible. On this wire, the total includes cached tokens. The recorder subtracted them, or used Anthropic’s format.',
      ],
      repair:
        'Record usage as the provider sent it. On OpenAI’s wires, uncached = total − cached_tokens. On Anthropic’s, the total is input + creation + read.',
    };
  const estimate = prefixTokens(current, current.blocks.length - 1);
  if (usage.cacheReported || current.request.wire !== 'anthropic-messages' || usage.uncached >= estimate * REMAINDER)
    return undefined;
  return {
    cause: 'usage-misread',
    position,
    evidence: [remainderText(usage, estimate)],
    repair:
      'Record cache_read_input_tokens and cache_creation_input_tokens too. The prompt is input_tokens + cache_creation_input_tokens + cache_read_input_tokens.',
    certainty: 'likely',
  };
};
