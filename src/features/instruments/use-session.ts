import { useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { createRequestBodies, type RequestBodies } from '../../model/instruments/request-bodies.ts';
import type { SessionStore, SessionsState } from '../../stores/session-types.ts';

/** A part of the sessions' state; `revision` among what is picked redraws with every change of the journal. */
export const useSessions = <T>(store: SessionStore, pick: (state: SessionsState) => T): T => useStore(store, pick);

const BODIES = new WeakMap<object, RequestBodies>();

/** One reader of bodies for all instruments of a session: what one has read, the others need not read again. */
export const bodiesOf = (store: SessionStore): RequestBodies | undefined => {
  const journal = store.journal();
  if (!journal) return undefined;
  const known = BODIES.get(journal);
  if (known) return known;
  const made = createRequestBodies(store.state, journal.byId);
  BODIES.set(journal, made);
  return made;
};

const everySecond = (listener: () => void): (() => void) => {
  const timer = setInterval(listener, 1000);
  return () => clearInterval(timer);
};
const never = (): (() => void) => () => {};

/** The time in which a session lives, in whole seconds; it pauses where nobody needs it. */
export const useClock = (store: SessionStore, isRunning: boolean): number =>
  useSyncExternalStore(isRunning ? everySecond : never, () => Math.floor(store.now() / 1000)) * 1000;
