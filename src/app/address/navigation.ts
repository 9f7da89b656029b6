/** Where the user is. The address is the truth: reload, back and forward come to the same place. */
import { formatUrlState, parseUrlState, type UrlState } from './url-state.ts';

/** The part of a window that navigation needs. */
export interface AddressBar {
  readonly hash: () => string;
  readonly push: (hash: string) => void;
  readonly replace: (hash: string) => void;
  /** Back, forward, or a link that was edited by hand. */
  readonly onMove: (listener: () => void) => void;
}

/** `undefined` takes a word away. */
export type UrlPatch = { readonly [K in keyof UrlState]: UrlState[K] | undefined };

export interface Navigation {
  readonly get: () => UrlState;
  readonly subscribe: (listener: () => void) => () => void;
  /** The user went somewhere: back returns from it. */
  readonly go: (patch: UrlPatch) => void;
  /** The page settled something by itself: back does not stop here. */
  readonly settle: (patch: UrlPatch) => void;
}

const merge = (state: UrlState, patch: UrlPatch): UrlState => {
  const merged = Object.fromEntries(
    Object.entries({ ...state, ...patch }).filter(([, value]) => value !== undefined),
  ) as UrlState;
  // What is read back, so that a place looks the same before and after a reload.
  return parseUrlState(formatUrlState(merged));
};

export const createNavigation = (bar: AddressBar): Navigation => {
  const listeners = new Set<() => void>();
  let state = parseUrlState(bar.hash());

  const move = (patch: UrlPatch, write: (hash: string) => void): void => {
    const next = merge(state, patch);
    const hash = formatUrlState(next);
    if (hash === formatUrlState(state)) return;
    state = next;
    write(hash);
    for (const listener of listeners) listener();
  };

  bar.onMove(() => {
    state = parseUrlState(bar.hash());
    for (const listener of listeners) listener();
  });

  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    go: (patch) => move(patch, bar.push),
    settle: (patch) => move(patch, bar.replace),
  };
};
