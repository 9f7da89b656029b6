/** The question to a person before a tool runs, and its two events. */
import { errorMessage } from '../../base/errors.ts';
import { type Json, isObject } from '../../base/json.ts';
import { takeCodePoints, codePointLength } from '../../base/text.ts';
import type { ToolErrorClass } from '../event/tool-classes.ts';
import type { EventDraft } from '../event/types.ts';
import { startCallClock, type ClockDeps } from './call-clock.ts';
import { sortedJson } from './canonical-json.ts';
import { commandText } from './command-line.ts';
import { argvOf, type Policy, type Verdict } from './policy.ts';
import { createSemaphore } from './semaphore.ts';
import type { Approval, Approve, Tool } from './types.ts';

const CONFIRMATION_SECONDS = 300;
const SUMMARY_LENGTH = 200;

export interface ConfirmationDeps extends ClockDeps {
  readonly emit: (draft: EventDraft) => string;
  readonly policy: Policy;
  readonly approve?: Approve;
  readonly newId: () => string;
}

export interface Question {
  readonly tool: Pick<Tool, 'name' | 'sideEffects'>;
  readonly input: Json;
  readonly toolUseId: string;
  readonly turnId: string;
  readonly parent: string | null;
  readonly signal: AbortSignal;
  readonly setWaiting: (waiting: boolean) => void;
}

export type Permission =
  | { readonly ok: true }
  | { readonly ok: false; readonly class: ToolErrorClass; readonly why: string };

const summary = (input: Json): string => {
  const text = sortedJson(input);
  return codePointLength(text) <= SUMMARY_LENGTH ? text : `${takeCodePoints(text, SUMMARY_LENGTH - 3)}...`;
};

const modifications = (tool: Question['tool'], input: Json): string[] | null => {
  if (tool.sideEffects !== 'write' || !isObject(input)) return null;
  const { path, paths } = input;
  return [path, ...(Array.isArray(paths) ? (paths as readonly Json[]) : [])].filter((item) => typeof item === 'string');
};

const permissionOf = (approval: Approval, isCancelled: boolean): Permission => {
  if (isCancelled) return { ok: false, class: 'cancelled', why: 'cancelled' };
  switch (approval.decision) {
    case 'allow':
      return { ok: true };
    case 'deny': {
      const reason = approval.reason?.trim() ?? '';
      return { ok: false, class: 'user_denied', why: `the user denied it${reason === '' ? '' : `: ${reason}`}` };
    }
    case 'timeout':
      return { ok: false, class: 'confirmation_timeout', why: `nobody answered within ${CONFIRMATION_SECONDS} s` };
  }
};

export const createConfirmation = (deps: ConfirmationDeps): ((question: Question) => Promise<Permission>) => {
  const { emit, policy, approve } = deps;
  // One question at a time: an answer for the whole session may answer those that wait.
  const turnstile = createSemaphore(1);

  const putToUser = async (question: Question, approveIt: Approve): Promise<Permission> => {
    const { tool, input, toolUseId, turnId, parent, signal, setWaiting } = question;
    const id = deps.newId();
    const argv = argvOf(tool, input);
    const requested = emit({
      type: 'tool.confirmation_requested',
      turnId,
      parent,
      payload: {
        tool_use_id: toolUseId,
        tool_name: tool.name,
        side_effects: tool.sideEffects,
        confirmation_request_id: id,
        input_summary: summary(input),
        expires_at: deps.now() + CONFIRMATION_SECONDS * 1000,
        projected_modifications: modifications(tool, input),
        command_summary: argv ? commandText(argv) : null,
      },
    });
    const closed = new AbortController();
    const close = (): void => closed.abort();
    signal.addEventListener('abort', close, { once: true });
    const clock = startCallClock(CONFIRMATION_SECONDS * 1000, deps, close);
    setWaiting(true);
    const answer = async (): Promise<Approval> => {
      try {
        return await approveIt({
          id,
          toolUseId,
          toolName: tool.name,
          sideEffects: tool.sideEffects,
          input,
          ...(argv && { argv }),
          signal: closed.signal,
        });
      } catch (thrown) {
        const message = errorMessage(thrown);
        return { decision: 'deny', reason: `Lathe couldn’t ask for approval (${message})` };
      }
    };
    const approval = await Promise.race<Approval>([
      answer(),
      new Promise((resolve) => {
        const give = (): void => resolve({ decision: 'timeout' });
        // Anyone who heard of the question may have stopped the turn immediately.
        if (signal.aborted) give();
        closed.signal.addEventListener('abort', give, { once: true });
      }),
    ]).finally(() => {
      setWaiting(false);
      clock.stop();
      signal.removeEventListener('abort', close);
    });
    const isCancelled = signal.aborted;
    const isAllowed = approval.decision === 'allow' && !isCancelled;
    emit({
      type: 'tool.confirmation_resolved',
      turnId,
      parent: requested,
      ...((isCancelled || approval.decision === 'timeout') && { actor: 'system' }),
      payload: {
        tool_use_id: toolUseId,
        confirmation_request_id: id,
        decision: isCancelled ? 'deny' : approval.decision,
        scope: isAllowed ? approval.scope : null,
        reason: isCancelled ? 'cancelled' : approval.decision === 'deny' ? (approval.reason ?? null) : null,
      },
    });
    if (isAllowed && approval.scope !== 'once') policy.remember(tool, input, approval.scope);
    return permissionOf(approval, isCancelled);
  };

  const refused = (verdict: Verdict): Permission => ({ ok: false, class: 'permission_denied', why: verdict.why });

  return async (question) => {
    const first = policy.decide(question.tool, question.input);
    if (first.decision === 'allow') return { ok: true };
    if (first.decision === 'deny') return refused(first);
    if (!approve) return refused({ decision: 'deny', why: 'it needs approval, and no one can approve it here' });
    const leave = await turnstile.acquire(question.signal);
    if (!leave) return { ok: false, class: 'cancelled', why: 'cancelled' };
    try {
      const now = policy.decide(question.tool, question.input);
      if (now.decision === 'allow') return { ok: true };
      return now.decision === 'deny' ? refused(now) : await putToUser(question, approve);
    } finally {
      leave();
    }
  };
};
