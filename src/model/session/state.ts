/**
 * A session is its events. This is the only place where they become something to look at: the live session and a replayed
 * journal go through the same function, so both are the same by construction.
 */
import { applyLoaded, startActivation, type ActivationState } from '../activation/budget.ts';
import type { SessionSettings } from '../event/catalog.ts';
import type { EventOf, LatheEvent, Payload } from '../event/types.ts';
import { promptTokens, type Message, type Usage } from '../provider/types.ts';

/** A conversation: the session's own, or that of one `ask`. */
export interface Thread {
  /** `main`, or the id of the nested turn. */
  readonly id: string;
  readonly messages: ThreadMessage[];
  activation: ActivationState;
}

export interface ThreadMessage extends Message {
  readonly eventId: string;
  readonly turnId: string;
  /** The stream was cut: only its text may be sent again. */
  readonly partial: boolean;
}

export interface TurnState {
  readonly id: string;
  readonly startedEventId: string;
  readonly startedAt: number;
  /** The tool call whose program asked; nothing for a person's turn. */
  readonly nestedIn: string | undefined;
  readonly thread: string;
  status: 'running' | 'completed' | 'cancelled' | 'interrupted';
  endedAt?: number;
  stopReason?: string;
  message?: string;
}

export interface CallState {
  readonly requestId: string;
  readonly turnId: string;
  readonly eventId: string;
  readonly model: string;
  readonly provider: string;
  readonly startedAt: number;
  readonly isNested: boolean;
  /** Those that it was sent with. */
  readonly settings?: SessionSettings;
  status: 'running' | 'completed' | 'failed';
  /** The newest attempt's. */
  requestEventId?: string;
  responseEventId?: string;
  attempts: number;
  usage?: Usage;
  /** Nothing where the price is not known. */
  costUsd?: number;
  completed?: Payload<'llm.call_completed'>;
  failure?: Payload<'llm.call_failed'>;
  predicted?: Payload<'cache.predicted'>;
  explained?: Payload<'cache.explained'>;
  endedAt?: number;
}

export interface ToolState {
  readonly toolUseId: string;
  readonly turnId: string;
  name: string;
  status: 'waiting' | 'running' | 'completed' | 'failed' | 'invalid';
  eventId?: string;
  startedAt?: number;
  latencyMs?: number;
  error?: string;
  metadata?: Payload<'tool.completed'>['metadata'];
  /** Open question to a person. */
  confirmation?: Payload<'tool.confirmation_requested'>;
}

export interface Totals {
  calls: number;
  uncached: number;
  read: number;
  written: number;
  output: number;
  costUsd: number;
  /** Calls whose price is not known, so that `costUsd` is too small. */
  unpriced: number;
}

export interface SessionState {
  readonly sessionId: string;
  startedAt: number;
  workspace: string;
  title: string;
  config: Payload<'session.configured'> | undefined;
  settings: SessionSettings | undefined;
  readonly threads: Map<string, Thread>;
  readonly turns: TurnState[];
  readonly turnsById: Map<string, TurnState>;
  readonly calls: CallState[];
  readonly callsById: Map<string, CallState>;
  readonly tools: Map<string, ToolState>;
  readonly totals: Totals;
  ended: boolean;
  lastEventId: string | undefined;
}

export const MAIN_THREAD = 'main';

const newThread = (id: string, preloaded: readonly string[]): Thread => ({
  id,
  messages: [],
  activation: startActivation(preloaded),
});

export const emptyState = (sessionId: string): SessionState => ({
  sessionId,
  startedAt: 0,
  workspace: '',
  title: '',
  config: undefined,
  settings: undefined,
  threads: new Map([[MAIN_THREAD, newThread(MAIN_THREAD, [])]]),
  turns: [],
  turnsById: new Map(),
  calls: [],
  callsById: new Map(),
  tools: new Map(),
  totals: { calls: 0, uncached: 0, read: 0, written: 0, output: 0, costUsd: 0, unpriced: 0 },
  ended: false,
  lastEventId: undefined,
});

const threadOf = (state: SessionState, turnId: string | null): Thread | undefined => {
  const turn = turnId === null ? undefined : state.turnsById.get(turnId);
  return state.threads.get(turn?.thread ?? MAIN_THREAD);
};

