import type { ChangeView, DiffLine } from '../../model/session-view/change-view.ts';
import styles from './diff-view.module.css';

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', added: '+', removed: '-' };
const NAMES: Readonly<Record<DiffLine['kind'], string>> = { same: '', added: 'added', removed: 'removed' };

/** A unified diff. The sign and a name carry the meaning, color only repeats it. */
export const DiffView = ({ change }: { readonly change: ChangeView }) => (
  <div
    className={styles['diff']}
    role="group"
    aria-label={`Changes in ${change.path}`}
    // It scrolls by keyboard too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard
    tabIndex={0}
  >
    {change.note !== undefined && <p className={styles['note']}>{change.note}</p>}
    {change.hunks.map((hunk) => (
      <div key={hunk.head} className={styles['hunk']}>
        <p className={styles['head']}>{hunk.head}</p>
        {hunk.lines.map((line) => (
          <div key={`${line.before ?? ''}:${line.after ?? ''}`} className={styles['line']} data-kind={line.kind}>
            <span className={styles['number']} aria-hidden="true">
              {line.before ?? ''}
            </span>
            <span className={styles['number']} aria-hidden="true">
              {line.after ?? ''}
            </span>
            <span
              className={styles['sign']}
              aria-label={NAMES[line.kind]}
              role={line.kind === 'same' ? undefined : 'img'}
            >
              {SIGNS[line.kind]}
            </span>
            <code className={styles['text']}>{line.text || ' '}</code>
          </div>
        ))}
      </div>
    ))}
  </div>
);
