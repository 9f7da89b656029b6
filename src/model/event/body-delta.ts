/**
 * Bodies grow by a little on every call. A journal keeps of each only what differs from an earlier one, so that a session's
 * size grows with what was said and not with its square.
 */
import { copied } from '../../base/text.ts';
import type { EventOf, LatheEvent, Payload } from './types.ts';

export interface BodyDelta {
  readonly keepStart: number;
  readonly keepEnd: number;
  readonly text: string;
}

/** Compares in large steps first: a growing conversation shares nearly everything. */
const sharedStart = (a: string, b: string): number => {
  const most = Math.min(a.length, b.length);
  let at = 0;
  for (let step = 65_536; step >= 64; step >>= 2) {
    while (at + step <= most && a.slice(at, at + step) === b.slice(at, at + step)) at += step;
  }
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
};

const sharedEnd = (a: string, b: string, most: number): number => {
  let count = 0;
  while (count < most && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count)) count++;
  return count;
};

export const deltaOf = (base: string, body: string): BodyDelta => {
  const keepStart = sharedStart(base, body);
  const keepEnd = sharedEnd(base, body, Math.min(base.length, body.length) - keepStart);
  return { keepStart, keepEnd, text: copied(body.slice(keepStart, body.length - keepEnd)) };
};

/** Nothing if it keeps what the base does not have: journals come from outside too, and such a body could grow without end. */
export const applyDelta = (base: string | undefined, payload: Payload<'request.sent'>): string | undefined => {
  const { keep_start: start, keep_end: end, text } = payload;
  if (base === undefined || start < 0 || end < 0 || start + end > base.length) return undefined;
  return base.slice(0, start) + text + base.slice(base.length - end);
};

/** The whole body of a `request.sent` event. Nothing if the journal lacks one that it builds on, or builds in a circle. */
export const bodyOf = (
  event: EventOf<'request.sent'>,
  byId: (id: string) => LatheEvent | undefined,
): string | undefined => {
  const chain = new Set<EventOf<'request.sent'>>();
  for (let at: LatheEvent | undefined = event; at;) {
    if (at.type !== 'request.sent' || chain.has(at)) return undefined;
    chain.add(at);
    if (at.payload.base_event_id === null)
      return [...chain].toReversed().reduce<string | undefined>((body, { payload }) => applyDelta(body, payload), '');
    at = byId(at.payload.base_event_id);
  }
  return undefined;
};

type Sent = EventOf<'request.sent'>;

/** Strings of requests, each kept as long as a later request of the journal builds on it. */
export interface BaseTexts {
  /** Asked once per request, in the order of the journal. Nothing if it was not put, or is needed no more. */
  readonly of: (event: Sent) => string | undefined;
  readonly put: (event: Sent, text: string) => void;
}

export const createBaseTexts = (events: readonly LatheEvent[]): BaseTexts => {
  const users = new Map<string, number>();
  for (const event of events) {
    const base = event.type === 'request.sent' ? event.payload.base_event_id : null;
    if (base !== null) users.set(base, (users.get(base) ?? 0) + 1);
  }
  const texts = new Map<string, string>();
  return {
    of: ({ payload: { base_event_id: base } }) => {
      if (base === null) return undefined;
      const text = texts.get(base);
      const left = (users.get(base) ?? 0) - 1;
      users.set(base, left);
      if (left <= 0) texts.delete(base);
      return text;
    },
    put: ({ id }, text) => {
      if ((users.get(id) ?? 0) > 0) texts.set(id, text);
    },
  };
};
