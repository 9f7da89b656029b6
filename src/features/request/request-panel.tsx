import { settingRemedy } from '../../model/instruments/remedy.ts';
import { requestName, requestTitle } from '../../model/instruments/request-names.ts';
import type { WaterfallRow } from '../../model/instruments/waterfall-view.ts';
import type { Policy } from '../../model/whatif/types.ts';
import { ExplainedLegend } from '../../ui/explained-legend.tsx';
import { Scroll } from '../../ui/panel.tsx';
import type { WhatIfStore } from '../../stores/what-if-store.ts';
import { type RequestStores, useShownRequests } from '../instruments/use-shown-requests.ts';
import { useWeighed } from '../instruments/use-weighed.ts';
import { useSessions } from '../instruments/use-session.ts';
import { CacheEntries } from '../waterfall/cache-clocks.tsx';
import { WATERFALL_LEGEND } from '../waterfall/legend.ts';
import { clockText } from '../waterfall/waterfall-lines.tsx';
import type { OpenSegment } from './open-segment.ts';
import { Evidence, Price } from './request-facts.tsx';
import { VerdictLead, WhatToDo } from './verdict-lead.tsx';
import styles from './request-panel.module.css';

export type RequestPanelProps = RequestStores & {
  readonly whatIf: WhatIfStore;
  readonly onOpenSegment: OpenSegment;
  /** Opens the settings of the session. */
  readonly onSettings: () => void;
  readonly onCopy: (text: string) => void;
  /** Turns a change on in What if. */
  readonly onTry: (policy: Policy) => void;
};

const turnText = ({ sessions }: RequestStores, { turnId }: WaterfallRow): string => {
  const turns = sessions.state()?.turns.filter(({ nestedIn }) => nestedIn === undefined) ?? [];
  const index = turns.findIndex(({ id }) => id === turnId);
  return index === -1 ? '' : `turn ${index + 1}`;
};

/** The chosen request: the verdict, what to do, the price, the evidence. */
export const RequestPanel = (props: RequestPanelProps) => {
  const { sessions, recordings, whatIf, onOpenSegment, onSettings, onCopy, onTry } = props;
  const { rows, all, recording, selected } = useShownRequests({ sessions, recordings });
  const { avoidable } = useWeighed(all, whatIf);
  useSessions(sessions, (state) => state.revision);
  const settings = useSessions(sessions, (state) => sessions.state()?.settings ?? state.next.settings);
  const verdict = selected?.verdict;
  const earlier = verdict?.previous_request_id ?? undefined;
  const earlierRow = rows.find(({ key }) => key === earlier);
  const isOwn = selected?.source === 'session';
  return (
    <Scroll label="Request and cache, scrolling">
      <div className={styles['panel']}>
        {selected ? (
          <>
            <header className={styles['head']}>
              <p className={styles['facts']}>
                <b>{requestName(selected.number)}</b> {clockText(selected.startedAt)}{' '}
                {isOwn ? turnText({ sessions, recordings }, selected) : ''} {selected.model}
              </p>
              <VerdictLead row={selected} avoidable={avoidable(selected)} />
            </header>
            {verdict && (
              <WhatToDo
                row={selected}
                verdict={verdict}
                avoidable={avoidable(selected)}
                setting={isOwn ? settingRemedy(verdict, settings) : undefined}
                onSet={({ change }) => sessions.change(change)}
                onOpenSegment={isOwn ? onOpenSegment : undefined}
                onSettings={isOwn ? onSettings : undefined}
                onCopy={onCopy}
                harness={recording?.calls.find(({ row }) => row.key === selected.key)?.harness}
                onTry={isOwn ? undefined : onTry}
                onDifference={earlier === undefined ? undefined : () => recordings.compare(selected.key)}
              />
            )}
            <Price row={selected} />
            {verdict && (
              <Evidence
                row={selected}
                verdict={verdict}
                comparedWith={
                  earlierRow
                    ? requestTitle(earlierRow.number)
                    : earlier === undefined
                      ? undefined
                      : 'a request of another session'
                }
              />
            )}
          </>
        ) : (
          <>
            <p className={styles['empty']}>No requests yet. Send a message to start.</p>
            <ExplainedLegend items={WATERFALL_LEGEND} />
          </>
        )}
        {!recording && sessions.state() && <CacheEntries store={sessions} />}
      </div>
    </Scroll>
  );
};
