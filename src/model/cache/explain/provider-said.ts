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
        ? 'That fits: what was lost was not lost by a change of the request.'
        : `It does not see the difference that was found here${certainty === 'likely' ? '' : '; the bytes show it'}.`;
    case 'miss':
      if (cause === 'hit')
        return BEFORE_MESSAGES.has(diagnosis.reason ?? '')
          ? 'It compares with the one request that it was asked about; an entry of another one was read all the same.'
          : 'The change comes late: an earlier breakpoint was read all the same.';
      if (diagnosis.reason !== undefined && words.includes(diagnosis.reason)) return 'It agrees.';
      return words.length === 0
        ? 'It compares requests only, and does not know of this cause.'
        : 'It disagrees: it names the earliest difference to the request that it was asked about, which may be another one.';
    case 'unavailable':
      return words.includes('unavailable')
        ? 'It agrees: it says so when a parameter changed.'
        : 'That decides nothing.';
    case 'pending':
    case 'not_found':
      return 'That decides nothing.';
  }
};

const SAYINGS: Readonly<Record<ProviderDiagnosis['state'], string>> = {
  none: 'nothing of a difference to the request before',
  hit: 'a hit',
  miss: 'a miss',
  pending: 'that its comparison is not ready',
  not_found: 'that it does not know the request before',
  unavailable: 'that it cannot tell',
};

export const providerSaid = (diagnosis: ProviderDiagnosis | undefined, verdict: Verdict): string | null => {
  if (!diagnosis) return null;
  const reason = diagnosis.reason === undefined ? '' : ` (${diagnosis.reason})`;
  const missed = diagnosis.missedTokens === undefined ? '' : `, about ${tokensText(diagnosis.missedTokens)}`;
  return `The provider says: ${SAYINGS[diagnosis.state]}${reason}${missed}. ${judge(diagnosis, verdict)}`;
};
