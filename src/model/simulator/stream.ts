/** The pieces that all streams have in common: deltas, pace, and what a fault does to them. */
import type { FaultKind, SimChunk, SimResponse } from './types.ts';

/** Until the first byte. */
const FIRST_MS = 320;
/** Between two deltas. */
const DELTA_MS = 24;
const SLOW_MS = 1_500;
/** Characters of a delta, about. */
const DELTA_LENGTH = 18;

/** Words in small groups, as a model streams them. Their concatenation is the text. */
export const textDeltas = (text: string): readonly string[] => {
  const deltas: string[] = [];
  for (const [word] of text.matchAll(/\s*\S{1,60}|\s+/gu)) {
    const last = deltas.at(-1);
    if (last !== undefined && last.length + word.length <= DELTA_LENGTH) deltas[deltas.length - 1] = last + word;
    else deltas.push(word);
  }
  return deltas;
};

export interface StreamEvent {
  readonly event?: string;
  readonly data: object | string;
}

const lines = ({ event, data }: StreamEvent): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

export type Streamed = Pick<SimResponse, 'chunks' | 'end'>;

const paced = (texts: readonly string[], fault: FaultKind | undefined): readonly SimChunk[] =>
  texts.map((text, index) => ({
    text,
    afterMs: index === 0 ? FIRST_MS : fault === 'slow' ? SLOW_MS : DELTA_MS,
  }));

/** A stream of events; `error` is what an error in mid-stream looks like on this wire. */
export const streamed = (
  events: readonly StreamEvent[],
  fault: FaultKind | undefined,
  error: StreamEvent,
): Streamed => {
  const texts = events.map(lines);
  const half = texts.slice(0, Math.max(1, Math.floor(texts.length / 2)));
  switch (fault) {
    case 'cut':
      return { chunks: paced(half, fault), end: 'cut' };
    case 'stream_error':
      return { chunks: paced([...half, lines(error)], fault), end: 'close' };
    case 'malformed_sse': {
      const [middle = ''] = texts.slice(half.length);
      const wrong = `${middle.slice(0, Math.floor(middle.length / 2))}\n\n`;
      return { chunks: paced([...half, wrong, ...texts.slice(half.length + 1)], fault), end: 'close' };
    }
    case 'truncated_json': {
      const last = half.at(-1) ?? '';
      return {
        chunks: paced([...half.slice(0, -1), last.slice(0, Math.floor(last.length * 0.7))], fault),
        end: 'close',
      };
    }
    default:
      return { chunks: paced(texts, fault), end: 'close' };
  }
};

/** A body that comes in one piece, after as long as its stream would have taken. */
export const whole = (body: object, deltas: number, fault: FaultKind | undefined): Streamed => {
  const text = JSON.stringify(body);
  const afterMs = FIRST_MS + deltas * (fault === 'slow' ? SLOW_MS : DELTA_MS);
  const half = text.slice(0, Math.floor(text.length / 2));
  switch (fault) {
    case 'cut':
    case 'stream_error':
      return { chunks: [{ text: half, afterMs }], end: 'cut' };
    case 'truncated_json':
      return { chunks: [{ text: half, afterMs }], end: 'close' };
    case 'malformed_sse':
      return { chunks: [{ text: `<html>${half}`, afterMs }], end: 'close' };
    default:
      return { chunks: [{ text, afterMs }], end: 'close' };
  }
};
