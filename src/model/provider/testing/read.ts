import { readerFor } from '../read-stream.ts';
import type { ReadResult } from '../stream-parts.ts';
import type { CallEvent, Wire } from '../types.ts';

/** What a reader makes of these events, and what it told while they came. */
export const read = (wire: Wire, events: readonly unknown[]): ReadResult & { readonly told: readonly CallEvent[] } => {
  const reader = readerFor(wire);
  const told = events.flatMap((event) => reader.push(event));
  return { ...reader.finish(), told };
};
