/**
 * The calls of a session, from its events: the running session and an exported journal go through the same function, so
 * both have the same verdicts.
 */
import type { Verdict, VerdictPosition } from '../cache/explain/types.ts';
import { applyDelta, bodyOf } from '../event/body-delta.ts';
import type { OwnPrompt } from '../cache/types.ts';
import type { EventOf, LatheEvent, Payload } from '../event/types.ts';
import { type Call, callWithBody, type Conversation } from './call.ts';

type Outcome = EventOf<'llm.call_completed'> | EventOf<'llm.call_failed'>;

/** One attempt at a request. */
export interface JournalCall {
  readonly requestId: string;
  /** Of `request.sent`. */
  readonly eventId: string;
  /** Why there is no call. */
  readonly fault?: string;
  /** Grows by what its end tells. */
  call?: Call;
}

export interface JournalCalls {
  /** Events come in their order. Gives the attempt that this event ended. */
  readonly add: (event: LatheEvent) => JournalCall | undefined;
  /** In the order in which they were sent. */
  readonly all: readonly JournalCall[];
}

/** What is known of how an attempt ended. */
const endOf = (outcome: Outcome, startedAt: number): Partial<Call> => {
  const { usage, latency_ms: latency } = outcome.payload;
  const end = { endedAt: startedAt + latency, ...(usage && { usage }) };
  // One that broke off may have been read all the same; usage tells.
  if (outcome.type === 'llm.call_failed') return { ...end, ...(!usage && { failed: true }) };
  const { first_byte_ms: firstByte, response_id: id, upstream, diagnosis } = outcome.payload;
  return {
    ...end,
    ...(firstByte !== null && { firstByteAt: startedAt + firstByte }),
    ...(diagnosis && { diagnosis }),
    response: { ...(id !== null && { id }), ...(upstream !== null && { upstream }) },
  };
};

/** What differed from another session is not in this journal; that it was seen, is. */
const sharedVerdict = ({ payload }: EventOf<'cache.explained'>): Verdict | undefined => {
  if (payload.cause !== 'shared-prefix-differs') return undefined;
  const { partial, position, evidence, repair, certainty } = payload;
  return {
    kind: payload.kind ?? 'miss',
    cause: payload.cause,
    partial,
    position: position as VerdictPosition | null,
    evidence,
    providerSaid: payload.provider_said,
    usageSays: payload.usage_says,
    tokensLost: payload.lost_tokens,
    costLost: payload.lost_usd ?? undefined,
    repair,
    certainty,
    comparedWith: null,
  };
};

const ownPrompt = (folder: string, { segments, skills }: Payload<'session.configured'>): OwnPrompt => ({
  folder,
  parts: segments,
  skills: skills.map(({ name, file, description_line: descriptionLine, body_line: bodyLine }) => ({
    name,
    file,
    descriptionLine,
    bodyLine,
  })),
});

/** Bodies that are likely to be asked for again: the newest of every conversation that is continuing. */
const KEPT_BODIES = 8;

/** `sentBody`: the body of a `request.sent` event, where somebody still has it. Absent: bodies are built from the journal. */
export const createJournalCalls = (
  byId: (id: string) => LatheEvent | undefined,
  sentBody: (id: string) => string | undefined = () => undefined,
): JournalCalls => {
  const all: JournalCall[] = [];
  const open = new Map<string, { readonly attempt: JournalCall; readonly facts: Omit<Call, 'body'> }>();
  const started = new Map<string, EventOf<'llm.call_started'>>();
  const threads = new Map<string, Conversation>();
  const bodies = new Map<string, string>();
  let folder = '';
  let own: OwnPrompt | undefined;

  const keepBody = (id: string, body: string): void => {
    bodies.delete(id);
    bodies.set(id, body);
    const [oldest] = bodies.keys();
    if (bodies.size > KEPT_BODIES && oldest !== undefined) bodies.delete(oldest);
  };
  const bodyText = (event: EventOf<'request.sent'>): string | undefined => {
    const known = bodies.get(event.id);
    if (known !== undefined) return known;
    const base = bodies.get(event.payload.base_event_id ?? '');
    const body = sentBody(event.id) ?? (base === undefined ? bodyOf(event, byId) : applyDelta(base, event.payload));
    if (body !== undefined) keepBody(event.id, body);
    return body;
  };

  const send = (event: EventOf<'request.sent'>): void => {
    const { request_id: requestId, wire } = event.payload;
    const start = started.get(requestId);
    const fault = !start
      ? 'the journal does not say which model was asked.'
      : bodyText(event) === undefined
        ? 'the journal lacks a body that this one builds on.'
        : undefined;
    const attempt: JournalCall = { requestId, eventId: event.id, ...(fault !== undefined && { fault }) };
    all.push(attempt);
    if (!start || fault !== undefined) return;
    const { provider, model } = start.payload;
    const session = event.session_id;
    const facts: Omit<Call, 'body'> = {
      id: requestId,
      provider,
      wire,
      model,
      startedAt: event.timestamp / 1000,
      sessionId: session,
      harness: { name: 'lathe' },
      conversation: threads.get(event.turn_id ?? '') ?? { id: session, kind: 'main' },
      ...(own && { own }),
    };
    attempt.call = callWithBody(facts, () => bodyText(event) ?? '');
    open.set(requestId, { attempt, facts });
  };

  return {
    all,
    add: (event) => {
      switch (event.type) {
        case 'session.started':
          folder = event.payload.workspace_hash;
          return undefined;
        case 'session.configured':
          own = ownPrompt(folder, event.payload);
          return undefined;
        case 'turn.started': {
          const id = event.turn_id ?? event.id;
          if (event.payload.nested_in !== null)
            threads.set(id, { id: `${event.session_id}/${id}`, kind: 'nested-ask', parent: event.session_id });
          return undefined;
        }
        case 'llm.call_started':
          started.set(event.payload.request_id, event);
          return undefined;
        case 'request.sent':
          send(event);
          return undefined;
        case 'llm.call_completed':
        case 'llm.call_failed': {
          const ended = open.get(event.payload.request_id);
          if (!ended) return undefined;
          open.delete(event.payload.request_id);
          Object.assign(ended.facts, endOf(event, ended.facts.startedAt));
          return ended.attempt;
        }
        case 'cache.explained': {
          const told = sharedVerdict(event);
          const attempt = told && all.findLast(({ requestId }) => requestId === event.payload.request_id);
          if (attempt?.call) Object.assign(attempt.call, { told });
          return undefined;
        }
        default:
          return undefined;
      }
    },
  };
};
