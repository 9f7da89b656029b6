import { memo } from 'react';
import { plural } from '../../base/text.ts';
import { cacheClocks, type CacheClock } from '../../model/instruments/cache-clocks.ts';
import { countdown, grouped } from '../../model/instruments/figures.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import { Button } from '../../ui/button.tsx';
import { useClock } from '../instruments/use-session.ts';
import styles from './cache-clocks.module.css';

const MINUTE = 60_000;
const MOST_ENTRIES = 40;
const MOVES = [
  { label: '+1 min', ms: MINUTE, about: 'one minute' },
  { label: '+5 min', ms: 5 * MINUTE, about: 'five minutes' },
  { label: '+1 h', ms: 60 * MINUTE, about: 'one hour' },
] as const;

/** Entries that are shown beside the waterfall; the rest is in the list. */
const MOST_CHIPS = 3;

const useClocks = (store: SessionStore): readonly CacheClock[] => {
  const now = useClock(store, true);
  return cacheClocks(store.cacheEntries(), now);
};

/** The longest prefixes of the cache with the time that they have left, and the simulator's clock to be moved. */
export const ClockBar = memo(function ClockBar({ store }: { readonly store: SessionStore }) {
  const isSimulated = store.state()?.settings?.provider === 'simulator';
  const clocks = useClocks(store);
  const longest = clocks.toSorted((a, b) => b.tokens - a.tokens).slice(0, MOST_CHIPS);
  /** Two reach equally far, such as those of a session and of its asks, which have one tool less. */
  const isTwin = (reaches: string): boolean => longest.filter((clock) => clock.reaches === reaches).length > 1;
  return (
    <section className={styles['bar']} aria-label="Cache TTL">
      {clocks.length === 0 ? (
        <p className={styles['text']}>
          Nothing from this session is cached. A request with a long enough prefix fills the cache.
        </p>
      ) : (
        <>
          <span className={styles['text']}>Expires in</span>
          <div className={styles['chips']}>
            {longest.map(({ id, reaches, tokens, ttl, left, share }) => (
              <span
                key={id}
                className={styles['chip']}
                title={`${grouped(tokens)} tokens, expires ${ttl} after its last use`}
              >
                <span className={styles['reach']}>
                  {reaches}
                  {isTwin(reaches) && ` (${grouped(tokens)})`}
                </span>
                <b className={styles['left']} data-low={left < MINUTE}>
                  {left === 0 ? 'expired' : countdown(left)}
                </b>
                <span className={styles['track']} role="presentation">
                  <span data-low={left < MINUTE} style={{ width: `${share * 100}%` }} />
                </span>
              </span>
            ))}
          </div>
        </>
      )}
      {isSimulated && (
        <div className={styles['moves']} role="group" aria-label="Move the simulator’s clock">
          {MOVES.map(({ label, ms, about }) => (
            <Button
              key={label}
              tip={`Moves the simulator’s clock forward by ${about}`}
              onPress={() => void store.advanceClock(ms)}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
});

/** Everything that the cache holds. */
export const CacheEntries = memo(function CacheEntries({ store }: { readonly store: SessionStore }) {
  const isSimulated = store.state()?.settings?.provider === 'simulator';
  const clocks = useClocks(store);
  return (
    <section className={styles['clocks']} aria-label="Cache entries">
      <h3 className={styles['title']}>{isSimulated ? 'The simulator’s cache' : 'Expected cache'}</h3>
      <p className={styles['text']}>
        {clocks.length === 0
          ? 'No entries.'
          : `${plural(clocks.length, 'entry', 'entries')}. Reading an entry restarts its TTL.`}
      </p>
      <ul className={styles['list']}>
        {clocks.slice(0, MOST_ENTRIES).map(({ id, reaches, tokens, ttl, left, reads, model }) => (
          <li key={id} className={styles['entry']}>
            <span className={styles['reach']} title={model}>
              {reaches}
            </span>
            <span className={styles['left']} data-low={left < MINUTE}>
              {left === 0 ? 'expired' : countdown(left)}
            </span>
            <span className={styles['facts']}>
              {grouped(tokens)} tokens · TTL {ttl} · read {plural(reads, 'time')} ·{' '}
              <span className={styles['model']}>{model}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
});
