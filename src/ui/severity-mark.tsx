import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './severity-mark.module.css';

export type SeverityMarkProps = {
  /** Only errors and warnings have a color of their own. */
  readonly severity: string;
  readonly icon: IconName;
  /** The word; where a label stands beside it, none. */
  readonly children?: ReactNode;
};

/** How bad something is: an icon, a color, and a word. */
export const SeverityMark = ({ severity, icon, children }: SeverityMarkProps) => (
  <span className={styles['mark']} data-severity={severity}>
    <Icon name={icon} />
    {children}
  </span>
);
