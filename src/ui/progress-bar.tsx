import styles from './progress-bar.module.css';

export type ProgressBarProps = {
  readonly label: string;
  readonly done: number;
  /** Unknown while it is still being found out. */
  readonly total?: number | undefined;
  /** How a number is written; as it is, unless told. */
  readonly format?: (figure: number) => string;
};

/** By hand: react-aria's loads the browser's tables for numbers, 50 ms before the first paint. */
export const ProgressBar = ({ label, done, total, format = String }: ProgressBarProps) => {
  const isOpen = total === undefined;
  const text = isOpen ? format(done) : `${format(done)} of ${format(total)}`;
  const share = isOpen || total <= 0 ? 0 : Math.min(1, Math.max(0, done / total));
  return (
    <div
      className={styles['progress']}
      role="progressbar"
      aria-label={label}
      aria-valuetext={text}
      {...(!isOpen && { 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': Math.round(share * 100) })}
    >
      <div className={styles['track']}>
        <div className={styles['bar']} data-open={isOpen} style={{ width: isOpen ? '30%' : `${share * 100}%` }} />
      </div>
      <span className={styles['text']}>
        {label} {text}
      </span>
    </div>
  );
};
