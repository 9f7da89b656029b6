import { type DragEvent, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { codePointLength, plural } from '../../base/text.ts';
import type { LatheEvent } from '../../model/event/types.ts';
import { requestName } from '../../model/instruments/request-names.ts';
import type { WaterfallRow } from '../../model/instruments/waterfall-view.ts';
import type { WhatIfStore } from '../../stores/what-if-store.ts';
import type { LiveCall } from '../../stores/session-types.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ExplainedLegend } from '../../ui/explained-legend.tsx';
import { ToggleChip } from '../../ui/toggle.tsx';
import { useRecordedBodies } from '../instruments/use-recorded-bodies.ts';
import { RangeNote } from '../instruments/range-note.tsx';
import { followsNewest } from '../instruments/requests.ts';
import { bodiesOf, useSessions } from '../instruments/use-session.ts';
import { ClockBar } from './cache-clocks.tsx';
import { DifferenceDialog } from './difference-dialog.tsx';
import { WATERFALL_LEGEND } from './legend.ts';
import { droppedFiles } from '../../platform/fs/pick-folder.ts';
import { useSentElsewhere } from './use-sent-elsewhere.ts';
import { useWeighed } from '../instruments/use-weighed.ts';
import { type RequestStores, useShownRequests } from '../instruments/use-shown-requests.ts';
import styles from './waterfall-panel.module.css';
import { WaterfallRows } from './waterfall-rows.tsx';
import { TimeView } from './time-view.tsx';
import { WaterfallTable } from './waterfall-table.tsx';

export type WaterfallPanelProps = RequestStores & {
  /** A row was chosen: its request is to be seen. */
  readonly onShow?: (() => void) | undefined;
  /** To the message of a new session. */
  readonly onWrite?: (() => void) | undefined;
  readonly whatIf: WhatIfStore;
  /** Follows the newest request, or stays with the one that is chosen. */
  readonly onFollow?: (() => void) | undefined;
};

const NO_EVENTS: readonly LatheEvent[] = [];

/** About as many tokens as have come. */
const streamedTokens = (live: readonly LiveCall[]): ReadonlyMap<string, number> =>
  new Map(
    live.map(({ requestId, blocks }) => [
      requestId,
      Math.ceil(blocks.reduce((sum, { text }) => sum + codePointLength(text), 0) / 4),
    ]),
  );

/** The request that is compared, beside the one before it. */
const Compared = ({ sessions, recordings }: RequestStores) => {
  const { rows, recording } = useShownRequests({ sessions, recordings });
  const key = useStore(recordings, (state) => state.compared);
  const row = rows.find((item) => item.key === key);
  const earlierId = row?.verdict?.previous_request_id ?? undefined;
  const recorded = useRecordedBodies(recording, earlierId, row?.key);
  const segmentsOf = (of: string) => (recording ? recorded.of(of) : bodiesOf(sessions)?.segments(of));
  const earlier = earlierId === undefined ? undefined : segmentsOf(earlierId);
  const elsewhere = useSentElsewhere(sessions, recording || earlier ? undefined : earlierId);
  const numberOf = (of: string): string => {
    const found = rows.find((item) => item.key === of);
    return found ? requestName(found.number) : 'a request of another session';
  };
  if (!row) return null;
  return (
    <DifferenceDialog
      isOpen
      onClose={() => recordings.compare(undefined)}
      names={[numberOf(earlierId ?? ''), numberOf(row.key)]}
      before={earlier ?? elsewhere.found}
      isReading={elsewhere.isReading || recorded.isReading}
      after={segmentsOf(row.key)}
      verdict={row.verdict}
    />
  );
};

/** Which of two it is can always be read, and one key changes it. */
const FollowChip = ({
  isFollowing,
  name,
  onPress,
}: {
  readonly isFollowing: boolean;
  readonly name: string;
  readonly onPress: (() => void) | undefined;
}) => (
  <Button
    look={isFollowing ? 'quiet' : 'plain'}
    icon={isFollowing ? 'eye' : 'pin'}
    tip={isFollowing ? 'Pin this request (F4)' : 'Follow the latest request (F4)'}
    aria-pressed={isFollowing}
    onPress={() => onPress?.()}
  >
    {isFollowing ? `Following ${name}` : `Pinned to ${name}`}
  </Button>
);

/** Every request of the session, or of a recording. */
export const WaterfallPanel = ({ sessions, recordings, onShow, onWrite, onFollow, whatIf }: WaterfallPanelProps) => {
  const shown = useShownRequests({ sessions, recordings });
  const { rows: own, drawn: rows, all, range, recording, selected, select } = shown;
  const selection = useSessions(sessions, (state) => state.selection);
  const live = useSessions(sessions, (state) => state.live);
  const status = useSessions(sessions, (state) => state.status);
  const isOpening = useStore(recordings, (state) => state.progress !== undefined);
  const revision = useSessions(sessions, (state) => state.revision);
  const ghosts = useStore(whatIf, (state) => state.ghosts);
  const { avoidable } = useWeighed(all, whatIf);
  const axis = useStore(whatIf, (state) => state.axis);
  useEffect(() => void whatIf.look(selected?.key), [whatIf, selected?.key]);
  const [face, setFace] = useState<'tokens' | 'time' | 'table'>('tokens');
  const [isOver, setIsOver] = useState(false);
  const streaming = useMemo(() => streamedTokens(live), [live]);

  const openRow = (row: WaterfallRow): void => {
    select(row);
    if (row.verdict?.previous_request_id != null) recordings.compare(row.key);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    void recordings.openDropped(droppedFiles(event.dataTransfer.items));
  };

  const isEmpty = rows.length === 0 && range === undefined;
  // The journal grows in place: its revision says when.
  const events = useMemo(
    () => (recording || revision < 0 ? NO_EVENTS : [...(sessions.journal()?.events ?? NO_EVENTS)]),
    [recording, revision, sessions],
  );
  const isFollowing = !recording && followsNewest(selection);
  // A recording has no clocks: their place is the legend's, and the rows get its line.
  const legend = face !== 'table' && (
    <div className={styles['legend']}>
      <ExplainedLegend isShort items={WATERFALL_LEGEND} />
    </div>
  );
  return (
    <div
      className={styles['panel']}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <RangeNote
        range={range}
        shown={`${own.length} of ${plural(all.length, 'request')}`}
        onClear={() => recordings.look(undefined)}
      />
      {!isEmpty && (
        <>
          <header className={styles['head']}>
            <div className={styles['clocks']}>{recording ? legend : <ClockBar store={sessions} />}</div>
            {!recording && own.length > 0 && (
              <FollowChip isFollowing={isFollowing} name={requestName(selected?.number ?? '')} onPress={onFollow} />
            )}
            <ToggleChip isOn={face === 'time'} onChange={(isOn) => setFace(isOn ? 'time' : 'tokens')}>
              Time axis
            </ToggleChip>
            <ToggleChip isOn={face === 'table'} onChange={(isOn) => setFace(isOn ? 'table' : 'tokens')}>
              Table
            </ToggleChip>
          </header>
          {!recording && legend}
        </>
      )}
      {isEmpty && !isOpening ? (
        <EmptyState
          title="No requests to compare"
          actions={!recording && onWrite && <Button onPress={onWrite}>Write a message</Button>}
        >
          {recording
            ? 'This file has no readable requests.'
            : 'Send a message to add the first row. Or drop recordings here, or an agent’s folder.'}
        </EmptyState>
      ) : face === 'time' ? (
        <TimeView
          rows={all}
          events={events}
          now={sessions.now()}
          selected={selected?.key}
          onSelect={(row) => {
            select(row);
            onShow?.();
          }}
          brushed={range}
          onBrush={recordings.look}
        />
      ) : face === 'table' ? (
        <WaterfallTable rows={rows} selected={selected?.key} onSelect={select} onOpen={openRow} />
      ) : (
        <WaterfallRows
          rows={rows}
          selected={selected?.key}
          onSelect={select}
          onClick={onShow}
          onOpen={openRow}
          streaming={streaming}
          ghosts={ghosts}
          axis={axis}
          avoidable={avoidable}
          onBreakpoints={(breakpoints) => void whatIf.turn({ breakpoints })}
          isFollowing={isFollowing && status === 'running'}
        />
      )}
      <Compared sessions={sessions} recordings={recordings} />
    </div>
  );
};
