import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

export type EmptyStateProps = {
  /** What is missing, in a few words. */
  readonly title: string;
  /** What would be here, and how to get it. */
  readonly children: ReactNode;
  readonly actions?: ReactNode;
};

/** An empty place that explains itself. */
export const EmptyState = ({ title, children, actions }: EmptyStateProps) => (
  <div className={styles['empty']}>
    <p className={styles['title']}>{title}</p>
    <p className={styles['text']}>{children}</p>
    {actions && <div className={styles['actions']}>{actions}</div>}
  </div>
);
