import { type RefObject, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
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

/** The width of an element's content, in pixels; 0 before it is in the page. */
export const useWidth = <E extends HTMLElement>(): readonly [RefObject<E | null>, number] => {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState(0);
  // Before the first paint: what is laid out by the width would jump.
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const { paddingLeft, paddingRight } = getComputedStyle(element);
    setWidth(Math.round(element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)));
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
};

const everySecond = (listener: () => void): (() => void) => {
  const timer = setInterval(listener, 1000);
  return () => clearInterval(timer);
};
const never = (): (() => void) => () => {};

/** The time in which a session lives, in whole seconds; it stands still where nobody needs it. */
export const useClock = (store: SessionStore, isRunning: boolean): number =>
  useSyncExternalStore(isRunning ? everySecond : never, () => Math.floor(store.now() / 1000)) * 1000;
