/** The calls of an exported session: a journal holds each body as its difference to an earlier one. */
import { isObject, parseJson } from '../../../base/json.ts';
import { valueOr } from '../../../base/result.ts';
import { importJsonl } from '../../event/jsonl.ts';
import type { EventOf, LatheEvent } from '../../event/types.ts';
import { bodyOf } from '../../event/body-delta.ts';
import type { RecordedCall } from '../types.ts';
import type { Recording, RecordingFault } from './types.ts';

type Outcome = EventOf<'llm.call_completed'> | EventOf<'llm.call_failed'>;

export const isJournal = (text: string): boolean => {
  const header = valueOr(parseJson(text.slice(0, /\r|\n|$/.exec(text)?.index)), undefined);
  return isObject(header) && header['lathe'] === 'journal';
};

const isOutcome = (event: LatheEvent): event is Outcome =>
  event.type === 'llm.call_completed' || event.type === 'llm.call_failed';

/** What is known of how an attempt ended. */
const endOf = (outcome: Outcome | undefined, startedAt: number): Partial<RecordedCall> => {
  if (!outcome) return {};
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

/** Every attempt is a call; the first end that is told behind it is its own. */
const callOf = (
  event: EventOf<'request.sent'>,
  events: readonly LatheEvent[],
  byId: ReadonlyMap<string, LatheEvent>,
): RecordedCall | string => {
  const { request_id: requestId, wire } = event.payload;
  const started = events.find((item) => item.type === 'llm.call_started' && item.payload.request_id === requestId);
  const body = bodyOf(event, (id) => byId.get(id));
  if (started?.type !== 'llm.call_started') return 'the journal does not say which model was asked.';
  if (body === undefined) return 'the journal lacks a body that this one builds on.';
  const { provider, model } = started.payload;
  const outcome = events.find(
    (item): item is Outcome => isOutcome(item) && item.payload.request_id === requestId && item.id > event.id,
  );
  const startedAt = event.timestamp / 1000;
  return { provider, wire, model, body, startedAt, sessionId: event.session_id, ...endOf(outcome, startedAt) };
};

const linesById = (text: string): ReadonlyMap<unknown, number> =>
  new Map(
    text.split('\n').map((line, index) => {
      const value = valueOr(parseJson(line), undefined);
      return [isObject(value) ? value['id'] : undefined, index + 1];
    }),
  );

export const readJournal = (text: string): Recording => {
  const journal = importJsonl(text);
  if (!journal.ok) return { calls: [], lines: [], faults: [journal.error] };
  const { events, content } = journal.value;
  const faults: RecordingFault[] = [...journal.value.faults];
  if (content === 'catalog')
    faults.push({ line: 1, message: 'this journal was exported without content, so it has no requests to explain.' });
  const numbers = linesById(text);
  const byId = new Map(events.map((event) => [event.id, event]));
  const calls: RecordedCall[] = [];
  const lines: number[] = [];
  for (const event of events) {
    if (event.type !== 'request.sent') continue;
    const call = callOf(event, events, byId);
    const line = numbers.get(event.id) ?? 1;
    if (typeof call === 'string') faults.push({ line, message: call });
    else {
      calls.push(call);
      lines.push(line);
    }
  }
  return { calls, lines, faults };
};
