import { useMemo } from 'react';
import { useStore } from 'zustand';
import { earlierRow, firstToLookAt, type WaterfallRow, waterfallRows } from '../../model/instruments/waterfall-view.ts';
import { rowInRange, type TimeRange } from '../../model/instruments/time-axis.ts';
import type { Recording, RecordingsStore } from '../../stores/recordings-store.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import { chosenCall } from './requests.ts';
import { bodiesOf, useSessions } from './use-session.ts';

export interface RequestStores {
  readonly sessions: SessionStore;
  readonly recordings: RecordingsStore;
}

/** Rows of sessions that were in front while this page was open, newest session last. */
const SEEN = new WeakMap<SessionStore, Map<string, readonly WaterfallRow[]>>();

/** The request that the first one here is compared with; before there is one, the last of the previous session. */
const earlierOf = (
  seen: ReadonlyMap<string, readonly WaterfallRow[]>,
  { id, removed }: { readonly id: string | undefined; readonly removed: string | undefined },
  rows: readonly WaterfallRow[],
) => {
  const others = [...seen].flatMap(([session, own]) => (session === id || session === removed ? [] : [own]));
  const newest = others.at(-1)?.findLast(({ depth }) => depth === 0);
  const [first] = rows;
  if (!first) return id === undefined ? newest : undefined;
  const compared = first.verdict?.previous_request_id;
  // What it read was left there.
  if (compared == null) return (first.actual ?? first.predicted)?.read ? newest : undefined;
  for (const own of others) for (const row of own) if (row.key === compared) return row;
  return undefined;
};

type SessionRows = { readonly rows: readonly WaterfallRow[]; readonly drawn: readonly WaterfallRow[] };

/** Rows of the session, made again when its journal grew. */
const useSessionRows = (store: SessionStore): SessionRows => {
  const revision = useSessions(store, (state) => state.revision);
  const id = useSessions(store, (state) => state.currentId);
  const removed = useSessions(store, (state) => state.removed?.id);
  return useMemo(() => {
    const state = store.state();
    const bodies = bodiesOf(store);
    const rows =
      state && revision >= 0 ? waterfallRows({ state, ...(bodies && { shareBefore: bodies.shareBefore }) }) : [];
    const seen = SEEN.get(store) ?? new Map<string, readonly WaterfallRow[]>();
    SEEN.set(store, seen);
    if (id !== undefined && rows.length > 0) {
      seen.delete(id);
      seen.set(id, rows);
    }
    const before = earlierOf(seen, { id, removed }, rows);
    return { rows, drawn: before ? [earlierRow(before), ...rows] : rows };
  }, [store, revision, id, removed]);
};

export interface ShownRequests {
  readonly rows: readonly WaterfallRow[];
  /** Also those outside the range of time that is looked at. */
  readonly all: readonly WaterfallRow[];
  readonly range: TimeRange | undefined;
  /** These, and the one of the session before that the first is compared with. */
  readonly drawn: readonly WaterfallRow[];
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
  const recorded = useMemo(() => recording?.calls.map(({ row }) => row), [recording]);
  const range = useStore(recordings, (state) => state.range);
  const all = recorded ?? own.rows;
  const rows = useMemo(() => (range ? all.filter((row) => rowInRange(row, range)) : all), [all, range]);
  const key = recording ? chosen : chosenCall(sessions.state()?.calls ?? [], selection)?.requestId;
  const found = rows.find((row) => row.key === key);
  return {
    rows,
    all,
    range,
    drawn: range || recorded ? rows : own.drawn,
    recording,
    selected: found ?? (recording ? firstToLookAt(rows) : rows.at(-1)),
    select: (row) => {
      if (recording) recordings.choose(row.key);
      else if (row.source === 'session')
        sessions.select({ requestId: row.key, ...(row.turnId !== undefined && { turnId: row.turnId }) });
    },
  };
};
