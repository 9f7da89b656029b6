import { useMemo, useState } from 'react';
import { comparePrefixes } from '../../model/instruments/prefix-compare.ts';
import type { CallState } from '../../model/session/state.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ExplainedLegend } from '../../ui/explained-legend.tsx';
import { ToggleChip } from '../../ui/toggle.tsx';
import { requestName, requestNumbers, requestTitle } from '../../model/instruments/request-names.ts';
import { chosenCall } from '../instruments/requests.ts';
import { useSessions } from '../instruments/use-session.ts';
import { ComparisonTable, Compared } from './compared.tsx';
import { LANE_LEGEND, PREFIX_LEGEND, SIGN_LEGEND } from './legend.ts';
import { Composition, PrefixFacts, PrefixNote } from './prefix-facts.tsx';
import styles from './prefix-panel.module.css';
import { PrefixStrip } from './prefix-strip.tsx';
import { RequestPicker } from './request-picker.tsx';
import { SegmentReader } from './segment-reader.tsx';
import { SegmentTable } from './segment-table.tsx';
import { type CountTokens, type ShownPrefix, usePreview, usePreviewPrefix, useRequestPrefix } from './use-prefix.ts';

export type PrefixPanelProps = {
  readonly store: SessionStore;
  /** Counts as o200k does; absent: the estimate is all there is. */
  readonly count?: CountTokens | undefined;
  /** Changes when the files of the folder do: the preview is made again. */
  readonly folderVersion?: number | string | undefined;
  /** Opens the padding calculator. */
  readonly onCalculate?: (() => void) | undefined;
  /** The segment to begin with. */
  readonly segment?: string | undefined;
};

const NONE = '';

/** Those that were sent: the same list as long as none is added. */
export const useSentCalls = (store: SessionStore): readonly CallState[] => {
  const revision = useSessions(store, (state) => state.revision);
  const [kept, setKept] = useState<readonly CallState[]>([]);
  const calls = useMemo(
    () =>
      (revision >= 0 ? store.state()?.calls.filter(({ requestEventId }) => requestEventId !== undefined) : []) ?? [],
    [store, revision],
  );
  const isSame = calls.length === kept.length && calls.every((call, index) => call === kept[index]);
  if (!isSame) setKept(calls);
  return isSame ? kept : calls;
};

const Inspector = ({
  shown,
  id,
  isOpen,
}: {
  readonly shown: ShownPrefix;
  readonly id: string | undefined;
  readonly isOpen: boolean;
}) => {
  const segment = shown.view.segments.find((item) => item.id === id);
  return (
    <aside className={styles['inspector']} aria-label="Segment">
      {segment ? (
        <SegmentReader key={segment.id} whole={shown.whole} segment={segment} isOpen={isOpen} />
      ) : (
        <>
          <Composition view={shown.view} />
          <p className={styles['hint']}>
            Hover over a segment to identify it. Select it to read it. On the keyboard, use the arrow keys and Enter.
          </p>
        </>
      )}
    </aside>
  );
};

/** The request to scale. Before the first one: what a new session would send. */
export const PrefixPanel = ({ store, count, folderVersion, onCalculate, segment }: PrefixPanelProps) => {
  const selection = useSessions(store, (state) => state.selection);
  const calls = useSentCalls(store);
  const call = chosenCall(calls, selection);
  const [comparedId, setComparedId] = useState(NONE);
  const other = call && calls.find(({ requestId }) => requestId === comparedId && requestId !== call.requestId);
  const [hovered, setHovered] = useState<string>();
  const [opened, setOpened] = useState(segment);
  const [isTable, setIsTable] = useState(false);
  const [isPrefixOnly, setIsPrefixOnly] = useState(false);

  const { preview, problem } = usePreview(store, call === undefined, folderVersion);
  const sent = useRequestPrefix(store, call, count, isPrefixOnly);
  const planned = usePreviewPrefix(store, preview, count);
  const before = useRequestPrefix(store, other, count, isPrefixOnly);
  const shown = call ? sent : planned;
  const comparison = useMemo(() => (before && sent ? comparePrefixes(before, sent) : undefined), [before, sent]);

  if (!shown)
    return (
      <EmptyState title={problem === undefined ? 'Building prefix…' : 'No prefix yet'}>
        {problem ?? 'Every request starts with the folder’s tools, persona, instructions, and skills.'}
      </EmptyState>
    );
  const numbers = requestNumbers(calls);
  const title = call ? requestTitle(numbers.get(call.requestId) ?? '') : 'Next session’s prefix';
  const active = hovered ?? opened;

  return (
    <div className={styles['panel']}>
      <div className={styles['main']}>
        <header className={styles['head']}>
          <h3 className={styles['title']}>{title}</h3>
          <div className={styles['controls']}>
            {call && (
              <RequestPicker
                label="Request"
                calls={calls}
                value={call.requestId}
                onChange={(requestId) => {
                  const turnId = calls.find((item) => item.requestId === requestId)?.turnId;
                  store.select({ requestId, ...(turnId !== undefined && { turnId }) });
                }}
              />
            )}
            {call && calls.length > 1 && (
              <RequestPicker
                label="Compare with"
                none="nothing"
                calls={calls}
                value={other ? comparedId : NONE}
                onChange={setComparedId}
              />
            )}
            {call && (
              <ToggleChip isOn={isPrefixOnly} onChange={setIsPrefixOnly}>
                Without messages
              </ToggleChip>
            )}
            <ToggleChip isOn={isTable} onChange={setIsTable}>
              Table
            </ToggleChip>
          </div>
        </header>
        <PrefixFacts view={shown.view} model={shown.model} />
        {comparison && before && other ? (
          <Compared
            before={before}
            after={shown}
            comparison={comparison}
            names={[
              requestName(numbers.get(other.requestId) ?? ''),
              requestName(numbers.get(call?.requestId ?? '') ?? ''),
            ]}
            active={active}
            onActive={setHovered}
            onOpen={setOpened}
          />
        ) : (
          <PrefixStrip
            label="Segments in wire order"
            view={shown.view}
            active={active}
            onActive={setHovered}
            onOpen={setOpened}
          />
        )}
        <PrefixNote view={shown.view}>
          {onCalculate && (
            <Button look="link" onPress={onCalculate}>
              Compare padding costs
            </Button>
          )}
        </PrefixNote>
        {isTable &&
          (comparison ? (
            <ComparisonTable comparison={comparison} selected={opened} onSelect={setOpened} />
          ) : (
            <SegmentTable view={shown.view} selected={opened} onSelect={setOpened} />
          ))}
        {!isTable && (
          <div className={styles['legend']}>
            <ExplainedLegend items={[...PREFIX_LEGEND, ...(shown.view.lane ? LANE_LEGEND : []), ...SIGN_LEGEND]} />
            <p className={styles['measure']}>{shown.view.measure}</p>
          </div>
        )}
      </div>
      <Inspector shown={shown} id={active} isOpen={active !== undefined && active === opened} />
    </div>
  );
};
