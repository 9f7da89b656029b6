/**
 * Bodies grow by a little on every call. A journal keeps of each only what differs from an earlier one, so that a session's
 * size grows with what was said and not with its square.
 */
import type { EventOf, LatheEvent, Payload } from '../event/types.ts';

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
  return { keepStart, keepEnd, text: body.slice(keepStart, body.length - keepEnd) };
};

const applyDelta = (base: string, payload: Payload<'request.sent'>): string =>
  base.slice(0, payload.keep_start) + payload.text + base.slice(base.length - payload.keep_end);

/** The whole body of a `request.sent` event. Nothing if the journal lacks one that it builds on. */
export const bodyOf = (
  event: EventOf<'request.sent'>,
  byId: (id: string) => LatheEvent | undefined,
): string | undefined => {
  const chain: EventOf<'request.sent'>[] = [];
  for (let at: LatheEvent | undefined = event; at;) {
    if (at.type !== 'request.sent') return undefined;
    chain.push(at);
    if (at.payload.base_event_id === null)
      return chain.toReversed().reduce((body, { payload }) => applyDelta(body, payload), '');
    at = byId(at.payload.base_event_id);
  }
  return undefined;
};
