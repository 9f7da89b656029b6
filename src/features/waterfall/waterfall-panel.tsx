import { type DragEvent, useMemo, useRef, useState } from 'react';
import { requestName } from '../../model/instruments/request-names.ts';
import { firstToLookAt, type WaterfallRow, waterfallRows } from '../../model/instruments/waterfall-view.ts';
import { witnessText } from '../../model/instruments/witness-words.ts';
import { sizeText } from '../../model/skill/language/size-text.ts';
import { codePointLength, plural } from '../../base/text.ts';
import type { LiveCall, SessionStore } from '../../stores/session-types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ExplainedLegend } from '../../ui/explained-legend.tsx';
import { Scroll } from '../../ui/panel.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { ToggleChip } from '../../ui/toggle.tsx';
import { chosenCall } from '../instruments/requests.ts';
import { bodiesOf, useSessions } from '../instruments/use-session.ts';
import type { CountTokens } from '../prefix/use-prefix.ts';
import { CacheEntries, ClockBar } from './cache-clocks.tsx';
import { DifferenceDialog } from './difference-dialog.tsx';
import { WATERFALL_LEGEND } from './legend.ts';
import { useSentElsewhere } from './use-sent-elsewhere.ts';
import { useRecordedBodies, useRecording } from './use-recording.ts';
import styles from './waterfall-panel.module.css';
import { WaterfallRows } from './waterfall-rows.tsx';
import { WaterfallTable } from './waterfall-table.tsx';
import { WaterfallTotals } from './waterfall-totals.tsx';
import { type OpenSegment, Witnesses } from './witnesses.tsx';

export type WaterfallPanelProps = {
  readonly store: SessionStore;
  readonly count?: CountTokens | undefined;
  readonly onOpenSegment?: OpenSegment | undefined;
};

const usageOf = (rows: readonly { readonly model: string; readonly usage?: WaterfallUsage | undefined }[]) =>
  rows.flatMap(({ model, usage }) => (usage ? [{ model, usage }] : []));
type WaterfallUsage = Parameters<typeof WaterfallTotals>[0]['calls'][number]['usage'];

/** About as many tokens as have come. */
const streamedTokens = (live: readonly LiveCall[]): ReadonlyMap<string, number> =>
  new Map(
    live.map(({ requestId, blocks }) => [
      requestId,
      Math.ceil(blocks.reduce((sum, { text }) => sum + codePointLength(text), 0) / 4),
    ]),
  );

/** Rows of the session, made again when its journal grew. */
const useSessionRows = (store: SessionStore): readonly WaterfallRow[] => {
  const revision = useSessions(store, (state) => state.revision);
  return useMemo(() => {
    const state = store.state();
    const bodies = bodiesOf(store);
    return state && revision >= 0 ? waterfallRows({ state, ...(bodies && { shareBefore: bodies.shareBefore }) }) : [];
  }, [store, revision]);
};

const selectRow = (store: SessionStore, row: WaterfallRow): void => {
  if (row.source === 'session')
    store.select({ requestId: row.key, ...(row.turnId !== undefined && { turnId: row.turnId }) });
};

