import { type ReactNode, useState } from 'react';
import { grouped } from '../../model/instruments/figures.ts';
import { requestName, requestNumbers } from '../../model/instruments/request-names.ts';
import { notchName } from '../../model/instruments/verdict-words.ts';
import { splitTotal, wastedWrite, waterfallScale, type WaterfallRow } from '../../model/instruments/waterfall-view.ts';
import { ToggleChip } from '../../ui/toggle.tsx';
import { chosenCall } from '../instruments/requests.ts';
import { type RequestStores, useShownRequests } from '../instruments/use-shown-requests.ts';
import { useSessions } from '../instruments/use-session.ts';
import { SegmentLine } from './segment-line.tsx';
import { Explained } from '../../ui/explained.tsx';
import styles from './prefix-band.module.css';
import { PrefixPanel, type PrefixPanelProps, useSentCalls } from './prefix-panel.tsx';
import { PrefixStrip, type PrefixStripProps } from './prefix-strip.tsx';
import { useRecordedPrefix } from './use-recorded-prefix.ts';
import { usePreview, usePreviewPrefix, useRequestPrefix } from './use-prefix.ts';

export type PrefixBandProps = Omit<PrefixPanelProps, 'store' | 'segment'> &
  RequestStores & {
    /** Goes to the end of the head. */
    readonly end?: ReactNode;
  };

const causeOf = (row: WaterfallRow | undefined): PrefixStripProps['cause'] => {
  const total = row?.actual ? splitTotal(row.actual) : 0;
  return row?.verdict && row.notch !== undefined && total > 0
    ? { at: row.notch / total, label: notchName(row.verdict) }
    : undefined;
};

/** Below the waterfall, on its axis: the chosen request to scale. Details opens all of it. */
export const PrefixBand = ({ sessions, recordings, end, ...panel }: PrefixBandProps) => {
  const { drawn, recording, selected } = useShownRequests({ sessions, recordings });
  const selection = useSessions(sessions, (state) => state.selection);
  const calls = useSentCalls(sessions);
  const call = calls.find(({ requestId }) => requestId === selected?.key) ?? chosenCall(calls, selection);
  const [active, setActive] = useState<string>();
  const [opened, setOpened] = useState<string>();
  const [isOpen, setIsOpen] = useState(false);
  const { preview, problem } = usePreview(sessions, call === undefined, panel.folderVersion);
  const sent = useRequestPrefix(sessions, call, panel.count);
  const planned = usePreviewPrefix(sessions, preview, panel.count);
  const shown = call ? sent : planned;
  const ownName = call ? requestName(requestNumbers(calls).get(call.requestId) ?? '') : 'next session';
  const name = recording ? requestName(selected?.number ?? '') : ownName;
  const recorded = useRecordedPrefix(recording, selected);
  const total = (recording ? recorded.view : shown?.view)?.total ?? 0;
  const isDetailed = isOpen && !recording;
  const open = (id: string): void => {
    if (recording) return;
    setOpened(id);
    setIsOpen(true);
  };
  const [view, shownProblem] = recording
    ? [recorded.view, recorded.isReading ? 'Reading the request…' : 'This request can’t be read.']
    : [shown?.view, problem ?? 'Building prefix…'];
  const axis = drawn.length === 0 ? 0 : waterfallScale(drawn);
  // On one axis with the rows: what was billed, where it is known, is as long here as there.
  const billed = selected?.actual ? splitTotal(selected.actual) : total;
  const isSelected = recording !== undefined || (call !== undefined && selected?.key === call.requestId);
  const scale = axis === 0 || billed === 0 || !isSelected ? Math.max(total, axis) : (axis * total) / billed;
  return (
    <>
      <div className={styles['band']} data-detailed={isDetailed}>
        <div className={styles['side']}>
          <h2 className={styles['title']}>
            Prefix <span>{name}</span>
          </h2>
          {!recording && (
            <ToggleChip isOn={isOpen} onChange={setIsOpen}>
              Details
            </ToggleChip>
          )}
        </div>
        {view ? (
          !isDetailed && (
            <PrefixStrip
              label="Segments in wire order"
              view={view}
              active={active}
              onActive={setActive}
              onOpen={open}
              scale={scale}
              cause={causeOf(isSelected ? selected : undefined)}
              wasted={isSelected && selected?.actual ? wastedWrite(selected) / splitTotal(selected.actual) : 0}
            />
          )
        ) : (
          <p className={styles['empty']}>{shownProblem}</p>
        )}
        <div className={styles['figures']}>
          {end}
          {/* The details begin with both. */}
          {view && !isDetailed && (
            <>
              <Explained about="Tokens before the last cache breakpoint. The provider can cache them.">
                <b>{grouped(view.before)}</b> cached
              </Explained>
              <Explained about="Tokens after the last cache breakpoint. Every request pays the full price for them.">
                <b>{grouped(view.behind)}</b> after
              </Explained>
            </>
          )}
        </div>
        {view && !isDetailed && <SegmentLine view={view} active={active} />}
      </div>
      {isDetailed && (
        <div className={styles['details']}>
          <PrefixPanel key={opened} store={sessions} {...panel} segment={opened} />
        </div>
      )}
    </>
  );
};
