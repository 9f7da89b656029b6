import { type ReactNode, useMemo } from 'react';
import { useStore } from 'zustand';
import { plural } from '../../base/text.ts';
import { cacheAnalytics } from '../../model/cache/analytics.ts';
import { ledgerSum } from '../../model/instruments/ledger-sum.ts';
import { money, percent, signedPercent } from '../../model/instruments/figures.ts';
import { sizeText } from '../../model/skill/language/size-text.ts';
import type { RecordingsStore } from '../../stores/recordings-store.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { type RequestStores, useShownRequests } from '../instruments/use-shown-requests.ts';
import styles from './ledger-panel.module.css';

const Figure = ({
  value,
  name,
  about,
  tone,
}: {
  readonly value: string;
  readonly name: string;
  readonly about: string;
  readonly tone?: 'lost';
}) => (
  <span className={styles['figure']} title={about} data-tone={tone}>
    <b>{value}</b> {name}
  </span>
);

/** How far a file is read, or why it was not. */
const Opening = ({ recordings }: { readonly recordings: RecordingsStore }) => {
  const progress = useStore(recordings, (state) => state.progress);
  const problem = useStore(recordings, (state) => state.problem);
  const faults = useStore(recordings, (state) => state.shown?.faults) ?? [];
  return (
    <>
      {progress && (
        <div className={styles['opening']}>
          <ProgressBar
            label={progress.step === 'reading' ? `Reading ${progress.name}` : `Explaining ${progress.name}`}
            done={progress.done}
            total={progress.total}
            {...(progress.step === 'reading' && { format: sizeText })}
          />
          <Button onPress={recordings.cancel}>Cancel</Button>
        </div>
      )}
      {problem !== undefined && (
        <p role="alert" className={styles['problem']}>
          {problem}
        </p>
      )}
      {faults.length > 0 && (
        <details className={styles['faults']}>
          <summary>{plural(faults.length, 'line')} could not be read</summary>
          <ul>
            {faults.slice(0, 50).map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
};

/** Whose requests these are. */
export const LedgerHead = ({ sessions, recordings, end }: RequestStores & { readonly end: ReactNode }) => {
  const { rows, recording } = useShownRequests({ sessions, recordings });
  const title = sessions.state()?.title ?? '';
  return (
    <header className={styles['head']}>
      <h2 className={styles['title']}>{recording ? recording.name : title === '' ? 'No session yet' : title}</h2>
      {recording && <Badge tone="accent">recording</Badge>}
      <span className={styles['sub']}>{plural(rows.length, 'request')}</span>
      <span className={styles['spring']} />
      {recording && <Button onPress={() => recordings.show(undefined)}>Back to the session</Button>}
      {end}
    </header>
  );
};

/** The requests in front, added up: the figures that lead the view. */
export const LedgerPanel = ({ sessions, recordings }: RequestStores) => {
  const { rows } = useShownRequests({ sessions, recordings });
  const { total, unknown } = useMemo(() => {
    // Those that are shown: a range of time has its own sum.
    return cacheAnalytics(rows.flatMap(({ model, usage }) => (usage ? [{ model, usage }] : [])));
  }, [rows]);
  const { lostUsd, lostTokens, causes } = useMemo(() => ledgerSum(rows), [rows]);
  return (
    <div className={styles['panel']}>
      <Opening recordings={recordings} />
      {total.call_count === 0 ? (
        <p className={styles['empty']}>What the requests cost, and how much of it could be saved, will lead here.</p>
      ) : (
        <p className={styles['figures']}>
          <Figure value={money(total.cost)} name="paid" about={unknown[0] ?? plural(total.call_count, 'request')} />
          <Figure
            value={money(lostUsd)}
            name="avoidable"
            about={`${plural(lostTokens, 'token')} could have been read from the cache instead.`}
            {...(lostTokens > 0 && { tone: 'lost' as const })}
          />
          <Figure
            value={String(causes)}
            name={causes === 1 ? 'cause' : 'causes'}
            about="Different reasons why the cache gave less than it could have."
          />
          <span className={styles['spring']} />
          <Figure
            value={percent(total.hit_rate)}
            name="hit rate"
            about="Of all prompt tokens, how many were read from the cache."
          />
          <Figure
            value={total.savings_pct === null ? 'unknown' : signedPercent(-total.savings_pct)}
            name="against no cache"
            about={
              total.savings === null
                ? (unknown[0] ?? 'The price is not known.')
                : `${money(total.cost)} instead of ${money(total.cost_without_cache)}.`
            }
          />
        </p>
      )}
    </div>
  );
};
