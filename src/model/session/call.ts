/** One call of a turn: predicted, sent, streamed, priced, explained, and told in events. */
import type { Payload } from '../event/types.ts';
import { estimatePrompt } from '../prompt/segments.ts';
import { costOf, roundUsd } from '../provider/cost.ts';
import { PRICE_BOOK_VERSION } from '../provider/model-book.ts';
import {
  writtenTokens,
  type CallEvent,
  type CallResult,
  type CanonicalRequest,
  type ProviderError,
  type Usage,
} from '../provider/types.ts';
import { bodyOf, deltaOf } from '../event/body-delta.ts';
import { messagesToSend } from './conversation.ts';
import type { SessionCore } from './core.ts';
import { sessionRequest } from './session-request.ts';
import type { ShadowCall } from './shadow.ts';
import { spendingObjection } from './spending.ts';
import type { CallState, TurnState } from './state.ts';

/** What is kept of one response. */
const RESPONSE_LIMIT = 4_000_000;

export interface CallPlan {
  readonly turn: TurnState;
  readonly depth: number;
  readonly volatile: string;
  /** The event that led to this call. */
  readonly parent: string;
  readonly signal: AbortSignal;
  /** Calls of the metaskill run that asks. */
  readonly runCalls?: () => readonly CallState[];
}

export type CallOutcome =
  | { readonly kind: 'answered'; readonly eventId: string; readonly result: CallResult & { readonly ok: true } }
  | { readonly kind: 'failed'; readonly eventId: string; readonly error: ProviderError; readonly result: CallResult }
  | { readonly kind: 'refused'; readonly message: string };

const requestFor = (core: SessionCore, plan: CallPlan): CanonicalRequest => {
  const { state, deps, stableText } = core;
  const { settings, config } = state;
  if (!settings || !config) throw new Error('a call before the session was configured');
  const thread = state.threads.get(plan.turn.thread);
  // The provider compares two requests: those of another conversation have nothing to do with this one.
  const previous = state.calls.findLast(
    (call) =>
      call.completed !== undefined &&
      call.provider === settings.provider &&
      call.model === settings.model &&
      state.turnsById.get(call.turnId)?.thread === plan.turn.thread,
  );
  const asksDiagnosis = deps.client(settings).capabilities(settings.model).diagnostics;
  return sessionRequest({
    settings,
    tools: core.toolsAt(plan.depth),
    stable: stableText,
    volatile: plan.volatile,
    messages: messagesToSend(thread?.messages ?? []),
    cacheKey: core.cacheKeyAt(plan.depth),
    ...(asksDiagnosis && { previousResponseId: previous?.completed?.response_id ?? null }),
    sessionId: state.sessionId,
  });
};

/** Keeps the body as its difference to the previous one of the same thread. */
const requestSent = (
  core: SessionCore,
  plan: CallPlan,
  requestId: string,
  wire: Payload<'request.sent'>['wire'],
  event: CallEvent & { readonly type: 'attempt' },
  parent: string,
): void => {
  const { state, deps } = core;
  const previous = state.calls.findLast(
    (call) => call.requestEventId !== undefined && state.turnsById.get(call.turnId)?.thread === plan.turn.thread,
  );
  const base = previous?.requestEventId === undefined ? undefined : deps.journal.byId(previous.requestEventId);
  const baseBody =
    base?.type === 'request.sent' ? (core.bodies.get(base.id) ?? bodyOf(base, deps.journal.byId)) : undefined;
  const delta = deltaOf(baseBody ?? '', event.body);
  const id = core.emit({
    type: 'request.sent',
    turnId: plan.turn.id,
    parent,
    payload: {
      request_id: requestId,
      attempt: event.attempt,
      wire,
      url: event.url,
      base_event_id: baseBody === undefined ? null : (base?.id ?? null),
      keep_start: delta.keepStart,
      keep_end: delta.keepEnd,
      text: delta.text,
    },
  });
  // The next call of this thread builds on it; older ones can be rebuilt from the journal.
  if (base) core.bodies.delete(base.id);
  core.bodies.set(id, event.body);
};

