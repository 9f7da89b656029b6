/** The settings of a session as fields that a person fills in, and back. */
import type { ClientId } from '../clients/types.ts';
import type { SessionSettings } from '../event/catalog.ts';
import type { Dialect, MetaskillPolicy } from '../library/types.ts';
import { paddingTarget } from '../prompt/padding.ts';
import type { PaddingPolicy } from '../prompt/types.ts';
import type { BreakpointMode, Effort, Ttl } from '../provider/types.ts';
import { defaultPadding } from '../session/start.ts';
import { groupDigits } from './words.ts';
import type { NewSession } from '../workspace/session-plan.ts';

/** What is fixed when a session starts. */
export type StartChoices = Omit<NewSession, 'settings'>;

/** Numbers are strings; an empty limit is none, an empty persona Lathe's own. */
export interface SettingsDraft {
  readonly mode: BreakpointMode;
  readonly ttlTools: Ttl;
  readonly ttlSystem: Ttl;
  readonly ttlMessages: Ttl;
  readonly thinking: 'default' | 'off' | 'adaptive' | 'budget';
  readonly thinkingTokens: string;
  readonly effort: 'default' | Effort;
  readonly maxOutputTokens: string;
  readonly spendingLimit: string;
  readonly tokenLimit: string;
  readonly runSpendingLimit: string;
  readonly runTokenLimit: string;
  readonly dialect: Dialect;
  /** `own`: Lathe's index. */
  readonly listing: 'own' | ClientId;
  readonly padding: 'default' | PaddingPolicy;
  readonly policy: MetaskillPolicy;
  readonly persona: string;
  readonly maxCalls: string;
  readonly turnSeconds: string;
  readonly runSeconds: string;
  readonly withoutTools: readonly string[];
}

export type DraftErrors = Readonly<Partial<Record<keyof SettingsDraft, string>>>;

const limitText = (limit: number | null): string => (limit === null ? '' : String(limit));

export const draftOf = (settings: SessionSettings, start: StartChoices): SettingsDraft => ({
  mode: settings.cache.mode,
  ttlTools: settings.cache.ttl.tools,
  ttlSystem: settings.cache.ttl.system,
  ttlMessages: settings.cache.ttl.messages,
  thinking: settings.thinking?.mode ?? 'default',
  thinkingTokens: settings.thinking?.mode === 'budget' ? String(settings.thinking.tokens) : '2048',
  effort: settings.effort ?? 'default',
  maxOutputTokens: String(settings.max_output_tokens),
  spendingLimit: limitText(settings.spending_limit_usd),
  tokenLimit: limitText(settings.token_limit),
  runSpendingLimit: limitText(settings.run_spending_limit_usd),
  runTokenLimit: limitText(settings.run_token_limit),
  dialect: start.dialect,
  listing: start.listing ?? 'own',
  padding: start.padding ?? 'default',
  policy: start.policy,
  persona: start.persona ?? '',
  maxCalls: String(start.maxCalls),
  turnSeconds: String(start.turnSeconds),
  runSeconds: String(start.runSeconds),
  withoutTools: start.withoutTools,
});

/** Anthropic's least. */
const LEAST_THINKING = 1024;
const MOST_CALLS = 1000;
const MOST_SECONDS = 86_400;

const readWhole = (text: string, least: number, most = Number.MAX_SAFE_INTEGER): number | string => {
  const plain = text.trim().replaceAll(/[,_ ]/g, '');
  const value = Number(plain);
  if (/^\d+$/.test(plain) && value >= least && value <= most) return value;
  return most === Number.MAX_SAFE_INTEGER
    ? `Enter a whole number of at least ${groupDigits(least)}.`
    : `Enter a whole number from ${groupDigits(least)} to ${groupDigits(most)}.`;
};

const readLimit = (text: string, isMoney: boolean): number | null | string => {
  const plain = text.trim().replaceAll(/[,_ $]/g, '');
  if (plain === '') return null;
  const isGood = isMoney ? /^\d+(?:\.\d+)?$/.test(plain) : /^\d+$/.test(plain);
  if (isGood) return Number(plain);
  return isMoney
    ? 'Enter an amount in US dollars, such as 0.50. Leave blank for no limit.'
    : 'Enter a whole number. Leave blank for no limit.';
};

