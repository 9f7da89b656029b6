/** What the provider says about its own cache, held against the verdict. */
import type { ProviderDiagnosis } from '../../provider/types.ts';
import type { Verdict, VerdictPosition } from './types.ts';
import { tokensText } from './words.ts';

const BY_TIER = (position: VerdictPosition | null): readonly string[] => {
  const label = position?.label ?? '';
  if (label.startsWith('tools')) return ['tools_changed'];
  return /^(?:system|instructions)/.test(label)
    ? ['system_changed', 'input_changed']
    : ['messages_changed', 'input_changed'];
};

/** The provider's words that fit a cause; none: its diagnosis cannot see such a cause. */
const fitting = (cause: Verdict['cause'], position: VerdictPosition | null): readonly string[] => {
  switch (cause) {
    case 'tool-order':
    case 'tools-changed':
      return ['tools_changed'];
    case 'volatile-value-in-system':
    case 'per-user-data-first':
      return [
        'system_changed',
        'input_changed',
        ...(position?.label.startsWith('messages') ? ['messages_changed'] : []),
      ];
    case 'history-edited':
      return ['messages_changed', 'input_changed', 'context_compacted'];
    case 'json-reserialised':
    case 'whitespace-drift':
    case 'breakpoint-on-unique-block':
    case 'thinking-blocks-changed':
      return BY_TIER(position);
    case 'model-or-key-switch':
      return ['model_changed', 'service_tier_changed'];
    case 'thinking-or-effort-changed':
      return ['reasoning_effort_changed', 'text_format_changed', 'verbosity_changed', 'unavailable'];
    case 'tier-parameter':
      return ['unavailable', 'messages_changed', 'tools_changed', 'system_changed'];
    case 'openai-cache-key':
      return ['prompt_cache_key_changed'];
    default:
      return [];
  }
};

/** With such a change nothing of the request that it was asked about could be read. */
const BEFORE_MESSAGES: ReadonlySet<string> = new Set(['model_changed', 'tools_changed']);

const judge = (diagnosis: ProviderDiagnosis, { cause, position, certainty }: Verdict): string => {
  const words = fitting(cause, position);
  switch (diagnosis.state) {
    case 'none':
    case 'hit':
      if (cause === 'hit' || cause === 'chain-start' || cause === 'compaction') return 'It agrees.';
      return words.length === 0
        ? 'That fits. The loss didn’t come from a change in the request.'
        : `It doesn’t see the difference that Lathe found here${certainty === 'likely' ? '' : ', but the bytes show it'}.`;
    case 'miss':
      if (cause === 'hit')
        return BEFORE_MESSAGES.has(diagnosis.reason ?? '')
          ? 'It compares only with the request that it was asked about. This one still read another request’s entry.'
          : 'The change comes late, so the request still read an earlier breakpoint.';
      if (diagnosis.reason !== undefined && words.includes(diagnosis.reason)) return 'It agrees.';
      return words.length === 0
        ? 'It compares only requests, so it can’t see this cause.'
        : 'It disagrees. It names the earliest difference from the request that it was asked about, which may be a different one.';
    case 'unavailable':
      return words.includes('unavailable')
        ? 'It agrees. It gives this answer when a parameter changed.'
        : 'That doesn’t settle it.';
    case 'pending':
    case 'not_found':
      return 'That doesn’t settle it.';
  }
};

const SAYINGS: Readonly<Record<ProviderDiagnosis['state'], string>> = {
  none: 'no difference from the previous request',
  hit: 'a hit',
  miss: 'a miss',
  pending: 'its comparison isn’t ready',
  not_found: 'it doesn’t know the previous request',
  unavailable: 'it can’t tell',
};

export const providerSaid = (diagnosis: ProviderDiagnosis | undefined, verdict: Verdict): string | null => {
  if (!diagnosis) return null;
  const reason = diagnosis.reason === undefined ? '' : ` (${diagnosis.reason})`;
  const missed = diagnosis.missedTokens === undefined ? '' : `, about ${tokensText(diagnosis.missedTokens)}`;
  return `The provider says: ${SAYINGS[diagnosis.state]}${reason}${missed}. ${judge(diagnosis, verdict)}`;
};
