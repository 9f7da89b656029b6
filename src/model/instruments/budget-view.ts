/** Which skills were activated, how much room is left, and what was refused. */
import { isObject } from '../../base/json.ts';
import {
  HARD_CAP_CUMULATIVE_ACTIVATION_TOKENS,
  MAX_EXPLICIT_ACTIVATIONS_PER_SESSION,
  WARN_CUMULATIVE_ACTIVATION_TOKENS,
} from '../activation/budget.ts';
import type { LatheEvent } from '../event/types.ts';
import { MAIN_THREAD, type SessionState } from '../session/state.ts';

export interface BudgetSlot {
  readonly name: string;
  readonly tokens: number;
  readonly turnId: string | undefined;
  readonly eventId: string;
}

export interface BudgetRefusal {
  readonly name: string;
  /** Which limit stood against it. */
  readonly cap: 'count' | 'tokens';
  /** As the model got it. */
  readonly message: string;
  readonly turnId: string | undefined;
  readonly eventId: string;
}

export interface BudgetView {
  readonly thread: string;
  /** Free ones are undefined. */
  readonly slots: readonly (BudgetSlot | undefined)[];
  readonly used: number;
  readonly tokens: number;
  readonly warn: number;
  readonly cap: number;
  readonly level: 'free' | 'warn' | 'full';
  readonly preloaded: readonly { readonly name: string; readonly tokens: number | undefined }[];
  readonly refused: readonly BudgetRefusal[];
}

export interface BudgetThread {
  readonly id: string;
  readonly label: string;
}

const REFUSALS: readonly (readonly [RegExp, BudgetRefusal['cap']])[] = [
  [/^activation budget exhausted/, 'count'],
  [/^activation token cap exhausted/, 'tokens'],
];

/** The session's own, then those of asks, in the order in which they began. */
export const budgetThreads = (state: SessionState): readonly BudgetThread[] => {
  const nested = state.turns.filter(({ nestedIn }) => nestedIn !== undefined);
  return [
    { id: MAIN_THREAD, label: 'This session' },
    ...nested.map(({ thread }, index) => ({ id: thread, label: `Ask ${index + 1} of a metaskill` })),
  ];
};

const skillOfCall = (state: SessionState, thread: string, toolUseId: string): string => {
  for (const { content } of state.threads.get(thread)?.messages ?? []) {
    for (const block of content) {
      if (block.type !== 'tool_use' || block.id !== toolUseId) continue;
      const name = isObject(block.input) ? block.input['name'] : undefined;
      return typeof name === 'string' ? name : 'a skill';
    }
  }
  return 'a skill';
};

export const budgetView = (
  state: SessionState,
  events: readonly LatheEvent[],
  thread: string = MAIN_THREAD,
): BudgetView => {
  const activation = state.threads.get(thread)?.activation;
  const threadOf = (turnId: string | null): string =>
    (turnId === null ? undefined : state.turnsById.get(turnId)?.thread) ?? MAIN_THREAD;
  const loaded: BudgetSlot[] = [];
  const refused: BudgetRefusal[] = [];
  for (const event of events) {
    if (event.type === 'skill.loaded' && event.payload.load_reason !== 'always') {
      if (threadOf(event.turn_id) !== thread || loaded.some(({ name }) => name === event.payload.skill_id)) continue;
      loaded.push({
        name: event.payload.skill_id,
        tokens: event.payload.load_size_tokens,
        turnId: event.turn_id ?? undefined,
        eventId: event.id,
      });
    }
    if (event.type === 'skill.refused' && threadOf(event.turn_id) === thread) {
      const { skill_id: name, cap, message } = event.payload;
      refused.push({ name, cap, message, turnId: event.turn_id ?? undefined, eventId: event.id });
    }
    if (event.type === 'tool.failed' && threadOf(event.turn_id) === thread) {
      const { error_message: message, tool_use_id: id } = event.payload;
      const cap = REFUSALS.find(([pattern]) => pattern.test(message))?.[1];
      if (cap !== undefined)
        refused.push({
          name: skillOfCall(state, thread, id),
          cap,
          message,
          turnId: event.turn_id ?? undefined,
          eventId: event.id,
        });
    }
  }
  const tokens = activation?.tokens ?? 0;
  const most = Math.max(MAX_EXPLICIT_ACTIVATIONS_PER_SESSION, loaded.length);
  const isFull = loaded.length >= MAX_EXPLICIT_ACTIVATIONS_PER_SESSION;
  const sizes = new Map((state.config?.skills ?? []).map(({ name, tokens: size }) => [name, size]));
  return {
    thread,
    slots: Array.from({ length: most }, (_, index) => loaded[index]),
    used: loaded.length,
    tokens,
    warn: WARN_CUMULATIVE_ACTIVATION_TOKENS,
    cap: HARD_CAP_CUMULATIVE_ACTIVATION_TOKENS,
    level: isFull ? 'full' : tokens >= WARN_CUMULATIVE_ACTIVATION_TOKENS ? 'warn' : 'free',
    preloaded: [...(activation?.preloaded ?? [])].map((name) => ({ name, tokens: sizes.get(name) })),
    refused,
  };
};
