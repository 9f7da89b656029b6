/** Causes 11, 12 and 13: parameters, models and keys. */
import { type Comparison, isKeyChanged, type ParamDifference } from './comparison.ts';
import type { Switch } from './previous.ts';
import type { Finding, VerdictPosition } from './types.ts';

const SPEEDS: ReadonlySet<string> = new Set(['speed', 'service_tier']);
const TIERED: ReadonlySet<string> = new Set([
  'tool_choice',
  'disable_parallel_tool_use',
  'parallel_tool_calls',
  'has_images',
  'web_tools',
  'citations',
]);

const shown = (value: string): string => (value === '' ? 'the default' : value);

const positionOf = ({ name, before, after }: ParamDifference): VerdictPosition => ({
  label: name,
  path: '',
  offset: 0,
  before,
  after,
});

const NAMES: Readonly<Record<string, string>> = {
  has_images: 'whether there are images',
  web_tools: 'web search or web fetch',
  citations: 'citations',
};

const REPAIRS: Readonly<Record<string, string>> = {
  has_images:
    'Adding or removing any image changes the whole conversation. Send images from the first message, describe them in text, or ask about them in a separate conversation.',
  web_tools:
    'Keep web search and web fetch on (or off) for the whole session. Tell the model in the prompt whether to use them.',
  citations: 'Keep citations on (or off) for the whole session.',
  betas: 'Send the same beta headers with every request of a session.',
  speed: 'Keep one speed for the whole session. Fast and standard don’t share a cache.',
  service_tier: 'Keep one service tier for the whole session.',
};

const describe = (comparison: Comparison, difference: ParamDifference): string => {
  const { name, before, after } = difference;
  if (name === 'has_images') {
    const { base, current } = comparison;
    const where = (after === '' ? base : current).blocks.find((block) => block.images !== undefined)?.label;
    return after === ''
      ? `The image at ${where} is gone.`
      : `An image was added at ${where}, the first one in this conversation.`;
  }
  return `${NAMES[name] ?? name} changed from ${shown(before)} to ${shown(after)}.`;
};

const tierOf = ({ current }: Comparison, from: number): string => {
  if (from >= current.messagesAt) return 'the conversation. The cache keeps tools and system prompt';
  return from === 0 ? 'the whole prompt' : 'the system prompt and the conversation. The cache keeps the tools';
};

/** A parameter whose reach depends on the model, and that may have cost more than the conversation. */
export const unsureParam = ({ params }: Comparison): ParamDifference | undefined =>
  params.find(({ name }) => !TIERED.has(name) && !SPEEDS.has(name));

export const paramFinding = (comparison: Comparison, difference: ParamDifference): Finding => {
  const { name, before } = difference;
  const others = comparison.params.filter((other) => other !== difference);
  const isSure = TIERED.has(name) || SPEEDS.has(name) || comparison.current.facts.family === 'openai';
  return {
    cause: SPEEDS.has(name)
      ? 'model-or-key-switch'
      : TIERED.has(name)
        ? 'tier-parameter'
        : 'thinking-or-effort-changed',
    position: positionOf(difference),
    evidence: [
      describe(comparison, difference),
      `It is part of the cache key of ${tierOf(comparison, difference.from)}.`,
      ...(isSure
        ? []
        : [
            'On some models, changing this parameter also loses tools and system prompt. The provider doesn’t publish which.',
          ]),
      ...others.map((other) => `Also: ${describe(comparison, other)}`),
    ],
    repair:
      REPAIRS[name] ??
      `Keep ${name} at ${shown(before)} for the whole session, or set it once at its start.${name.includes('effort') ? ' Per-message effort keeps the cache, on models that have it.' : ''}`,
    ...(!isSure && { certainty: 'likely' as const }),
  };
};

const SWITCH_REPAIR: Readonly<Record<string, string>> = {
  provider: 'Each provider has its own cache. Finish a conversation with the provider that started it.',
  model: 'Each model has its own cache. Finish a conversation on the model that started it, or switch between tasks.',
  'served model':
    'The request named one model, but a different one responded. Turn off the fallback, or name the model that serves you.',
  key: 'Use one API key (one workspace) for requests that should share a prefix.',
  workspace: 'Each API workspace has its own cache. Use keys of one workspace for requests that should share a prefix.',
  speed: 'Keep one speed for the whole session. Fast and standard don’t share a cache.',
};

export const switchFinding = ({ what, before, after }: Switch): Finding => ({
  cause: 'model-or-key-switch',
  position: {
    label: what === 'served model' ? 'response.model' : what === 'key' ? 'key_id' : what,
    path: '',
    offset: 0,
    before,
    after,
  },
  evidence: [`The ${what} changed from ${before} to ${after}. They share no cache.`],
  repair: SWITCH_REPAIR[what] ?? '',
});

export const KEY_REPAIR =
  'Use one prompt_cache_key for all requests with the same tools and stable prompt, such as a hash of both. Don’t use one per session, user, or request.';

/** Cause 19: the key is part of the match. */
export const cacheKeyFinding = ({ base, current }: Comparison): Finding | undefined => {
  const [before, after] = [base.request.cacheKey, current.request.cacheKey];
  if (!isKeyChanged(base, current)) return undefined;
  const said = (key: string | undefined): string => (key === undefined ? 'no key' : key);
  return {
    cause: 'openai-cache-key',
    position: { label: 'prompt_cache_key', path: '', offset: 0, before: before ?? '', after: after ?? '' },
    evidence: [
      `prompt_cache_key changed from ${said(before)} to ${said(after)}. The key is part of the match, so the provider doesn’t find the same prefix.`,
    ],
    repair: KEY_REPAIR,
  };
};
