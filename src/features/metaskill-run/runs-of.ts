import { type RunView, runViews } from '../../model/instruments/run-view.ts';
import type { SessionStore } from '../../stores/session-types.ts';

const KNOWN = new WeakMap<SessionStore, { readonly key: string; readonly views: readonly RunView[] }>();

/** All runs of the current session, oldest first; computed once for each of its revisions, for all that ask. */
export const runsOf = (store: SessionStore): readonly RunView[] => {
  const { revision, currentId = '' } = store.getState();
  const key = `${currentId} ${revision}`;
  const known = KNOWN.get(store);
  if (known?.key === key) return known.views;
  const state = store.state();
  const views = state ? runViews(state, store.journal()?.events ?? []) : [];
  KNOWN.set(store, { key, views });
  return views;
};
