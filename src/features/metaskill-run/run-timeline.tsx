import { useState } from 'react';
import { took } from '../../model/instruments/figures.ts';
import type { RunItem, RunView } from '../../model/instruments/run-view.ts';
import { CodeText } from '../../ui/code-text.tsx';
import styles from './run-timeline.module.css';
import { spentBudget } from './run-words.ts';

export type RunTimelineProps = {
  readonly run: RunView;
  readonly result: string | undefined;
  /** The step that is looked at. */
  readonly current: string | undefined;
  readonly onItem: (id: string) => void;
};

const spanOf = (run: RunView): number =>
  Math.max(1, run.durationMs ?? 0, ...run.items.map(({ at, durationMs = 0 }) => at + durationMs));

const Item = ({
  item,
  span,
  isCurrent,
  onItem,
}: {
  readonly item: RunItem;
  readonly span: number;
  readonly isCurrent: boolean;
  readonly onItem: (id: string) => void;
}) => {
  const [isOpen, setIsOpen] = useState(false);
  const { durationMs } = item;
  return (
    <li className={styles['item']}>
      <button
        type="button"
        className={styles['row']}
        aria-expanded={isOpen}
        aria-current={isCurrent ? 'step' : undefined}
        onClick={() => {
          setIsOpen(!isOpen);
          onItem(item.id);
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
            <CodeText block={item.kind === 'trace' ? 'Data' : 'Request'}>{item.request}</CodeText>
          )}
          {item.response !== '' && <CodeText block="Response">{item.response}</CodeText>}
        </div>
      )}
    </li>
  );
};

/** What the program did, in order, with how long it took. */
export const RunTimeline = ({ run, result, current, onItem }: RunTimelineProps) => {
  const span = spanOf(run);
  const spent = spentBudget(result);
  if (run.items.length === 0)
    return (
      <p className={styles['empty']}>
        {run.status === undefined ? 'No asks, commands, or traces yet.' : 'No asks, commands, or traces.'}
      </p>
    );
  return (
    <ol className={styles['items']} aria-label="Steps">
      {run.items.map((item) => (
        <Item key={item.id} item={item} span={span} isCurrent={item.id === current} onItem={onItem} />
      ))}
      {spent && (
        <li className={styles['item']} data-refused="true">
          <p className={styles['refused']}>
            <b>{spent.kind}</b> number {spent.most + 1} was refused: the budget is {spent.most}
          </p>
        </li>
      )}
    </ol>
  );
};
