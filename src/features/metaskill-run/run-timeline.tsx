import { useState } from 'react';
import { plural } from '../../base/text.ts';
import { took } from '../../model/instruments/figures.ts';
import type { RunItem, RunView } from '../../model/instruments/run-view.ts';
import { CodeText } from '../../ui/code-text.tsx';
import styles from './run-timeline.module.css';

export type RunTimelineProps = {
  readonly run: RunView;
  /** A line of the source that the person wants to see. */
  readonly onLine: (line: number) => void;
};

const spanOf = (run: RunView): number =>
  Math.max(1, run.durationMs ?? 0, ...run.items.map(({ at, durationMs = 0 }) => at + durationMs));

const Item = ({
  item,
  span,
  onLine,
}: {
  readonly item: RunItem;
  readonly span: number;
  readonly onLine: (line: number) => void;
}) => {
  const [isOpen, setIsOpen] = useState(false);
  const { durationMs } = item;
  return (
    <li className={styles['item']}>
      <button
        type="button"
        className={styles['row']}
        aria-expanded={isOpen}
        onClick={() => {
          setIsOpen(!isOpen);
          if (item.line !== undefined) onLine(item.line);
        }}
      >
        <b data-kind={item.kind} data-ok={item.ok}>
          {item.kind}
        </b>
        <span className={styles['label']}>{item.kind === 'trace' ? `${item.label} ${item.request}` : item.label}</span>
        <span className={styles['took']}>{durationMs === undefined ? '' : took(durationMs)}</span>
        <span className={styles['lane']} role="presentation">
          <span
            data-kind={item.kind}
            data-ok={item.ok}
            style={{
              left: `min(${(item.at / span) * 100}%, 100% - 3px)`,
              width: `max(3px, ${((durationMs ?? 0) / span) * 100}%)`,
            }}
          />
        </span>
      </button>
      {isOpen && (
        <div className={styles['more']}>
          {item.notes.map((note) => (
            <p key={note} className={styles['note']}>
              {note}
            </p>
          ))}
          {item.request !== '' && (
            <CodeText block={item.kind === 'trace' ? 'Data' : 'What it asked'}>{item.request}</CodeText>
          )}
          {item.response !== '' && <CodeText block="What came back">{item.response}</CodeText>}
        </div>
      )}
    </li>
  );
};

const Budget = ({ name, used, most }: { readonly name: string; readonly used: number; readonly most: number }) => (
  <span
    className={styles['budget']}
    role="meter"
    aria-label={`${name} used`}
    aria-valuemin={0}
    aria-valuemax={most}
    aria-valuenow={used}
    aria-valuetext={`${used} of ${most}`}
  >
    <span className={styles['dots']} aria-hidden="true">
      {Array.from({ length: Math.min(most, 20) }, (_, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a dot is known by its place
        <i key={index} data-used={index < used} />
      ))}
    </span>
    {used} of {plural(most, name)}
  </span>
);

/** What the program did, in order, with how long it took. */
export const RunTimeline = ({ run, onLine }: RunTimelineProps) => {
  const span = spanOf(run);
  return (
    <div className={styles['timeline']}>
      <div className={styles['budgets']}>
        <Budget name="ask" used={run.asks.used} most={run.asks.most} />
        <Budget name="command" used={run.commands.used} most={run.commands.most} />
        {run.durationMs !== undefined && <span>{took(run.durationMs)}</span>}
      </div>
      {run.notes.map((note) => (
        <p key={note} className={styles['note']}>
          {note}
        </p>
      ))}
      {run.items.length === 0 ? (
        <p className={styles['empty']}>
          {run.status === undefined ? 'It has not asked, commanded or traced anything yet.' : 'It asked for nothing.'}
        </p>
      ) : (
        <ol className={styles['items']} aria-label="Steps">
          {run.items.map((item) => (
            <Item key={item.id} item={item} span={span} onLine={onLine} />
          ))}
        </ol>
      )}
    </div>
  );
};
