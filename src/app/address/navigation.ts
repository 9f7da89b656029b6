/** Where the user is. The address is the truth: reload, back and forward come to the same place. */
import { viewAt } from './panel-address.ts';
import { formatUrlState, parseUrlState, type UrlPatch, type UrlState } from './url-state.ts';

/** The part of a window that navigation needs. */
export interface AddressBar {
  readonly hash: () => string;
  readonly push: (hash: string) => void;
  readonly replace: (hash: string) => void;
  /** Back, forward, or a link that was edited by hand. */
  readonly onMove: (listener: () => void) => void;
}

export interface Navigation {
  readonly get: () => UrlState;
  readonly subscribe: (listener: () => void) => () => void;
  /** The user went somewhere: back returns from it. */
  readonly go: (patch: UrlPatch) => void;
  /** The page settled something by itself: back does not stop here. */
  readonly settle: (patch: UrlPatch) => void;
}

const merge = (state: UrlState, patch: UrlPatch): UrlState => {
  // Only who names a view goes to another one.
  const view = viewAt({ view: patch.view ?? viewAt(state).id }).id;
  const { view: _named, ...rest } = Object.fromEntries(
    Object.entries({ ...state, ...patch }).filter(([, value]) => value !== undefined),
  ) as UrlState;
  // A view that the rest names anyway is not named again: one place has one address.
  const merged = viewAt(rest).id === view ? rest : { ...rest, view };
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
