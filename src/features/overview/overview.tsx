import type { SessionStore } from '../../stores/session-types.ts';
import { Scroll } from '../../ui/panel.tsx';
import { BudgetSummary } from '../budget/budget-panel.tsx';
import { LatestEvents } from '../events/event-stream.tsx';
import { PrefixSummary } from '../prefix/prefix-panel.tsx';
import type { CountTokens } from '../prefix/use-prefix.ts';
import { WaterfallSummary } from '../waterfall/waterfall-panel.tsx';
import styles from './overview.module.css';

export type OverviewProps = {
  readonly store: SessionStore;
  readonly count?: CountTokens | undefined;
  readonly folderVersion?: number | string | undefined;
  readonly onCalculate?: (() => void) | undefined;
  /** To a whole instrument. */
  readonly onOpen?: ((id: 'cache-waterfall' | 'prefix' | 'event-stream') => void) | undefined;
};

/** Four instruments side by side. Each of them is a region of its own. */
export const Overview = ({ store, count, folderVersion, onCalculate, onOpen }: OverviewProps) => (
  <div className={styles['box']}>
    <div className={styles['overview']}>
      <section className={styles['cell']} aria-label="Prefix">
        <PrefixSummary store={store} count={count} folderVersion={folderVersion} onCalculate={onCalculate} />
      </section>
      <section className={styles['cell']} aria-label="Cache waterfall">
        <WaterfallSummary store={store} onOpen={onOpen && (() => onOpen('cache-waterfall'))} />
      </section>
      <div className={styles['column']}>
        <Scroll label="Budget and events">
          <section aria-label="Activation budget">
            <BudgetSummary store={store} />
          </section>
          <section aria-label="Latest events">
            <LatestEvents store={store} />
          </section>
        </Scroll>
      </div>
    </div>
  </div>
);