/** Every request of the session, or of a recording. */
export const WaterfallPanel = ({ store, count, onOpenSegment }: WaterfallPanelProps) => {
  const own = useSessionRows(store);
  const live = useSessions(store, (state) => state.live);
  const selection = useSessions(store, (state) => state.selection);
  const status = useSessions(store, (state) => state.status);
  const { recording, progress, problem, open, cancel, close } = useRecording(count);
  const [hovered, setHovered] = useState<WaterfallRow>();
  const [chosen, setChosen] = useState<string>();
  const [differing, setDiffering] = useState<WaterfallRow>();
  const [isTable, setIsTable] = useState(false);
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const earlierId = differing?.verdict?.previous_request_id ?? undefined;
  const recorded = useRecordedBodies(recording, earlierId, differing?.key);
  const segmentsOf = (key: string) => (recording ? recorded.of(key) : bodiesOf(store)?.segments(key));
  const earlier = earlierId === undefined ? undefined : segmentsOf(earlierId);
  const elsewhere = useSentElsewhere(store, recording || earlier ? undefined : earlierId);

  const rows = useMemo(() => recording?.calls.map(({ row }) => row) ?? own, [recording, own]);
  const analysed = useMemo(
    () => usageOf(recording ? recording.calls : rows.length > 0 ? (store.state()?.calls ?? []) : []),
    [recording, rows, store],
  );
  const streaming = useMemo(() => streamedTokens(live), [live]);
  const call = chosenCall(store.state()?.calls ?? [], selection);
  const selected = recording ? (rows.find(({ key }) => key === chosen) ?? firstToLookAt(rows))?.key : call?.requestId;
  const inspected = hovered ?? rows.find(({ key }) => key === selected);
  const numberOf = (key: string): string => {
    const row = rows.find((item) => item.key === key);
    return row ? requestName(row.number) : 'a request of another session';
  };

  const select = (row: WaterfallRow): void => {
    if (recording) setChosen(row.key);
    else selectRow(store, row);
  };
  const openRow = (row: WaterfallRow): void => {
    select(row);
    if (row.verdict?.previous_request_id != null) setDiffering(row);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    const [file] = event.dataTransfer.files;
    if (file) void open(file);
  };

  const openButton = <Button onPress={() => input.current?.click()}>Open recording</Button>;
  const isEmpty = rows.length === 0;
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
      <input
        ref={input}
        type="file"
        accept=".jsonl,.har,.json,.yaml,.yml"
        aria-label="Recording of requests"
        className={styles['file']}
        tabIndex={-1}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) void open(file);
          event.currentTarget.value = '';
        }}
      />
      <div className={styles['main']}>
        <header className={styles['head']}>
          <div className={styles['names']}>
            <h3 className={styles['title']}>
              {recording ? recording.name : plural(rows.length, 'request')}
              {recording && <Badge tone="accent">recording</Badge>}
            </h3>
            <p className={styles['sub']}>
              {recording
                ? `${plural(rows.length, 'request')}, explained as if they were ours`
                : 'Each row is a request, aligned at token 0'}
            </p>
          </div>
          {!isEmpty && <WaterfallTotals calls={analysed} />}
          <div className={styles['controls']}>
            <ToggleChip isOn={isTable} onChange={setIsTable}>
              Table
            </ToggleChip>
            {recording ? <Button onPress={close}>Back to the session</Button> : openButton}
          </div>
        </header>
        {progress && (
          <div className={styles['opening']}>
            <ProgressBar
              label={progress.step === 'reading' ? `Reading ${progress.name}` : `Explaining ${progress.name}`}
              done={progress.done}
              total={progress.total}
              {...(progress.step === 'reading' && { format: sizeText })}
            />
            <Button onPress={cancel}>Cancel</Button>
          </div>
        )}
        {problem !== undefined && (
          <p role="alert" className={styles['problem']}>
            {problem}
          </p>
        )}
        {recording && recording.faults.length > 0 && (
          <details className={styles['faults']}>
            <summary>{plural(recording.faults.length, 'line')} could not be read</summary>
            <ul>
              {recording.faults.slice(0, 50).map((fault) => (
                <li key={fault}>{fault}</li>
              ))}
            </ul>
          </details>
        )}
        {isEmpty && !progress ? (
          <EmptyState title="No requests to compare">
            {recording
              ? 'This file has no request that could be read.'
              : 'The first message of a session draws the first row. Or drop a recording here: our JSONL, or a HAR of a browser.'}
          </EmptyState>
        ) : isTable ? (
          <WaterfallTable rows={rows} selected={selected} onSelect={select} onOpen={openRow} />
        ) : (
          <>
            <WaterfallRows
              rows={rows}
              selected={selected}
              onSelect={select}
              onHover={setHovered}
              onOpen={openRow}
              streaming={streaming}
              isFollowing={!recording && status === 'running'}
              renderAction={(row) =>
                row.verdict?.previous_request_id == null ? null : (
                  <Button look="link" onPress={() => openRow(row)}>
                    Show the difference
                  </Button>
                )
              }
            />
            {!recording && <ClockBar store={store} />}
            <ExplainedLegend isShort items={WATERFALL_LEGEND} />
          </>
        )}
      </div>
      <aside className={styles['inspector']} aria-label="Request and cache">
        <Scroll label="Request and cache, scrolling">
          <div className={styles['inspected']}>
            {inspected ? (
              <Witnesses
                row={inspected}
                onOpenSegment={recording ? undefined : onOpenSegment}
                onDifference={
                  inspected.verdict?.previous_request_id == null ? undefined : () => setDiffering(inspected)
                }
              />
            ) : (
              <ExplainedLegend items={WATERFALL_LEGEND} />
            )}
            {!recording && store.state() && <CacheEntries store={store} />}
          </div>
        </Scroll>
      </aside>
      {differing && (
        <DifferenceDialog
          isOpen
          onClose={() => setDiffering(undefined)}
          names={[numberOf(earlierId ?? ''), numberOf(differing.key)]}
          before={earlier ?? elsewhere.found}
          isReading={elsewhere.isReading || recorded.isReading}
          after={segmentsOf(differing.key)}
          verdict={differing.verdict}
        />
      )}
    </div>
  );
};

/** The small face for the overview: the newest requests. */
export const WaterfallSummary = ({
  store,
  onOpen,
}: WaterfallPanelProps & { /** To the whole instrument. */ readonly onOpen?: (() => void) | undefined }) => {
  const rows = useSessionRows(store);
  const live = useSessions(store, (state) => state.live);
  const selection = useSessions(store, (state) => state.selection);
  const calls = store.state()?.calls ?? [];
  const call = chosenCall(calls, selection);
  const analysed = useMemo(() => (rows.length > 0 ? usageOf(store.state()?.calls ?? []) : []), [rows, store]);
  return (
    <div className={styles['summary']}>
      <header className={styles['head']}>
        <div className={styles['names']}>
          <h3 className={styles['title']}>Cache waterfall</h3>
          <p className={styles['sub']}>Each row is a request, aligned at token 0</p>
        </div>
        {rows.length > 0 && <WaterfallTotals calls={analysed} isShort />}
      </header>
      {rows.length === 0 ? (
        <p className={styles['free']}>No requests yet. The first message draws the first row.</p>
      ) : (
        <WaterfallRows
          rows={rows}
          selected={call?.requestId}
          onSelect={(row) => selectRow(store, row)}
          onOpen={(row) => {
            selectRow(store, row);
            onOpen?.();
          }}
          tip={witnessText}
          streaming={streamedTokens(live)}
          isFollowing
        />
      )}
      <ExplainedLegend isShort items={WATERFALL_LEGEND} />
    </div>
  );
};
