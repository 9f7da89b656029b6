/**
 * The loop of one turn: call, run the tools that were asked for, call again, until the model is done or a limit is reached.
 * A person's turn and an `ask` of a metaskill go through it alike (D28).
 */
import { errorMessage } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { codePointLength, plural } from '../../base/text.ts';
import type { Payload } from '../event/types.ts';
import { promptTokens, type Block, type StopReason, type ToolUseBlock } from '../provider/types.ts';
import { roundUsd } from '../provider/cost.ts';
import { estimateTokens } from '../skill/checks/body-checks.ts';
import { startCallClock } from '../tool/call-clock.ts';
import { makeCall, type CallOutcome } from './call.ts';
import { answersToOpenCalls, textOf, withOwnIds } from './conversation.ts';
import type { SessionCore } from './core.ts';
import type { CallState, TurnState } from './state.ts';

export interface TurnRequest {
  /** What opens the turn. */
  readonly content: readonly Block[];
  /** Tool calls that are made for the user before the model speaks (`$name` mentions). */
  readonly openingCalls?: readonly ToolUseBlock[];
  /** The tool call whose program asks. */
  readonly nestedIn?: string;
  readonly parent?: string;
  readonly depth: number;
  readonly maxCalls: number;
  readonly wallClockSeconds: number;
  readonly volatile: string;
  readonly signal: AbortSignal;
  readonly setWaiting?: (waiting: boolean) => void;
  readonly runCalls?: () => readonly CallState[];
  /** Called with the turn's id before anything happens in it. */
  readonly onTurn?: (turnId: string) => void;
  /** Called when the turn exists and nothing has been said in it. */
  readonly onStarted?: (turnId: string) => void;
}

type CancelReason = Payload<'turn.cancelled'>['reason'];

export type TurnOutcome =
  | {
      readonly kind: 'completed';
      readonly turnId: string;
      readonly text: string;
      readonly calls: number;
      readonly stopReason: StopReason;
    }
  | {
      readonly kind: 'cancelled';
      readonly turnId: string;
      readonly text: string;
      readonly calls: number;
      readonly reason: CancelReason;
      /** What happened and what to do next. */
      readonly message: string;
    };

/** Aborting with one of these says why the turn ends. */
export class TurnStop {
  readonly reason: CancelReason;
  readonly message: string;
  constructor(reason: CancelReason, message: string) {
    this.reason = reason;
    this.message = message;
  }
}

const STOPPED_BY_USER = new TurnStop('user_cancel', 'Stopped. Lathe kept the partial response.');

const CANCELLED_RESULT = 'cancelled: the turn was stopped before this call was made';

class Turn {
  readonly #core: SessionCore;
  readonly #request: TurnRequest;
  readonly id: string;
  readonly #abort = new AbortController();
  readonly #state: TurnState;
  readonly #startedAt: number;
  /** How many calls the session had made before. */
  readonly #callsBefore: number;
  #calls = 0;
  #toolCalls = 0;
  #text = '';

  constructor(core: SessionCore, request: TurnRequest) {
    this.#core = core;
    this.#request = request;
    this.id = core.deps.newId();
    this.#startedAt = core.deps.now();
    this.#callsBefore = core.state.calls.length;
    request.onTurn?.(this.id);
    const text = textOf(request.content);
    core.emit({
      type: 'turn.started',
      turnId: this.id,
      parent: request.parent ?? null,
      actor: request.depth > 0 ? 'worker' : 'user',
      payload: {
        user_message_hash: sha256(text),
        estimated_input_tokens: estimateTokens(codePointLength(text)),
        has_images: request.content.some(({ type }) => type === 'image'),
        has_tool_calls_in_history: this.#hasToolCalls(),
        user_message_text_redacted: null,
        nested_in: request.nestedIn ?? null,
      },
    });
    const state = core.state.turnsById.get(this.id);
    if (!state) throw new Error('a turn that its own event did not start');
    this.#state = state;
  }

  #hasToolCalls(): boolean {
    if (this.#request.depth > 0) return false;
    return this.#core.state.tools.size > 0;
  }

