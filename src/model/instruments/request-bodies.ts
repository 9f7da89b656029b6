/** The bodies of a session's requests, rebuilt from its journal when somebody looks at them. */
import type { LatheEvent } from '../event/types.ts';
import type { Wire } from '../provider/types.ts';
import { bodyOf } from '../event/body-delta.ts';
import type { SessionState } from '../session/state.ts';
import { segmentsOfBody, type BodySegments, type KnownPrompt } from './body-segments.ts';
import { codePointLength } from '../../base/text.ts';
import { blockText } from '../cache/block-tokens.ts';

export interface SentBody {
  readonly body: string;
  readonly wire: Wire;
}

export interface RequestBodies {
  /** Nothing before it was sent, or where the journal lacks it. */
  readonly sent: (requestId: string) => SentBody | undefined;
  readonly segments: (requestId: string) => BodySegments | undefined;
  /** The share of the prompt before the first difference that a verdict names. */
  readonly shareBefore: (requestId: string) => number | undefined;
}

/** The share of a prompt, in characters, that is before a place in one of its blocks. */
export const shareBeforePlace = ({ request }: BodySegments, label: string, offset: number): number | undefined => {
  let before = 0;
  let total = 0;
  let isFound = false;
  for (const block of request.blocks) {
    const length = codePointLength(blockText(block));
    if (block.label === label) {
      isFound = true;
      before = total + Math.min(length, offset);
    }
    total += length;
  }
  return isFound && total > 0 ? before / total : undefined;
};

/** The newest attempt of a request, out of the events of a session that is not open. */
export const sentBodyIn = (events: readonly LatheEvent[], requestId: string): SentBody | undefined => {
  const event = events.findLast((item) => item.type === 'request.sent' && item.payload.request_id === requestId);
  if (event?.type !== 'request.sent') return undefined;
  const body = bodyOf(event, (id) => events.find((item) => item.id === id));
  return body === undefined ? undefined : { body, wire: event.payload.wire };
};

/** Bodies that were read once are kept, as many as a comparison of neighbours needs. */
const KEPT = 24;

export const createRequestBodies = (
  state: () => SessionState | undefined,
  byId: (id: string) => LatheEvent | undefined,
): RequestBodies => {
  const kept = new Map<string, { readonly eventId: string; readonly segments: BodySegments | undefined }>();
  const shares = new Map<string, number | undefined>();

  const known = (): KnownPrompt | undefined => {
    const config = state()?.config;
    return config && { tools: config.tools, stable: config.segments };
  };
  const sent = (requestId: string): SentBody | undefined => {
    const eventId = state()?.callsById.get(requestId)?.requestEventId;
    const event = eventId === undefined ? undefined : byId(eventId);
    if (event?.type !== 'request.sent') return undefined;
    const body = bodyOf(event, byId);
    return body === undefined ? undefined : { body, wire: event.payload.wire };
  };
  const segments = (requestId: string): BodySegments | undefined => {
    const eventId = state()?.callsById.get(requestId)?.requestEventId ?? '';
    const found = kept.get(requestId);
    if (found?.eventId === eventId) return found.segments;
    const whole = sent(requestId);
    const read = whole && segmentsOfBody(whole.body, whole.wire, known());
    const value = read?.ok ? read.value : undefined;
    kept.set(requestId, { eventId, segments: value });
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return value;
  };
  return {
    sent,
    segments,
    shareBefore: (requestId) => {
      if (shares.has(requestId)) return shares.get(requestId);
      const position = state()?.callsById.get(requestId)?.explained?.position;
      const read = position ? segments(requestId) : undefined;
      const share = read && position ? shareBeforePlace(read, position.label, position.offset) : undefined;
      shares.set(requestId, share);
      return share;
    },
  };
};
