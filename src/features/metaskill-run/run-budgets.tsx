/** What is left of a run’s budgets, drained as it goes. */
import type { Analysis } from '../../model/starlark/messages.ts';
import type { RunView } from '../../model/instruments/run-view.ts';
import { RunSection } from './run-section.tsx';
import styles from './run-budgets.module.css';

/** Of a run in a host that sets nothing else (D30). */
const SECONDS = 300;
/** What the program may trace of the 100 entries. */
const TRACES = 98;

type MeterProps = {
  readonly name: string;
  readonly left: string;
  readonly note: string;
  readonly used: number;
  readonly most: number;
};

const Meter = ({ name, left, note, used, most }: MeterProps) => {
  const share = most === 0 ? 0 : Math.max(0, 1 - used / most);
  const isEmpty = most > 0 && used >= most;
  return (
    <div className={styles['meter']} data-empty={isEmpty}>
      <p>
        <b>{left}</b> {note}
      </p>
      <div
        role="meter"
        aria-label={`${name} left`}
        aria-valuemin={0}
        aria-valuemax={most}
        aria-valuenow={Math.max(0, most - used)}
        aria-valuetext={`${left} ${note}`}
      >
        {most <= 20 && most > 0 ? (
          <span className={styles['cells']} aria-hidden="true">
            {Array.from({ length: most }, (_, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- a cell is known by its place
              <i key={index} data-left={index < most - used} />
            ))}
          </span>
        ) : (
          <span className={styles['bar']} aria-hidden="true">
            <i style={{ width: `${share * 100}%` }} />
          </span>
        )}
      </div>
    </div>
  );
};

const worst = (facts: Analysis['facts'] | undefined): string => {
  const asks = facts?.worst?.ask;
  if (facts === undefined || facts?.worst === undefined || facts.worst === null) return '';
  return asks === null || asks === undefined
    ? 'This program may ask any number of times'
    : `At most ${asks} asks in this program`;
};

export type RunBudgetsProps = {
  readonly view: RunView;
  /** Up to the moment that is looked at. */
  readonly used: { readonly asks: number; readonly commands: number; readonly traces: number; readonly ms: number };
  /** Traces for which there was no room. */
  readonly dropped: number;
  readonly seconds?: number;
  readonly facts?: Analysis['facts'] | undefined;
  readonly isOver: boolean;
};

export const RunBudgets = ({ view, used, dropped, seconds = SECONDS, facts, isOver }: RunBudgetsProps) => {
  const { asks, commands } = view;
  const left = Math.max(0, seconds - used.ms / 1000);
  return (
    <RunSection title="Budgets" note={isOver ? 'What was left' : worst(facts)}>
      <div className={styles['grid']}>
        <Meter
          name="Asks"
          left={String(asks.most - used.asks)}
          note={`of ${asks.most} asks left`}
          used={used.asks}
          most={asks.most}
        />
        <Meter
          name="Commands"
          left={String(commands.most - used.commands)}
          note={`of ${commands.most} commands left`}
          used={used.commands}
          most={commands.most}
        />
        <Meter
          name="Seconds"
          left={`${left.toFixed(1)} s`}
          note={`of ${seconds} s left`}
          used={seconds - left}
          most={seconds}
        />
        <Meter
          name="Trace entries"
          left={String(Math.max(0, TRACES - used.traces))}
          note={`of ${TRACES} trace entries left`}
          used={Math.min(TRACES, used.traces)}
          most={TRACES}
        />
      </div>
      {dropped > 0 && (
        <p className={styles['dropped']} role="status">
          {dropped} trace entries were dropped because a run keeps {TRACES}.
        </p>
      )}
    </RunSection>
  );
};