class ResponseText {
  #parts: string[] = [];
  #length = 0;
  truncated = false;
  get isEmpty(): boolean {
    return this.#length === 0;
  }
  add(text: string): void {
    if (this.#length + text.length > RESPONSE_LIMIT) {
      this.truncated = true;
      return;
    }
    this.#parts.push(text);
    this.#length += text.length;
  }
  get text(): string {
    return this.#parts.join('');
  }
}

const priced = (usage: Usage | undefined, model: string): number | null => {
  const usd = usage && costOf(usage, model).usd;
  return usd === undefined ? null : roundUsd(usd);
};

const completedPayload = (
  result: CallResult & { readonly ok: true },
  facts: { readonly requestId: string; readonly model: string; readonly provider: string },
): Payload<'llm.call_completed'> => {
  const { usage, content } = result;
  return {
    request_id: facts.requestId,
    model: facts.model,
    provider: facts.provider,
    input_tokens: usage?.uncached ?? null,
    output_tokens: usage?.output ?? null,
    cached_input_tokens: usage?.read ?? null,
    cache_creation_input_tokens: usage ? writtenTokens(usage) : null,
    cost_usd: priced(usage, facts.model),
    pricing_version: PRICE_BOOK_VERSION,
    latency_ms: Math.max(0, result.endedAt - result.startedAt),
    first_byte_ms: result.firstByteAt === undefined ? null : Math.max(0, result.firstByteAt - result.startedAt),
    stop_reason: result.stopReason,
    produced_tool_calls: content.filter(({ type }) => type === 'tool_use').length,
    produced_thinking_blocks: content.filter(({ type }) => type === 'thinking').length,
    response_id: result.responseId ?? null,
    upstream: result.upstream ?? null,
    attempts: result.attempts,
    usage: usage ?? null,
    diagnosis: result.diagnosis ?? null,
  };
};

const failedPayload = (
  error: ProviderError,
  facts: { readonly requestId: string; readonly model: string; readonly provider: string },
  result: {
    readonly retries: number;
    readonly latencyMs: number;
    readonly final: boolean;
    readonly usage?: Usage | undefined;
  },
): Payload<'llm.call_failed'> => ({
  request_id: facts.requestId,
  model: facts.model,
  provider: facts.provider,
  error_class: error.class,
  error_code: error.code,
  error_message_redacted: error.message,
  next_step: error.nextStep,
  retry_count: result.retries,
  latency_ms: result.latencyMs,
  final: result.final,
  usage: result.usage ?? null,
  cost_usd: priced(result.usage, facts.model),
});

const tellPrediction = (
  core: SessionCore,
  plan: CallPlan,
  requestId: string,
  parent: string,
  shadow: ShadowCall,
): void => {
  const { usage, breakpoints, floor, uncertain, faults } = shadow.forecast;
  core.emit({
    type: 'cache.predicted',
    turnId: plan.turn.id,
    parent,
    payload: {
      request_id: requestId,
      uncached: usage.uncached,
      read: usage.read,
      writes: usage.writes,
      floor: floor ?? null,
      uncertain,
      breakpoints: breakpoints.map(({ label, tokens, ttl, origin, outcome, reason }) => ({
        label,
        tokens,
        ttl,
        origin,
        outcome,
        reason,
      })),
      faults: faults.map(({ rule, message }) => ({ rule, message })),
    },
  });
};

