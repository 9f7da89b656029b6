import { ExplainedLegend } from '../../ui/explained-legend.tsx';
import { Scroll } from '../../ui/panel.tsx';
import { CacheEntries } from '../waterfall/cache-clocks.tsx';
import { WATERFALL_LEGEND } from '../waterfall/legend.ts';
import { type RequestStores, useShownRequests } from '../instruments/use-shown-requests.ts';
import { type OpenSegment, Witnesses } from '../waterfall/witnesses.tsx';
import styles from './request-panel.module.css';

export type RequestPanelProps = RequestStores & { readonly onOpenSegment?: OpenSegment | undefined };

/** The chosen request: what the cache did with it, why, what it cost, and what to do. */
export const RequestPanel = ({ sessions, recordings, onOpenSegment }: RequestPanelProps) => {
  const { recording, selected } = useShownRequests({ sessions, recordings });
  return (
    <Scroll label="Request and cache, scrolling">
      <div className={styles['panel']}>
        {selected ? (
          <Witnesses
            row={selected}
            onOpenSegment={recording ? undefined : onOpenSegment}
            onDifference={
              selected.verdict?.previous_request_id == null ? undefined : () => recordings.compare(selected.key)
            }
          />
        ) : (
          <>
            <p className={styles['empty']}>No request yet. The first message of a session sends one.</p>
            <ExplainedLegend items={WATERFALL_LEGEND} />
          </>
        )}
        {!recording && sessions.state() && <CacheEntries store={sessions} />}
      </div>
    </Scroll>
  );
};
