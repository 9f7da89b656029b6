import { ProgressBar as AriaProgressBar } from 'react-aria-components/ProgressBar';
import styles from './progress-bar.module.css';

export type ProgressBarProps = {
  readonly label: string;
  readonly done: number;
  /** Unknown while it is still being found out. */
  readonly total?: number | undefined;
  /** How a figure is written; as it is, unless told. */
  readonly format?: (figure: number) => string;
};

export const ProgressBar = ({ label, done, total, format = String }: ProgressBarProps) => (
  <AriaProgressBar
    aria-label={label}
    className={styles['progress'] ?? ''}
    {...(total === undefined ? { isIndeterminate: true } : { value: done, maxValue: Math.max(total, 1) })}
  >
    {({ percentage, isIndeterminate }) => (
      <>
        <div className={styles['track']}>
          <div
            className={styles['bar']}
            data-open={isIndeterminate}
            style={{ width: isIndeterminate ? '30%' : `${percentage ?? 0}%` }}
          />
        </div>
        <span className={styles['text']}>
          {label} {total === undefined ? format(done) : `${format(done)} of ${format(total)}`}
        </span>
      </>
    )}
  </AriaProgressBar>
);
