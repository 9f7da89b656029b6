/** What a provider says about its own cache, from any of the forms in which a recording may hold it. */
import { type Json, type JsonObject, isObject } from '../../../base/json.ts';
import type { ProviderDiagnosis } from '../../provider/types.ts';

const count = (...values: readonly unknown[]): number | undefined =>
  values.find((value): value is number => typeof value === 'number' && Number.isFinite(value));

const STATES: ReadonlySet<string> = new Set(['none', 'pending', 'hit', 'miss', 'not_found', 'unavailable']);

const OUTCOMES: Readonly<Record<string, ProviderDiagnosis['state']>> = {
  cache_hit: 'hit',
  cache_miss: 'miss',
  previous_message_not_found: 'not_found',
  comparison_response_not_found: 'not_found',
  unavailable: 'unavailable',
};

const fromReason = (reason: Json, raw: Json): ProviderDiagnosis => {
  if (reason === null) return { state: 'pending', raw };
  const word = isObject(reason) ? reason['type'] : reason;
  if (typeof word !== 'string') return { state: 'unavailable', raw };
  const missedTokens = isObject(reason) ? count(reason['cache_missed_input_tokens']) : undefined;
  const state = OUTCOMES[word] ?? 'miss';
  return { state, ...(state === 'miss' && { reason: word }), ...(missedTokens !== undefined && { missedTokens }), raw };
};

const fromOutcome = (raw: JsonObject, word: string): ProviderDiagnosis => {
  // A bare reason, without the object that Anthropic puts around it.
  const state = OUTCOMES[word] ?? 'miss';
  const reason = typeof raw['reason'] === 'string' ? raw['reason'] : undefined;
  const said = state === 'miss' ? (reason ?? (word === 'cache_miss' ? undefined : word)) : undefined;
  const missedTokens = count(raw['cache_missed_tokens'], raw['cache_missed_input_tokens'], raw['missedTokens']);
  return {
    state,
    ...(said !== undefined && { reason: said }),
    ...(missedTokens !== undefined && { missedTokens }),
    raw,
  };
};

/** Undefined: none exists, or nothing that could be understood. `null` is Anthropic's word for “no difference”. */
export const readDiagnosis = (raw: Json | undefined): ProviderDiagnosis | undefined => {
  if (raw === undefined) return undefined;
  if (raw === null) return { state: 'none', raw };
  if (!isObject(raw)) return undefined;
  const inner = raw['diagnostics'] ?? raw['prompt_cache_diagnostics'];
  if (inner !== undefined) return readDiagnosis(inner);
  const reason = raw['cache_miss_reason'];
  if (reason !== undefined) return fromReason(reason, raw);
  if (typeof raw['type'] === 'string') return fromOutcome(raw, raw['type']);
  const state = raw['state'];
  if (typeof state !== 'string' || !STATES.has(state)) return undefined;
  const known = fromOutcome(raw, state === 'miss' ? 'cache_miss' : state);
  return { ...known, state: state as ProviderDiagnosis['state'] };
};
