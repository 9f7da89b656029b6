import type { ReactNode } from 'react';
import styles from './badge.module.css';

export type BadgeTone = 'plain' | 'accent' | 'error' | 'warning' | 'preloaded';

export type BadgeProps = {
  readonly tone?: BadgeTone;
  /** What it means, in a sentence; for the pointer, and read out in place of the children. */
  readonly label?: string;
  readonly children: ReactNode;
};

/** A small word or number beside a name. */
export const Badge = ({ tone = 'plain', label, children }: BadgeProps) => (
  <span className={styles['badge']} data-tone={tone} title={label}>
    {children}
  </span>
);
