/** One call as it went over the wire. */
import { parseJson } from '../../base/json.ts';
import type { EventOf, LatheEvent } from '../event/types.ts';
import { parseSse } from '../provider/sse.ts';
import { bodyOf } from '../event/body-delta.ts';
import type { Wire } from '../provider/types.ts';

export interface RawAttempt {
  readonly attempt: number;
  readonly wire: Wire;
  readonly url: string;
  /** The exact body; nothing if the journal lacks an earlier one that it builds on. */
  readonly body: string | undefined;
}

export interface RawChunk {
  readonly event: string;
  readonly data: string;
}

export interface RawCall {
  readonly requestId: string;
  readonly provider: string;
  readonly model: string;
  readonly attempts: readonly RawAttempt[];
  /** Nothing while it is in progress. */
  readonly response: { readonly status: number | null; readonly text: string; readonly truncated: boolean } | undefined;
}

interface Journal {
  readonly events: readonly LatheEvent[];
  readonly byId: (id: string) => LatheEvent | undefined;
}

const ofRequest =
  <T extends 'request.sent' | 'response.received' | 'llm.call_started'>(type: T, requestId: string) =>
  (event: LatheEvent): event is LatheEvent & EventOf<T> =>
    event.type === type && (event as EventOf<T>).payload.request_id === requestId;

/** Nothing if there is no such call. */
export const rawCall = (journal: Journal, requestId: string): RawCall | undefined => {
  const started = journal.events.find(ofRequest('llm.call_started', requestId));
  if (!started) return undefined;
  const response = journal.events.findLast(ofRequest('response.received', requestId));
  return {
    requestId,
    provider: started.payload.provider,
    model: started.payload.model,
    attempts: journal.events.filter(ofRequest('request.sent', requestId)).map((event) => ({
      attempt: event.payload.attempt,
      wire: event.payload.wire,
      url: event.payload.url,
      body: bodyOf(event, journal.byId),
    })),
    response: response && {
      status: response.payload.status,
      text: response.payload.text,
      truncated: response.payload.truncated,
    },
  };
};

/** The events of a streamed response; nothing for one that was no stream. */
export const chunksOf = (text: string): readonly RawChunk[] => {
  if (!/^(?:event|data|:)/m.test(text)) return [];
  return parseSse(text).map(({ event, data }) => ({ event: event ?? 'data', data }));
};

/** JSON with two spaces, or the text itself. */
export const prettyJson = (text: string): string => {
  const parsed = parseJson(text);
  return parsed.ok ? JSON.stringify(parsed.value, null, 2) : text;
};
