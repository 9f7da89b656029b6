import type { ReactNode } from 'react';
import styles from './panel.module.css';

export type PanelProps = {
  /** The accessible name of the region, and its heading. */
  readonly name: string;
  /** Stands in the head, at the end of the line. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** A region of the workbench: a head of one line, and a body that scrolls by itself. */
export const Panel = ({ name, actions, children }: PanelProps) => (
  <section className={styles['panel']} aria-label={name}>
    <header className={styles['head']}>
      <h2>{name}</h2>
      {actions && <div className={styles['actions']}>{actions}</div>}
    </header>
    {/* A tab stop, so that plain text can be scrolled by keyboard. */}
    <div className={styles['body']} role="group" aria-label={`${name} content`} tabIndex={0}>
      {children}
    </div>
  </section>
);
