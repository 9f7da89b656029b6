import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { durationText, plural } from '../../base/text.ts';
import { describeEvent, statusOf } from '../../model/event/describe.ts';
import { type Filter, parseFilter } from '../../model/event/filter.ts';
import type { Journal } from '../../model/event/journal.ts';
import type { JournalContent } from '../../model/event/jsonl.ts';
import type { LatheEvent } from '../../model/event/types.ts';
import { createEventView, type EventView } from '../../model/event/view.ts';
import { grouped, sinceStart } from '../../model/instruments/figures.ts';
import type { Selection, SessionStore } from '../../stores/session-types.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Column, type Rows, VirtualTable } from '../../ui/virtual-table.tsx';
import type { TimeRange } from '../../model/instruments/time-axis.ts';
import { RangeNote } from '../instruments/range-note.tsx';
import { useSessions } from '../instruments/use-session.ts';
import { EventDetail } from './event-detail.tsx';
import styles from './event-stream.module.css';
import { FilterField } from './filter-field.tsx';
import { StatusMark } from './status-mark.tsx';

export type EventStreamProps = {
  readonly store: SessionStore;
  /** The part of the time that is looked at; nothing is left out otherwise. */
  readonly range?: TimeRange | undefined;
  readonly onAllTime?: (() => void) | undefined;
  /** Saves a text as a file. */
  readonly onSave: (name: string, text: string) => void;
};

/** Older events leave the table, never the journal. */
const MOST_ROWS = 200_000;

type Shown = {
  readonly view: EventView;
  changes: number;
  /** The last filter that could be read. */
  filter: string;
  range: TimeRange | undefined;
};

/** One view per journal: filter and pause stay when the tab is left. */
const VIEWS = new WeakMap<Journal, Shown>();

const viewOf = (journal: Journal): Shown => {
  const known = VIEWS.get(journal);
  if (known) return known;
  const made: Shown = { view: createEventView(journal, MOST_ROWS), changes: 0, filter: '', range: undefined };
  VIEWS.set(journal, made);
  return made;
};

const filterBy = (shown: Shown, text: string, filter: Filter, range: TimeRange | undefined): void => {
  shown.filter = text;
  shown.range = range;
  if (!range) {
    shown.view.setFilter(filter.isEmpty ? undefined : filter);
    return;
  }
  const [from, to] = [range.from * 1000, range.to * 1000];
  shown.view.setFilter({
    ...filter,
    isEmpty: false,
    test: (event, index) => event.timestamp >= from && event.timestamp <= to && filter.test(event, index),
  });
};

/** Redraws at most once per frame. */
const subscribeTo = (shown: Shown | undefined) => (listener: () => void) => {
  let frame = 0;
  const following = shown?.view.subscribe(() => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      shown.changes++;
      listener();
    });
  });
  return () => {
    cancelAnimationFrame(frame);
    following?.[Symbol.dispose]();
  };
};

const useEventView = (store: SessionStore): Shown | undefined => {
  const journal = useSessions(store, store.journal);
  const shown = useMemo(() => (journal ? viewOf(journal) : undefined), [journal]);
  const subscribe = useMemo(() => subscribeTo(shown), [shown]);
  useSyncExternalStore(subscribe, () => shown?.changes ?? 0);
  return shown;
};

const columnsFor = (view: EventView, startedAt: number): readonly Column<LatheEvent>[] => [
  {
    id: 'time',
    header: 'Time',
    width: 'clamp(72px, 8%, 86px)',
    cell: ({ timestamp }) => <span className={styles['mono']}>{sinceStart((timestamp - startedAt) / 1000)}</span>,
  },
  { id: 'status', header: 'Status', width: '64px', cell: (event) => <StatusMark status={statusOf(event)} /> },
  {
    id: 'type',
    header: 'Type',
    width: 'clamp(132px, 17%, 210px)',
    cell: (event) => (
      <span className={styles['type']} data-status={statusOf(event)}>
        {event.type}
      </span>
    ),
  },
  { id: 'turn', header: 'Turn', width: '32px', cell: (event) => view.index.turnOf(event) ?? '' },
  {
    id: 'took',
    header: 'Duration',
    width: 'clamp(56px, 6%, 72px)',
    cell: (event) => {
      const ms = view.index.durationOf(event);
      return <span className={styles['mono']}>{ms === undefined ? '' : durationText(ms)}</span>;
    },
  },
  {
    id: 'text',
    header: 'Summary',
    width: 'minmax(0, 1fr)',
    cell: (event) => <span className={styles['text']}>{describeEvent(event, { index: view.index })}</span>,
  },
];

const Exports = ({ store, onSave }: EventStreamProps) => {
  const save = (content: JournalContent): void =>
    onSave(
      `${store.journal()?.sessionId ?? 'session'}${content === 'all' ? '' : '-catalog'}.jsonl`,
      store.exportJournal(content),
    );
  return (
    <>
      <Button tip="Everything, including content. You can open the file again." onPress={() => save('all')}>
        Export JSONL
      </Button>
      <Button
        tip="Types, times, and counts, without content. You can't open the file again."
        onPress={() => save('catalog')}
      >
        Export without content
      </Button>
    </>
  );
};

