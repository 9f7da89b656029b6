import { type ReactNode, useState } from 'react';
import { grouped } from '../../model/instruments/figures.ts';
import { requestName, requestNumbers } from '../../model/instruments/request-names.ts';
import { waterfallScale } from '../../model/instruments/waterfall-view.ts';
import { ToggleChip } from '../../ui/toggle.tsx';
import { chosenCall } from '../instruments/requests.ts';
import { type RequestStores, useShownRequests } from '../instruments/use-shown-requests.ts';
import { useSessions } from '../instruments/use-session.ts';
import { SegmentLine } from './segment-line.tsx';
import styles from './prefix-band.module.css';
import { PrefixPanel, type PrefixPanelProps, useSentCalls } from './prefix-panel.tsx';
import { PrefixStrip } from './prefix-strip.tsx';
import { usePreview, usePreviewPrefix, useRequestPrefix } from './use-prefix.ts';

export type PrefixBandProps = Omit<PrefixPanelProps, 'store' | 'segment'> &
  RequestStores & {
    /** Goes to the end of the head. */
    readonly end?: ReactNode;
  };

/** Below the waterfall, on its axis: the chosen request to scale. Details opens all of it. */
export const PrefixBand = ({ sessions, recordings, end, ...panel }: PrefixBandProps) => {
  const { rows, recording } = useShownRequests({ sessions, recordings });
  const selection = useSessions(sessions, (state) => state.selection);
  const calls = useSentCalls(sessions);
  const call = chosenCall(calls, selection);
  const [active, setActive] = useState<string>();
  const [opened, setOpened] = useState<string>();
  const [isOpen, setIsOpen] = useState(false);
  const { preview, problem } = usePreview(sessions, call === undefined, panel.folderVersion);
  const sent = useRequestPrefix(sessions, call, panel.count);
  const planned = usePreviewPrefix(sessions, preview, panel.count);
  const shown = call ? sent : planned;
  const name = call ? requestName(requestNumbers(calls).get(call.requestId) ?? '') : 'next session';
  const total = shown?.view.total ?? 0;
  const open = (id: string): void => {
    setOpened(id);
    setIsOpen(true);
  };
  if (recording)
    return (
      <div className={styles['band']}>
        <h2 className={styles['title']}>Prefix</h2>
        <p className={styles['empty']}>
          The strip shows requests of the session. Of a recorded request, “Show the difference” shows every part.
        </p>
      </div>
    );
  return (
    <>
      <div className={styles['band']}>
        <div className={styles['side']}>
          <h2 className={styles['title']}>
            Prefix <span>{name}</span>
          </h2>
          <ToggleChip isOn={isOpen} onChange={setIsOpen}>
            Details
          </ToggleChip>
        </div>
        {shown ? (
          !isOpen && (
            <PrefixStrip
              label="Segments in wire order"
              view={shown.view}
              active={active}
              onActive={setActive}
              onOpen={open}
              scale={Math.max(total, rows.length === 0 ? 0 : waterfallScale(rows))}
            />
          )
        ) : (
          <p className={styles['empty']}>{problem ?? 'The prefix is being put together.'}</p>
        )}
        <div className={styles['figures']}>
          {end}
          {shown && (
            <>
              <p title="Tokens before the last breakpoint: what a cache can keep.">
                <b>{grouped(shown.view.before)}</b> cached
              </p>
              <p title="Tokens behind the last breakpoint: sent anew with every request.">
                <b>{grouped(shown.view.behind)}</b> behind
              </p>
            </>
          )}
        </div>
        {shown && !isOpen && <SegmentLine view={shown.view} active={active} />}
      </div>
      {isOpen && (
        <div className={styles['details']}>
          <PrefixPanel key={opened} store={sessions} {...panel} segment={opened} />
        </div>
      )}
    </>
  );
};