const toolOf = (state: SessionState, toolUseId: string, turnId: string | null, name = ''): ToolState => {
  const known = state.tools.get(toolUseId);
  if (known) return known;
  const tool: ToolState = { toolUseId, turnId: turnId ?? '', name, status: 'waiting' };
  state.tools.set(toolUseId, tool);
  return tool;
};

const addUsage = (totals: Totals, usage: Usage | null, costUsd: number | null): void => {
  if (!usage) return;
  totals.uncached += usage.uncached;
  totals.read += usage.read;
  totals.written += promptTokens(usage) - usage.uncached - usage.read;
  totals.output += usage.output;
  if (costUsd === null) totals.unpriced++;
  else totals.costUsd += costUsd;
};

const onTurn = (state: SessionState, event: EventOf<'turn.started'>): void => {
  const id = event.turn_id ?? event.id;
  const nestedIn = event.payload.nested_in ?? undefined;
  const thread = nestedIn === undefined ? MAIN_THREAD : id;
  // An `ask` has its own budget, which starts from what is in the prompt already (D28).
  if (nestedIn !== undefined) state.threads.set(thread, newThread(thread, state.config?.preloaded ?? []));
  const turn: TurnState = {
    id,
    startedEventId: event.id,
    startedAt: event.timestamp,
    nestedIn,
    thread,
    status: 'running',
  };
  state.turns.push(turn);
  state.turnsById.set(id, turn);
};

const endTurn = (
  state: SessionState,
  event: LatheEvent,
  end: Pick<TurnState, 'status' | 'stopReason' | 'message'>,
): void => {
  const turn = state.turnsById.get(event.turn_id ?? '');
  if (turn) Object.assign(turn, end, { endedAt: event.timestamp });
};

const onMessage = (state: SessionState, event: EventOf<'message.appended'>): void => {
  const { role, content, partial } = event.payload;
  threadOf(state, event.turn_id)?.messages.push({
    role,
    content,
    partial,
    eventId: event.id,
    turnId: event.turn_id ?? '',
  });
  for (const block of content) {
    if (block.type === 'tool_use') toolOf(state, block.id, event.turn_id, block.name).name = block.name;
  }
};

const onCallStarted = (state: SessionState, event: EventOf<'llm.call_started'>): void => {
  const { request_id: requestId, model, provider, is_worker: isNested } = event.payload;
  const call: CallState = {
    requestId,
    turnId: event.turn_id ?? '',
    eventId: event.id,
    model,
    provider,
    startedAt: event.timestamp,
    isNested,
    ...(state.settings && { settings: state.settings }),
    status: 'running',
    attempts: 0,
  };
  state.calls.push(call);
  state.callsById.set(requestId, call);
  state.totals.calls++;
};

const onCallEnd = (state: SessionState, event: EventOf<'llm.call_completed'> | EventOf<'llm.call_failed'>): void => {
  const call = state.callsById.get(event.payload.request_id);
  if (event.type === 'llm.call_failed' && !event.payload.final) return;
  addUsage(state.totals, event.payload.usage, event.payload.cost_usd);
  // It was answered, so it cost something; nobody said what.
  if (event.type === 'llm.call_completed' && !event.payload.usage) state.totals.unpriced++;
  if (!call) return;
  call.endedAt = event.timestamp;
  if (event.payload.usage) call.usage = event.payload.usage;
  if (event.payload.cost_usd !== null) call.costUsd = event.payload.cost_usd;
  if (event.type === 'llm.call_completed') {
    call.status = 'completed';
    call.completed = event.payload;
  } else {
    call.status = 'failed';
    call.failure = event.payload;
  }
};

const leaveTool = (tool: ToolState): void => {
  if (tool.status !== 'running' && tool.status !== 'waiting') return;
  tool.status = 'failed';
  tool.error = 'The session was left before this call ended.';
  delete tool.confirmation;
};

