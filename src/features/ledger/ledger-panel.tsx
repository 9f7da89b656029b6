import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { plural } from '../../base/text.ts';
import { cacheAnalytics } from '../../model/cache/analytics.ts';
import { remedyTitle } from '../../model/instruments/remedy.ts';
import { rowItems } from '../../model/instruments/row-ledger.ts';
import { verdictWords } from '../../model/instruments/verdict-words.ts';
import { ledgerOf } from '../../model/ledger/ledger.ts';
import type { Change, Ledger, Sum } from '../../model/ledger/types.ts';
import { withRepairs } from '../../model/ledger/ledger-items.ts';
import type { Policy } from '../../model/whatif/types.ts';
import type { WhatIfStore } from '../../stores/what-if-store.ts';
import { grouped, money, percent, signedPercent } from '../../model/instruments/figures.ts';
import { sizeText } from '../../model/skill/language/size-text.ts';
import type { RecordingsStore } from '../../stores/recordings-store.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Explained } from '../../ui/explained.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { useWeighed } from '../instruments/use-weighed.ts';
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
  <Explained about={about} className={styles['figure']} tone={tone}>
    <b>{value}</b> {name}
  </Explained>
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
          <summary>{plural(faults.length, 'line')} couldn’t be read</summary>
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
export const LedgerHead = ({
  sessions,
  recordings,
  end,
  onReport,
}: RequestStores & { readonly end: ReactNode; readonly onReport: () => Promise<void> }) => {
  const { rows, recording } = useShownRequests({ sessions, recordings });
  const title = sessions.state()?.title ?? '';
  return (
    <header className={styles['head']}>
      <h2 className={styles['title']}>{recording ? recording.name : title === '' ? 'No session yet' : title}</h2>
      {recording && <Badge tone="accent">recording</Badge>}
      <span className={styles['sub']}>{plural(rows.length, 'request')}</span>
      <span className={styles['spring']} />
      {recording && <Button onPress={() => recordings.show(undefined)}>Back to the session</Button>}
      {rows.length > 0 && (
        <Button
          look="quiet"
          tip="One HTML file that opens offline, without private values"
          onPress={() => void onReport()}
        >
          Save report
        </Button>
      )}
      {end}
    </header>
  );
};

/** An amount, or what is known of it. */
const sumText = ({ usd, known }: Sum): string => (usd === undefined && known > 0 ? `≥ ${money(known)}` : money(usd));

const sumAbout = ({ unknown }: Sum, about: string): string =>
  unknown === 0 ? about : `${about} ${plural(unknown, 'request')} without a known amount.`;

/** The change that saves most, with the switch that shows it. */
const BestChange = ({ change, whatIf }: { readonly change: Change; readonly whatIf: WhatIfStore }) => {
  const { cause, place, avoidable, requests } = change;
  // Its name is the policy that it stands for.
  const repair = change.change === undefined ? undefined : (JSON.parse(change.change) as Policy);
  const title = remedyTitle({ cause, position: place === '' ? null : { label: place } });
  const words = verdictWords(cause, place);
  return (
    <>
      <Explained about={change.repair || words.about}>
        <b>{title ?? words.title}</b> {title !== undefined && `${words.title}: `}
        {sumText(avoidable)} in {plural(requests, 'request')}
      </Explained>
      {repair && (
        <Button look="link" onPress={() => void whatIf.turn(repair)}>
          Try it in What if
        </Button>
      )}
    </>
  );
};

