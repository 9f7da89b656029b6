/** What a change of settings means, for the place in the transcript where it happened (D25). */
import type { SessionSettings } from '../event/catalog.ts';
import { groupDigits, usdText } from './words.ts';

const ttlText = ({ tools, system, messages }: SessionSettings['cache']['ttl']): string =>
  tools === system && system === messages ? tools : `tools ${tools}, system ${system}, messages ${messages}`;

const thinkingText = (thinking: SessionSettings['thinking']): string => {
  if (!thinking) return 'model default';
  return thinking.mode === 'budget' ? `up to ${groupDigits(thinking.tokens)} tokens` : thinking.mode;
};

const limitText = (limit: number | null, text: (value: number) => string): string =>
  limit === null ? 'none' : text(limit);

/** The settings, each as words; in the order in which changes are reported. */
const FACTS: readonly (readonly [name: string, words: (settings: SessionSettings) => string])[] = [
  ['Provider', ({ provider }) => provider],
  ['Model', ({ model }) => model],
  ['Effort', ({ effort }) => effort ?? 'model default'],
  ['Thinking', ({ thinking }) => thinkingText(thinking)],
  ['Breakpoints', ({ cache }) => cache.mode],
  ['TTL', ({ cache }) => ttlText(cache.ttl)],
  ['Max output tokens', ({ max_output_tokens: tokens }) => groupDigits(tokens)],
  ['Spending limit', ({ spending_limit_usd: limit }) => limitText(limit, usdText)],
  ['Token limit', ({ token_limit: limit }) => limitText(limit, groupDigits)],
  ['Run spending limit', ({ run_spending_limit_usd: limit }) => limitText(limit, usdText)],
  ['Run token limit', ({ run_token_limit: limit }) => limitText(limit, groupDigits)],
];

/** One line per setting that differs. */
export const settingsChanges = (before: SessionSettings, after: SessionSettings): readonly string[] =>
  FACTS.flatMap(([name, words]) => {
    const [from, to] = [words(before), words(after)];
    return from === to ? [] : [`${name}: ${from} → ${to}, starting with the next request.`];
  });
