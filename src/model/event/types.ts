import type { z } from '../zod.ts';
import type { catalog } from './catalog.ts';
import type { Actor, Sensitivity } from './envelope.ts';

export type EventType = keyof typeof catalog;
export type Payload<T extends EventType> = z.infer<(typeof catalog)[T]['payload']>;

/** One event of a session, as it is kept, shown and exported. */
export type LatheEvent = { [T in EventType]: EventOf<T> }[EventType];

export interface EventOf<T extends EventType> {
  /** A ULID; later events have greater ids. */
  readonly id: string;
  /** Microseconds since 1970, UTC. */
  readonly timestamp: number;
  readonly session_id: string;
  readonly turn_id: string | null;
  /** What caused it. */
  readonly parent_event_id: string | null;
  readonly type: T;
  readonly actor: Actor;
  readonly sensitivity: Sensitivity;
  readonly payload: Payload<T>;
}

/** What a caller says of an event; the journal adds id, time, session and sensitivity. */
export type EventDraft = { [T in EventType]: DraftOf<T> }[EventType];

export interface DraftOf<T extends EventType> {
  readonly type: T;
  readonly payload: Payload<T>;
  /** By default the catalog's. */
  readonly actor?: Actor;
  readonly turnId?: string | null;
  readonly parent?: string | null;
}