  #append(role: 'user' | 'assistant', content: readonly Block[], partial = false): void {
    if (content.length === 0) return;
    this.#core.emit({
      type: 'message.appended',
      turnId: this.id,
      parent: this.#state.startedEventId,
      actor: role === 'user' ? (this.#request.depth > 0 ? 'worker' : 'user') : 'agent',
      payload: { role, content: content as Payload<'message.appended'>['content'], partial },
    });
  }

  #withOwnIds(content: readonly Block[]): readonly Block[] {
    const { state, deps } = this.#core;
    return withOwnIds(
      content,
      (id) => state.tools.has(id),
      () => `tu_${deps.newId()}`,
    );
  }

  #stop(): TurnStop {
    const { reason } = this.#abort.signal;
    return reason instanceof TurnStop ? reason : STOPPED_BY_USER;
  }

  async run(): Promise<TurnOutcome> {
    const { deps } = this.#core;
    const { signal, wallClockSeconds } = this.#request;
    const forward = (): void => this.#abort.abort(signal.reason instanceof TurnStop ? signal.reason : STOPPED_BY_USER);
    if (signal.aborted) forward();
    signal.addEventListener('abort', forward, { once: true });
    const clock = startCallClock(wallClockSeconds * 1000, deps, () =>
      this.#abort.abort(
        new TurnStop(
          'timeout',
          `The turn took longer than ${wallClockSeconds} seconds, so Lathe stopped it. Send another message to continue.`,
        ),
      ),
    );
    const setWaiting = (waiting: boolean): void => {
      clock.setWaiting(waiting);
      this.#request.setWaiting?.(waiting);
    };
    try {
      this.#request.onStarted?.(this.id);
      this.#append('user', this.#request.content);
      return await this.#loop(setWaiting);
    } catch (thrown) {
      // A defect of ours must not take the session with it; it is reported as what it is.
      const message = errorMessage(thrown);
      deps.log({ level: 'error', code: 'turn.defect', text: `a turn failed: ${message}` });
      return this.#cancel(new TurnStop('error', `Lathe failed in this turn: ${message}`));
    } finally {
      clock.stop();
      signal.removeEventListener('abort', forward);
    }
  }

  async #loop(setWaiting: (waiting: boolean) => void): Promise<TurnOutcome> {
    const { maxCalls, openingCalls = [], depth, volatile, runCalls } = this.#request;
    let parent = this.#state.startedEventId;
    if (openingCalls.length > 0) {
      this.#append('assistant', openingCalls);
      await this.#runTools(openingCalls, parent, setWaiting);
    }
    for (;;) {
      if (this.#abort.signal.aborted) return this.#cancel(this.#stop());
      if (this.#calls >= maxCalls)
        return this.#cancel(
          new TurnStop(
            'turn_limit',
            `The turn reached its limit of ${plural(maxCalls, 'call')}. Send another message to continue.`,
          ),
        );
      const outcome = await makeCall(this.#core, {
        turn: this.#state,
        depth,
        volatile,
        parent,
        signal: this.#abort.signal,
        ...(runCalls && { runCalls }),
      });
      if (outcome.kind === 'refused') return this.#cancel(new TurnStop('spending_limit', outcome.message));
      this.#calls++;
      parent = outcome.eventId;
      if (outcome.kind === 'failed') return this.#failed(outcome);
      const { stopReason } = outcome.result;
      const content = this.#withOwnIds(outcome.result.content);
      this.#append('assistant', content);
      this.#text = textOf(content) || this.#text;
      const calls = content.filter((block): block is ToolUseBlock => block.type === 'tool_use');
      if (calls.length > 0) await this.#runTools(calls, parent, setWaiting);
      else if (stopReason !== 'pause_turn') return this.#complete(stopReason);
    }
  }

  async #runTools(
    calls: readonly ToolUseBlock[],
    parent: string,
    setWaiting: (waiting: boolean) => void,
  ): Promise<void> {
    this.#toolCalls += calls.length;
    const results = await this.#core.tools.dispatch(calls, {
      turnId: this.id,
      depth: this.#request.depth,
      parent,
      signal: this.#abort.signal,
      setWaiting,
    });
    this.#append('user', results);
  }

  #failed(outcome: CallOutcome & { readonly kind: 'failed' }): TurnOutcome {
    const { result, error } = outcome;
    this.#append('assistant', this.#withOwnIds(result.content), true);
    this.#text = textOf(result.content) || this.#text;
    if (this.#abort.signal.aborted) return this.#cancel(this.#stop());
    return this.#cancel(new TurnStop('error', `${error.message} ${error.nextStep}`.trim()));
  }

  #cancel(stop: TurnStop): TurnOutcome {
    const thread = this.#core.state.threads.get(this.#state.thread);
    this.#append('user', answersToOpenCalls(thread?.messages ?? [], CANCELLED_RESULT));
    this.#core.emit({
      type: 'turn.cancelled',
      turnId: this.id,
      parent: this.#state.startedEventId,
      payload: {
        reason: stop.reason,
        partial_llm_calls: this.#calls,
        partial_tool_calls: this.#toolCalls,
        message: stop.message,
      },
    });
    return {
      kind: 'cancelled',
      turnId: this.id,
      text: this.#text,
      calls: this.#calls,
      reason: stop.reason,
      message: stop.message,
    };
  }

  #complete(stopReason: StopReason): TurnOutcome {
    const calls = this.#core.state.calls.slice(this.#callsBefore).filter(({ turnId }) => turnId === this.id);
    const cost = calls.reduce<number | null>(
      (sum, call) => (sum === null || call.costUsd === undefined ? null : sum + call.costUsd),
      0,
    );
    this.#core.emit({
      type: 'turn.completed',
      turnId: this.id,
      parent: this.#state.startedEventId,
      payload: {
        stop_reason: stopReason === 'pause_turn' ? 'other' : stopReason,
        llm_call_count: this.#calls,
        tool_call_count: this.#toolCalls,
        total_input_tokens: calls.reduce((sum, { usage }) => sum + (usage ? promptTokens(usage) : 0), 0),
        total_output_tokens: calls.reduce((sum, { usage }) => sum + (usage?.output ?? 0), 0),
        total_cost_usd: cost === null ? null : roundUsd(cost),
        wall_time_seconds: Math.max(0, this.#core.deps.now() - this.#startedAt) / 1000,
      },
    });
    return { kind: 'completed', turnId: this.id, text: this.#text, calls: this.#calls, stopReason };
  }
}

export const runTurn = (core: SessionCore, request: TurnRequest): Promise<TurnOutcome> => new Turn(core, request).run();
