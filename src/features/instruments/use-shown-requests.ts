import { useMemo } from 'react';
import { useStore } from 'zustand';
import { firstToLookAt, type WaterfallRow, waterfallRows } from '../../model/instruments/waterfall-view.ts';
import type { Recording, RecordingsStore } from '../../stores/recordings-store.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import { chosenCall } from './requests.ts';
import { bodiesOf, useSessions } from './use-session.ts';

export interface RequestStores {
  readonly sessions: SessionStore;
  readonly recordings: RecordingsStore;
}

/** Rows of the session, made again when its journal grew. */
const useSessionRows = (store: SessionStore): readonly WaterfallRow[] => {
  const revision = useSessions(store, (state) => state.revision);
  return useMemo(() => {
    const state = store.state();
    const bodies = bodiesOf(store);
    return state && revision >= 0 ? waterfallRows({ state, ...(bodies && { shareBefore: bodies.shareBefore }) }) : [];
  }, [store, revision]);
};

export interface ShownRequests {
  readonly rows: readonly WaterfallRow[];
  /** Nothing: the rows are those of the session. */
  readonly recording: Recording | undefined;
  readonly selected: WaterfallRow | undefined;
  readonly select: (row: WaterfallRow) => void;
}

/** The requests in front, of the session or of a recording. All panels of the view follow the same one. */
export const useShownRequests = ({ sessions, recordings }: RequestStores): ShownRequests => {
  const own = useSessionRows(sessions);
  const recording = useStore(recordings, (state) => state.shown);
  const chosen = useStore(recordings, (state) => state.chosen);
  const selection = useSessions(sessions, (state) => state.selection);
  const rows = useMemo(() => recording?.calls.map(({ row }) => row) ?? own, [recording, own]);
  const key = recording ? chosen : chosenCall(sessions.state()?.calls ?? [], selection)?.requestId;
  const found = rows.find((row) => row.key === key);
  return {
    rows,
    recording,
    selected: found ?? (recording ? firstToLookAt(rows) : undefined),
    select: (row) => {
      if (recording) recordings.choose(row.key);
      else if (row.source === 'session')
        sessions.select({ requestId: row.key, ...(row.turnId !== undefined && { turnId: row.turnId }) });
    },
  };
};