const HOURS: Readonly<Record<Ttl, number>> = { '5m': 0, '1h': 1 };

const ttlError = ({ ttlTools, ttlSystem, ttlMessages, mode }: SettingsDraft): DraftErrors => {
  const longer = 'The provider refuses a longer TTL after a shorter one. The order is tools, system, messages.';
  if (HOURS[ttlSystem] > HOURS[ttlTools]) return { ttlSystem: longer };
  if (mode === 'rolling' && HOURS[ttlMessages] > HOURS[ttlSystem]) return { ttlMessages: longer };
  return {};
};

export type ReadDraft =
  | { readonly ok: true; readonly settings: SessionSettings; readonly start: StartChoices }
  | { readonly ok: false; readonly errors: DraftErrors };

/** `base` gives what the form does not show: provider and model. */
export const readDraft = (draft: SettingsDraft, base: Pick<SessionSettings, 'provider' | 'model'>): ReadDraft => {
  const errors: { -readonly [K in keyof SettingsDraft]?: string } = { ...ttlError(draft) };
  const take = <T extends number | null>(field: keyof SettingsDraft, value: T | string, otherwise: T): T => {
    if (typeof value !== 'string') return value;
    errors[field] = value;
    return otherwise;
  };
  const maxOutputTokens = take('maxOutputTokens', readWhole(draft.maxOutputTokens, 1), 1);
  const thinkingTokens =
    draft.thinking === 'budget' ? take('thinkingTokens', readWhole(draft.thinkingTokens, LEAST_THINKING), 0) : 0;
  if (draft.thinking === 'budget' && !errors.thinkingTokens && thinkingTokens >= maxOutputTokens)
    errors.thinkingTokens = 'Enter less than Max output tokens, which includes it.';
  const settings: SessionSettings = {
    provider: base.provider,
    model: base.model,
    cache: {
      mode: draft.mode,
      ttl: { tools: draft.ttlTools, system: draft.ttlSystem, messages: draft.ttlMessages },
    },
    ...(draft.thinking === 'budget' && { thinking: { mode: 'budget', tokens: thinkingTokens } as const }),
    ...((draft.thinking === 'off' || draft.thinking === 'adaptive') && { thinking: { mode: draft.thinking } as const }),
    ...(draft.effort !== 'default' && { effort: draft.effort }),
    max_output_tokens: maxOutputTokens,
    spending_limit_usd: take('spendingLimit', readLimit(draft.spendingLimit, true), null),
    token_limit: take('tokenLimit', readLimit(draft.tokenLimit, false), null),
    run_spending_limit_usd: take('runSpendingLimit', readLimit(draft.runSpendingLimit, true), null),
    run_token_limit: take('runTokenLimit', readLimit(draft.runTokenLimit, false), null),
  };
  const start: StartChoices = {
    dialect: draft.dialect,
    ...(draft.listing !== 'own' && { listing: draft.listing }),
    ...(draft.padding !== 'default' && { padding: draft.padding }),
    policy: draft.policy,
    ...(draft.persona.trim() !== '' && { persona: draft.persona }),
    maxCalls: take('maxCalls', readWhole(draft.maxCalls, 1, MOST_CALLS), 1),
    turnSeconds: take('turnSeconds', readWhole(draft.turnSeconds, 1, MOST_SECONDS), 1),
    runSeconds: take('runSeconds', readWhole(draft.runSeconds, 1, MOST_SECONDS), 1),
    withoutTools: draft.withoutTools,
  };
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, settings, start };
};

const DEFAULT_REASONS = {
  simulator: 'The simulator costs nothing, so it pads to 4,500 tokens, enough for every model.',
  provider: 'Padding costs money here, so it stops slightly above this model’s cache floor.',
} as const;

/** Why the padding is as it is (D16). */
export const paddingReason = (
  padding: SettingsDraft['padding'],
  { provider, model }: Pick<SessionSettings, 'provider' | 'model'>,
): string => {
  if (padding !== 'default') return paddingTarget(padding, model).why;
  const reason = DEFAULT_REASONS[provider === 'simulator' ? 'simulator' : 'provider'];
  return `${reason} ${paddingTarget(defaultPadding(provider), model).why}`;
};
