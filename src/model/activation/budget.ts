/** The registry of activated skills and its limits (D19). The state is a fold over `skill.loaded`. */
import type { LogLine } from '../../base/log.ts';
import type { Payload } from '../event/types.ts';
import type { LibrarySkill } from '../library/types.ts';
import { pythonRepr } from '../skill/python-text.ts';

export const MAX_EXPLICIT_ACTIVATIONS_PER_SESSION = 3;
export const WARN_CUMULATIVE_ACTIVATION_TOKENS = 10_000;
export const HARD_CAP_CUMULATIVE_ACTIVATION_TOKENS = 30_000;

export interface ActivationLimits {
  readonly maxActivations: number;
  readonly warnTokens: number;
  /** A total that reaches it is refused. */
  readonly capTokens: number;
}

const ACTIVATION_LIMITS: ActivationLimits = {
  maxActivations: MAX_EXPLICIT_ACTIVATIONS_PER_SESSION,
  warnTokens: WARN_CUMULATIVE_ACTIVATION_TOKENS,
  capTokens: HARD_CAP_CUMULATIVE_ACTIVATION_TOKENS,
};

export interface Activation {
  readonly name: string;
  readonly tokens: number;
  /** The body is in a message of the person, not in the result of a tool call. */
  readonly isInMessage?: boolean;
}

export interface ActivationState {
  readonly preloaded: ReadonlySet<string>;
  /** In the order of their activation; preloaded ones are not among them. */
  readonly activated: readonly Activation[];
  /** Of all activated. */
  readonly tokens: number;
}

export type ActivationDecision =
  /** `warning`: to be logged once the skill is loaded. */
  | { readonly kind: 'load'; readonly warning?: LogLine }
  | { readonly kind: 'preloaded' }
  | { readonly kind: 'already-loaded'; readonly isInMessage: boolean }
  /** The message is for the model. */
  | { readonly kind: 'refused'; readonly cap: 'count' | 'tokens'; readonly message: string };

export const startActivation = (preloaded: Iterable<string> = []): ActivationState => ({
  preloaded: new Set(preloaded),
  activated: [],
  tokens: 0,
});

const activationOf = ({ activated }: ActivationState, name: string): Activation | undefined =>
  activated.find((activation) => activation.name === name);

const activate = (state: ActivationState, activation: Activation): ActivationState => ({
  ...state,
  activated: [...state.activated, activation],
  tokens: state.tokens + activation.tokens,
});

/** The state behind an event. */
export const applyLoaded = (state: ActivationState, payload: Payload<'skill.loaded'>): ActivationState => {
  const name = payload.skill_id;
  if (payload.load_reason === 'always')
    return state.preloaded.has(name) ? state : { ...state, preloaded: new Set([...state.preloaded, name]) };
  if (activationOf(state, name)) return state;
  const isInMessage = payload.triggered_by_tool_use_id === null;
  return activate(state, { name, tokens: payload.load_size_tokens, ...(isInMessage && { isInMessage }) });
};

const listed = ({ activated }: ActivationState): string => `[${activated.map(({ name }) => name).join(', ')}]`;

/**
 * What a request to load this skill comes to. Anyone who loads appends the event and applies it before anything else can run:
 * then parallel calls cannot pass the cap together.
 */
export const decideActivation = (
  state: ActivationState,
  { name, tokens }: Activation,
  limits: ActivationLimits = ACTIVATION_LIMITS,
): ActivationDecision => {
  if (state.preloaded.has(name)) return { kind: 'preloaded' };
  const earlier = activationOf(state, name);
  if (earlier) return { kind: 'already-loaded', isInMessage: earlier.isInMessage === true };
  const count = state.activated.length;
  if (count >= limits.maxActivations)
    return {
      kind: 'refused',
      cap: 'count',
      message:
        `activation budget exhausted: ${count} skills already activated this session (limit ${limits.maxActivations}). ` +
        `Already loaded: ${listed(state)}. ` +
        'To free budget, summarize and discard previously loaded skill bodies in your next response.',
    };
  const total = state.tokens + tokens;
  if (total >= limits.capTokens)
    return {
      kind: 'refused',
      cap: 'tokens',
      message:
        `activation token cap exhausted: loading ${pythonRepr(name)} would bring cumulative activation tokens to ${total} ` +
        `(cap ${limits.capTokens}). Already loaded: ${listed(state)}.`,
    };
  if (total < limits.warnTokens || state.tokens >= limits.warnTokens) return { kind: 'load' };
  return {
    kind: 'load',
    warning: {
      level: 'warning',
      code: 'activation.tokens',
      text:
        `session has activated ${count + 1} skills totaling ${total} tokens (warn threshold: ${limits.warnTokens}). ` +
        `Continued activation may exhaust the per-session cap of ${limits.capTokens} cumulative tokens.`,
    },
  };
};

/** For the mentions of one message: each is judged as if those before it had been loaded. */
export const decideActivations = (
  state: ActivationState,
  wanted: readonly Activation[],
  limits: ActivationLimits = ACTIVATION_LIMITS,
): readonly (Activation & { readonly decision: ActivationDecision })[] => {
  let current = state;
  return wanted.map((activation) => {
    const decision = decideActivation(current, activation, limits);
    if (decision.kind === 'load') current = activate(current, activation);
    return { ...activation, decision };
  });
};

/** What `skill.loaded` says of a skill. */
export const loadedPayload = (
  { skill, source }: LibrarySkill,
  reason: 'always' | 'on_demand',
  toolUseId: string | null,
): Payload<'skill.loaded'> => ({
  skill_id: skill.name,
  skill_version: skill.version,
  load_reason: reason,
  load_size_tokens: skill.estimatedBodyTokens,
  source,
  triggered_by_tool_use_id: toolUseId,
});