/** What listed skills cost with every request, against how often they were loaded. */
const SkillRents = ({ whatIf, requests }: { readonly whatIf: WhatIfStore; readonly requests: number }) => {
  const skills = useStore(whatIf, (state) => state.skills);
  useEffect(() => void whatIf.rent(requests), [whatIf, requests]);
  if (skills === undefined) return <p className={styles['rents']}>Counting…</p>;
  if (skills.length === 0) return <p className={styles['rents']}>No request lists a skill.</p>;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard
    <div className={styles['rents']} role="group" aria-label="Skills as rent, scrolling" tabIndex={0}>
      <table aria-label="Skills as rent">
        <thead>
          <tr>
            <th>Skill</th>
            <th>Rent</th>
            <th>Tokens × requests</th>
            <th>Loaded</th>
            <th>Files read</th>
          </tr>
        </thead>
        <tbody>
          {skills.map(({ name, rent, listingTokens, requests: listed, loads, files }) => (
            <tr key={name}>
              <td>{name}</td>
              <td>{sumText(rent)}</td>
              <td>
                {grouped(listingTokens)} × {grouped(listed)}
              </td>
              <td>{loads === 0 ? 'never' : loads === 1 ? 'once' : `${grouped(loads)} times`}</td>
              <td>{files.join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const causesText = ({ causes, changes }: Ledger): string =>
  causes
    .map(({ cause, avoidable }) => {
      const place = changes.find((change) => change.cause === cause)?.place;
      return `${verdictWords(cause, place).title}: ${sumText(avoidable)}`;
    })
    .join(' · ');

/** The requests in front, added up: the numbers that lead the view. */
export const LedgerPanel = ({ sessions, recordings, whatIf }: RequestStores & { readonly whatIf: WhatIfStore }) => {
  const { rows, all } = useShownRequests({ sessions, recordings });
  const [showsRents, setShowsRents] = useState(false);
  const { repairs } = useWeighed(all, whatIf);
  const { total, ledger } = useMemo(() => {
    const usages = new Map(rows.map(({ key, usage }) => [key, usage]));
    return {
      // Those that are shown: a range of time has its own sum.
      total: cacheAnalytics(rows.flatMap(({ model, usage }) => (usage ? [{ model, usage }] : []))).total,
      ledger: ledgerOf(
        withRepairs(
          rowItems(rows, (key) => usages.get(key)),
          repairs ?? new Map(),
        ),
      ),
    };
  }, [rows, repairs]);
  const [best] = ledger.changes;
  return (
    <div className={styles['panel']}>
      <Opening recordings={recordings} />
      {total.call_count === 0 ? (
        <p className={styles['empty']}>
          <b>No requests yet</b> Send a message to see what it costs and how much was avoidable.
        </p>
      ) : (
        <>
          <p className={styles['figures']}>
            <Figure
              value={repairs ? sumText(ledger.avoidable) : '…'}
              name="avoidable"
              about={sumAbout(
                ledger.avoidable,
                repairs
                  ? `What the best changes save, as What if forecasts it. ${plural(ledger.lostTokens, 'token')} could have been read.`
                  : 'Forecasting what the best changes save.',
              )}
              {...(ledger.lostTokens > 0 && { tone: 'lost' as const })}
            />
            <Figure
              value={sumText(ledger.paid)}
              name="paid"
              about={sumAbout(ledger.paid, `${plural(ledger.requests, 'request')}.`)}
            />
            <Figure
              value={String(ledger.causes.length)}
              name={ledger.causes.length === 1 ? 'cause' : 'causes'}
              about={causesText(ledger) || 'Nothing avoidable.'}
            />
            <span className={styles['spring']} />
            <Figure value={repairs ? sumText(ledger.necessary) : '…'} name="necessary" about="Paid minus avoidable." />
            <Figure
              value={percent(total.hit_rate)}
              name="hit rate"
              about="Share of prompt tokens read from the cache."
            />
            <Figure
              value={total.savings_pct === null ? 'unknown' : signedPercent(-total.savings_pct)}
              name="against no cache"
              about={
                total.savings === null
                  ? 'The price is unknown.'
                  : `${money(total.cost)} instead of ${money(total.cost_without_cache)}.`
              }
            />
          </p>
          <div className={styles['best']}>
            {best === undefined || (repairs && best.avoidable.usd === 0) ? (
              <span>Nothing avoidable. {best && 'What the requests lost, the change would cost in cache writes.'}</span>
            ) : repairs ? (
              <BestChange change={best} whatIf={whatIf} />
            ) : (
              <span>Forecasting the best change…</span>
            )}
            <span className={styles['spring']} />
            <Button look="link" aria-expanded={showsRents} onPress={() => setShowsRents(!showsRents)}>
              Skills as rent
            </Button>
          </div>
          {showsRents && <SkillRents whatIf={whatIf} requests={all.length} />}
        </>
      )}
    </div>
  );
};