/** Every event of the session, in order. */
export const EventStream = ({ store, onSave, range, onAllTime }: EventStreamProps) => {
  const shown = useEventView(store);
  const view = shown?.view;
  const selection = useSessions(store, (state) => state.selection);
  const [text, setText] = useState(shown?.filter ?? '');
  const parsed = useMemo(() => parseFilter(text), [text]);
  useEffect(() => {
    if (!shown || !parsed.ok || (shown.filter === text && shown.range === range)) return;
    filterBy(shown, text, parsed.value, range);
  }, [shown, parsed, text, range]);
  const startedAt = store.state()?.startedAt ?? 0;
  const columns = useMemo(() => (view ? columnsFor(view, startedAt) : []), [view, startedAt]);

  const filter = shown?.filter;
  const place = useMemo(
    // Another filter gives the same event another place.
    () => (view && filter !== undefined ? placeOf(view.rows, selection) : undefined),
    [view, filter, selection],
  );

  if (!view)
    return (
      <EmptyState title="No events yet">
        Requests, responses, tool calls, skill loads, and verdicts appear here as they happen.
      </EmptyState>
    );
  const journal = store.journal();
  const isMarked = markedBy(selection);
  const selected = selection.eventId === undefined ? undefined : (journal?.byId(selection.eventId) ?? undefined);
  const select = (event: LatheEvent): void =>
    store.select({ eventId: event.id, ...(event.turn_id !== null && { turnId: event.turn_id }), ...requestOf(event) });
  const goTo = (id: string): void => {
    const event = journal?.byId(id);
    if (!event) return;
    select(event);
    // What the filter leaves out could not be gone to.
    if (placeOf(view.rows, { eventId: id }) !== undefined) return;
    setText('');
    onAllTime?.();
  };
  const isPaused = view.isPaused();
  const waiting = view.waiting();
  const total = journal?.events.length ?? 0;
  const isFiltered = range !== undefined || (parsed.ok && !parsed.value.isEmpty);
  return (
    <div className={styles['stream']}>
      <div className={styles['bar']}>
        <FilterField value={text} onChange={setText} index={view.index} fault={parsed.ok ? undefined : parsed.error} />
        <span className={styles['count']}>
          {isFiltered ? `${grouped(view.rows.length)} of ${plural(total, 'event')}` : plural(total, 'event')}
        </span>
        <Button aria-pressed={isPaused} onPress={() => (isPaused ? view.follow() : view.pause())}>
          {isPaused ? (waiting > 0 ? `Follow (${grouped(waiting)} new)` : 'Follow') : 'Pause'}
        </Button>
        <Exports store={store} onSave={onSave} />
      </div>
      <RangeNote
        range={range}
        shown={`${grouped(view.rows.length)} of ${plural(total, 'event')}`}
        onClear={() => onAllTime?.()}
      />
      <div className={styles['columns']} data-detail={selected !== undefined}>
        {view.rows.length === 0 ? (
          <EmptyState
            title="No matching events"
            actions={
              <Button
                onPress={() => {
                  setText('');
                  onAllTime?.();
                }}
              >
                Clear the filter
              </Button>
            }
          >
            {plural(total, 'event')} hidden by the filter.
          </EmptyState>
        ) : (
          <VirtualTable
            label="Events"
            columns={columns}
            rows={view.rows}
            rowKey={({ id }) => id}
            selected={selection.eventId}
            isMarked={isMarked}
            onSelect={select}
            isFollowing={!isPaused && selected === undefined}
            shown={place}
            leastWidth={560}
          />
        )}
        {selected && (
          <EventDetail
            event={selected}
            cause={selected.parent_event_id === null ? undefined : journal?.byId(selected.parent_event_id)}
            index={view.index}
            onGoTo={goTo}
            onClose={() => store.select({ ...(selection.turnId !== undefined && { turnId: selection.turnId }) })}
          />
        )}
      </div>
    </div>
  );
};

/** Which events belong to the turn or the request that is chosen elsewhere; nothing if an event itself is chosen. */
const markedBy = ({ eventId, requestId, turnId }: Selection): ((event: LatheEvent) => boolean) | undefined => {
  if (eventId !== undefined || (requestId === undefined && turnId === undefined)) return undefined;
  return (event) => (requestId === undefined ? event.turn_id === turnId : requestOf(event).requestId === requestId);
};

/** Where the selected event stands, or the first of the selected turn or request. */
const placeOf = (rows: Rows<LatheEvent>, selection: Selection): number | undefined => {
  const { eventId } = selection;
  const isMarked = eventId === undefined ? markedBy(selection) : (event: LatheEvent) => event.id === eventId;
  if (!isMarked) return undefined;
  for (let index = 0; index < rows.length; index++) {
    const event = rows.at(index);
    if (event && isMarked(event)) return index;
  }
  return undefined;
};

/** Events that are about a request select it everywhere. */
const requestOf = (event: LatheEvent): { readonly requestId?: string } => {
  const { payload } = event;
  return 'request_id' in payload && typeof payload.request_id === 'string' ? { requestId: payload.request_id } : {};
};