/** Makes one call. Everything that happens is reported in events; only a defect throws. */
export const makeCall = async (core: SessionCore, plan: CallPlan): Promise<CallOutcome> => {
  const { deps, state, emit } = core;
  const { settings } = state;
  if (!settings) throw new Error('a call before the session was configured');
  const { turn, signal } = plan;
  const client = deps.client(settings);
  const request = requestFor(core, plan);
  const wire = client.preview(request);
  const body = core.writeBody(wire.body);
  const estimatedTokens = estimatePrompt(request);
  const requestId = deps.newId();
  const facts = { requestId, model: settings.model, provider: settings.provider };
  const shadow = await deps.shadow.begin({
    requestId,
    provider: settings.provider,
    wire: wire.wire,
    model: settings.model,
    body,
    startedAt: deps.now(),
    scope: deps.scope(settings),
    sessionId: state.sessionId,
  });
  const objection = spendingObjection(
    state,
    settings,
    { forecast: shadow?.forecast, estimatedTokens },
    plan.runCalls?.(),
  );
  if (objection !== undefined) {
    return { kind: 'refused', message: objection };
  }

  const startedId = emit({
    type: 'llm.call_started',
    turnId: turn.id,
    parent: plan.parent,
    payload: {
      model: settings.model,
      provider: settings.provider,
      estimated_input_tokens: estimatedTokens,
      request_id: requestId,
      is_worker: plan.depth > 0,
    },
  });
  if (shadow) tellPrediction(core, plan, requestId, startedId, shadow);
  const news = { turnId: turn.id, requestId };
  deps.onStream?.({ type: 'call', ...news });
  let response = new ResponseText();
  let status: number | null = null;
  let attemptStartedAt = deps.now();
  const onEvent = (event: CallEvent): void => {
    switch (event.type) {
      case 'attempt':
        attemptStartedAt = event.at;
        // The answer to an earlier attempt is reported with its failure.
        response = new ResponseText();
        status = null;
        requestSent(core, plan, requestId, wire.wire, event, startedId);
        shadow?.sent(event.at);
        break;
      case 'attempt_failed':
        // The last attempt's failure is the call's, and is reported after it.
        if (event.retryInMs === undefined) break;
        emit({
          type: 'llm.call_failed',
          turnId: turn.id,
          parent: startedId,
          payload: failedPayload(event.error, facts, {
            retries: event.attempt - 1,
            latencyMs: Math.max(0, deps.now() - attemptStartedAt),
            final: false,
          }),
        });
        deps.onStream?.({ type: 'retry', ...news, message: event.error.message });
        break;
      case 'headers':
        status = event.status;
        break;
      case 'chunk':
        if (response.isEmpty) deps.onStream?.({ type: 'first_byte', ...news });
        response.add(event.text);
        break;
      case 'block_start':
        deps.onStream?.({ type: 'block', ...news, index: event.index, block: event.block });
        break;
      case 'block_stop':
        deps.onStream?.({ type: 'block', ...news, index: event.index, block: event.block });
        break;
      case 'delta':
        deps.onStream?.({ type: 'delta', ...news, index: event.index, kind: event.kind, text: event.text });
        break;
      case 'usage':
        break;
    }
  };
  const result = await client.call(request, { signal, onEvent, prepared: { wire, text: body } });

  emit({
    type: 'response.received',
    turnId: turn.id,
    parent: startedId,
    payload: { request_id: requestId, status, text: response.text, truncated: response.truncated },
  });
  if (!result.ok) {
    shadow?.failed(result);
    emit({
      type: 'llm.call_failed',
      turnId: turn.id,
      parent: startedId,
      payload: failedPayload(result.error, facts, {
        retries: Math.max(0, result.attempts - 1),
        latencyMs: Math.max(0, result.endedAt - result.startedAt),
        final: true,
        usage: result.usage,
      }),
    });
    return { kind: 'failed', eventId: startedId, error: result.error, result };
  }
  const completedId = emit({
    type: 'llm.call_completed',
    turnId: turn.id,
    parent: startedId,
    payload: completedPayload(result, facts),
  });
  shadow?.answered(result);
  const verdict = core.takeVerdict(requestId);
  if (verdict) emit({ type: 'cache.explained', turnId: turn.id, parent: completedId, payload: verdict });
  return { kind: 'answered', eventId: startedId, result };
};
