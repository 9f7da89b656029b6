/** Causes 7 and 16: what can be seen before anything is sent. */
import { dotted } from '../read-parts.ts';
import type { CacheBlock } from '../types.ts';
import { validateRequest } from '../validate.ts';
import { floorOf, NEAR_FLOOR, paddingOf } from './left-behind.ts';
import { coveredTokens, prefixTokens, type Subject } from './subject.ts';
import type { ExplainContext, Finding, VerdictPosition } from './types.ts';
import { numberText, tokensText } from './words.ts';

/** Of all that a provider refuses, what has to do with caching. */
const MARKER_RULES = /^(?:marker-|breakpoint-|options-|automatic-|ttl-order$|max-markers$)/;

const REPAIRS: Readonly<Record<string, string>> = {
  'max-markers':
    'Use at most four markers: on the last tool, the last stable block of the system prompt, the last message, and one in between.',
  'automatic-slot': 'Drop one of the four markers, or the automatic one. It uses a slot too.',
  'automatic-ttl': 'Give the automatic marker the TTL of its block, or drop one of the two.',
  'ttl-order': 'Put 1h markers before 5m markers, in the order tools, system, messages.',
  'marker-thinking': 'Move the marker to a text or tool block. A thinking block can’t have one.',
  'marker-empty': 'Move the marker to a block with text, or drop the empty block.',
  'options-unsupported': 'Leave out prompt_cache_options. This model caches automatically.',
  'breakpoint-unsupported': 'Leave out prompt_cache_breakpoint. This model caches automatically.',
};

const at = (label: string): VerdictPosition => ({ label, path: '', offset: 0, before: '', after: '' });

const faultyBlock = (subject: Subject, rule: string, message: string): string => {
  const { blocks } = subject.request;
  const marked = blocks.filter((block) => block.marker);
  if (rule === 'max-markers') return marked[4]?.label ?? 'cache_control';
  const named = blocks.findLast(
    (block) => message.startsWith(`${dotted(block.label)}.`) || message.includes(`'${block.label}.`),
  );
  return named?.label ?? 'cache_control';
};

const lastStable = (blocks: readonly CacheBlock[], messagesAt: number): string =>
  blocks.slice(0, messagesAt).findLast((block) => block.unmarkable === undefined)?.label ??
  blocks.findLast((block) => block.unmarkable === undefined)?.label ??
  'the last block';

const noMarker = (subject: Subject): Finding | undefined => {
  const { facts, breakpoints, blocks, messagesAt, request } = subject;
  if (breakpoints.length > 0 || blocks.length === 0) return undefined;
  const stable = lastStable(blocks, messagesAt);
  if (facts.caching === 'anthropic')
    return {
      cause: 'marker-fault',
      position: at(stable),
      evidence: ['The request has no cache_control, so the provider writes and reads nothing.'],
      repair: `Put "cache_control":{"type":"ephemeral"} on ${stable}, the last stable block, or at the top level of the request.`,
    };
  if (request.params.get('prompt_cache_options.mode') !== '"explicit"') return undefined;
  return {
    cause: 'marker-fault',
    position: at('prompt_cache_options'),
    evidence: [
      'prompt_cache_options.mode is explicit, but no part has a prompt_cache_breakpoint, so the provider caches nothing.',
    ],
    repair: `Mark ${stable} with prompt_cache_breakpoint, or set the mode to implicit.`,
  };
};

export const markerFinding = (subject: Subject): Finding | undefined => {
  const faults = validateRequest(subject.request, subject.facts).filter(({ rule }) => MARKER_RULES.test(rule));
  const [first] = faults;
  if (!first) return noMarker(subject);
  return {
    cause: 'marker-fault',
    position: at(faultyBlock(subject, first.rule, first.message)),
    evidence: [...faults.map(({ message }) => message), 'The provider refuses such a request, or caches none of it.'],
    repair: REPAIRS[first.rule] ?? 'Write the marker as {"type":"ephemeral"}, with an optional ttl of 5m or 1h.',
  };
};

/** Tokens of the longest prefix that the request could have cached, if they are too few. */
const shortfall = (
  subject: Subject,
): { readonly tokens: number; readonly floor: number; readonly isSure: boolean } | undefined => {
  const floor = floorOf(subject);
  const last = subject.breakpoints.at(-1);
  const covered = coveredTokens(subject);
  // Of a provider nobody knows anything about, a floor is not claimed.
  if (subject.facts.floor === undefined && subject.facts.caching !== 'anthropic') return undefined;
  if (last === undefined || (covered ?? 0) > 0) return undefined;
  // Without a bill nobody knows how long the tools and the system prompt of a transcript are.
  if (covered === undefined && subject.call.known === 'reconstructed') return undefined;
  const tokens = prefixTokens(subject, last.index);
  const isExact = covered === 0 && last.index === subject.blocks.length - 1;
  // Where usage says that nothing was cached, a floor that others have measured counts as well.
  const limit =
    covered === 0 ? Math.max(subject.facts.observedFloor ?? 0, isExact ? floor : floor * (1 + NEAR_FLOOR / 2)) : floor;
  if (tokens >= limit) return undefined;
  return { tokens, floor, isSure: subject.facts.floor !== undefined && tokens < floor * (1 - NEAR_FLOOR) };
};

/** A later block can be marked only where not everything is covered already. */
const canMarkLater = ({ facts, request, breakpoints, blocks }: Subject): boolean =>
  (facts.caching === 'anthropic' || request.params.get('prompt_cache_options.mode') === '"explicit"') &&
  (breakpoints.at(-1)?.index ?? 0) < blocks.length - 1;

export const floorFinding = (subject: Subject, context: ExplainContext, who = 'The prefix'): Finding | undefined => {
  const short = shortfall(subject);
  if (!short) return undefined;
  const { tokens, floor, isSure } = short;
  const { breakpoints, blocks, facts, request } = subject;
  const label = blocks[breakpoints.at(-1)?.index ?? 0]?.label ?? '';
  const { size, paysFrom, why } = paddingOf(subject, tokens, context);
  const pad = `pad the prefix to ${numberText(size)} tokens with useful content`;
  const mark = 'mark a later block too, so the conversation reaches the cache floor';
  const ways = [...(paysFrom === undefined ? [] : [pad]), ...(canMarkLater(subject) ? [mark] : [])];
  const way = ways.join(', or ');
  return {
    cause: 'below-floor',
    position: at(label),
    evidence: [
      `${who} up to ${label} has about ${tokensText(tokens)}. The cache floor of ${request.model} is ${numberText(floor)}, ${numberText(Math.max(0, floor - tokens))} more. Below the floor, the provider caches nothing and reports no error.`,
      ...(facts.observedFloor === undefined
        ? []
        : [`Other measurements found a floor of ${numberText(facts.observedFloor)}, not the documented one.`]),
      ...(facts.floor === undefined
        ? [`The provider doesn’t publish this model’s cache floor. Lathe assumes ${numberText(floor)}.`]
        : []),
      why,
    ],
    repair: way === '' ? 'Leave it uncached.' : `${way.slice(0, 1).toUpperCase()}${way.slice(1)}.`,
    certainty: isSure ? 'sure' : 'likely',
  };
};
