/** How a turn ended, and what a person can do about it. */
import type { TurnView } from './types.ts';

export type TurnAction = 'try-again' | 'go-on' | 'keys' | 'limits' | 'new-session';

export interface TurnEnd {
  readonly tone: 'error' | 'warning' | 'plain';
  readonly title: string;
  /** What happened and what to do next. */
  readonly text: string;
  readonly actions: readonly TurnAction[];
}

const KEY_CODES: ReadonlySet<string> = new Set(['no_key', 'wrong_key', 'forbidden', 'org_forbids_browser']);

/** The failure of its last call, if that is what ended it. */
const failureOf = ({ parts }: TurnView) => {
  const last = parts.findLast((part) => part.kind === 'answer' && part.call !== undefined);
  return last?.kind === 'answer' ? last.call?.failure : undefined;
};

const errorEnd = (turn: TurnView): TurnEnd => {
  const failure = failureOf(turn);
  const text = turn.message ?? '';
  if (!failure) return { tone: 'error', title: 'The turn failed', text, actions: ['try-again'] };
  if (KEY_CODES.has(failure.code)) {
    const title = failure.code === 'no_key' ? 'The request needs a key' : 'The provider refused the key';
    return { tone: 'error', title, text, actions: ['keys', 'try-again'] };
  }
  if (failure.code === 'context_too_long')
    return { tone: 'error', title: 'The request is too long for the model', text, actions: ['new-session'] };
  return { tone: 'error', title: 'The request failed', text, actions: ['try-again'] };
};

/** Nothing for a turn that runs, or that ended as turns should. */
export const turnEnd = (turn: TurnView): TurnEnd | undefined => {
  const text = turn.message ?? '';
  if (turn.status === 'interrupted')
    return {
      tone: 'warning',
      title: 'Interrupted',
      text: 'The page closed during this turn. Lathe kept the partial response.',
      actions: ['try-again'],
    };
  if (turn.status === 'completed') {
    if (turn.stopReason === 'max_tokens')
      return {
        tone: 'warning',
        title: 'Output limit reached',
        text: 'The response reached Max output tokens. Raise it in the settings, or tell the model to continue.',
        actions: ['go-on', 'limits'],
      };
    if (turn.stopReason === 'refusal')
      return {
        tone: 'warning',
        title: 'The model refused',
        text: 'Rephrase your message or choose another model.',
        actions: [],
      };
    return undefined;
  }
  if (turn.status !== 'cancelled') return undefined;
  switch (turn.stopReason) {
    case 'user_cancel':
      return { tone: 'plain', title: 'Stopped', text: 'Lathe kept the partial response.', actions: ['try-again'] };
    case 'turn_limit':
      return { tone: 'warning', title: 'Request limit reached', text, actions: ['go-on'] };
    case 'timeout':
      return { tone: 'warning', title: 'Turn timed out', text, actions: ['go-on'] };
    case 'spending_limit':
      return { tone: 'warning', title: 'Limit reached', text, actions: ['limits', 'try-again'] };
    default:
      return errorEnd(turn);
  }
};

/** What was asked in it, to ask it again. */
export const userText = ({ parts }: TurnView): string => {
  const part = parts.find((item) => item.kind === 'user');
  return part?.kind === 'user' ? part.text : '';
};