const onTool = (
  state: SessionState,
  event: EventOf<'tool.called'> | EventOf<'tool.completed'> | EventOf<'tool.failed'> | EventOf<'tool.input_invalid'>,
): void => {
  const tool = toolOf(state, event.payload.tool_use_id, event.turn_id);
  delete tool.confirmation;
  switch (event.type) {
    case 'tool.called':
      tool.name = event.payload.tool_name;
      tool.status = 'running';
      tool.eventId = event.id;
      tool.startedAt = event.timestamp;
      break;
    case 'tool.completed':
      tool.status = event.payload.success ? 'completed' : 'failed';
      tool.latencyMs = event.payload.latency_ms;
      tool.metadata = event.payload.metadata;
      break;
    case 'tool.failed':
      tool.status = 'failed';
      tool.latencyMs = event.payload.latency_ms;
      tool.error = event.payload.error_message;
      break;
    case 'tool.input_invalid':
      tool.status = 'invalid';
      tool.error = event.payload.validation_errors.join('\n');
      break;
  }
};

const onCallNews = (state: SessionState, event: LatheEvent): void => {
  switch (event.type) {
    case 'request.sent': {
      const call = state.callsById.get(event.payload.request_id);
      if (!call) return;
      call.requestEventId = event.id;
      call.attempts = event.payload.attempt;
      return;
    }
    case 'response.received': {
      const call = state.callsById.get(event.payload.request_id);
      if (call) call.responseEventId = event.id;
      return;
    }
    case 'cache.predicted': {
      const call = state.callsById.get(event.payload.request_id);
      if (call) call.predicted = event.payload;
      return;
    }
    case 'cache.explained': {
      const call = state.callsById.get(event.payload.request_id);
      if (call) call.explained = event.payload;
      return;
    }
    default:
      return;
  }
};

/** Adds one event. The state belongs to the caller; nobody else changes it. */
export const applyEvent = (state: SessionState, event: LatheEvent): void => {
  state.lastEventId = event.id;
  switch (event.type) {
    case 'session.started':
      state.startedAt = event.timestamp;
      state.workspace = event.payload.workspace_path;
      return;
    case 'session.configured':
      state.config = event.payload;
      state.settings = event.payload.settings;
      state.title = event.payload.title;
      state.threads.set(MAIN_THREAD, newThread(MAIN_THREAD, event.payload.preloaded));
      return;
    case 'session.settings_changed':
      state.settings = event.payload.settings;
      return;
    case 'session.renamed':
      state.title = event.payload.title;
      return;
    case 'session.resumed':
      // Whatever ran when the page was closed no longer runs.
      for (const turn of state.turns) if (turn.status === 'running') turn.status = 'interrupted';
      for (const call of state.calls) if (call.status === 'running') call.status = 'failed';
      for (const tool of state.tools.values()) leaveTool(tool);
      return;
    case 'session.ended':
      state.ended = true;
      return;
    case 'turn.started':
      onTurn(state, event);
      return;
    case 'turn.completed':
      endTurn(state, event, { status: 'completed', stopReason: event.payload.stop_reason });
      return;
    case 'turn.cancelled':
      endTurn(state, event, {
        status: 'cancelled',
        stopReason: event.payload.reason,
        message: event.payload.message,
      });
      return;
    case 'message.appended':
      onMessage(state, event);
      return;
    case 'llm.call_started':
      onCallStarted(state, event);
      return;
    case 'llm.call_completed':
    case 'llm.call_failed':
      onCallEnd(state, event);
      return;
    case 'skill.loaded': {
      const thread = threadOf(state, event.turn_id);
      if (thread) thread.activation = applyLoaded(thread.activation, event.payload);
      return;
    }
    case 'tool.called':
    case 'tool.completed':
    case 'tool.failed':
    case 'tool.input_invalid':
      onTool(state, event);
      return;
    case 'tool.confirmation_requested':
      toolOf(state, event.payload.tool_use_id, event.turn_id, event.payload.tool_name).confirmation = event.payload;
      return;
    case 'tool.confirmation_resolved':
      delete toolOf(state, event.payload.tool_use_id, event.turn_id).confirmation;
      return;
    default:
      onCallNews(state, event);
  }
};

export const replay = (sessionId: string, events: Iterable<LatheEvent>): SessionState => {
  const state = emptyState(sessionId);
  for (const event of events) applyEvent(state, event);
  return state;
};
