import type { ReactNode } from 'react';
import styles from './panel.module.css';

export type PanelProps = {
  /** The accessible name of the region, and its heading. */
  readonly name: string;
  /** Small facts beside the heading. */
  readonly facts?: ReactNode;
  /** Stands in the head, at the end of the line. */
  readonly actions?: ReactNode;
  /** In place of the heading line: the region then has no head of its own. */
  readonly head?: ReactNode;
  readonly children: ReactNode;
};

/** A region of the workbench: a head of one line, and a body that fills the rest and scrolls inside. */
export const Panel = ({ name, facts, actions, head, children }: PanelProps) => (
  <section className={styles['panel']} aria-label={name} tabIndex={-1}>
    {head ?? (
      <header className={styles['head']}>
        <h2>{name}</h2>
        {facts}
        {actions && <div className={styles['actions']}>{actions}</div>}
      </header>
    )}
    <div className={styles['body']}>{children}</div>
  </section>
);

export type ScrollProps = {
  /** The accessible name of what scrolls. */
  readonly label: string;
  readonly children: ReactNode;
};

/** Content that scrolls, also by keyboard. */
export const Scroll = ({ label, children }: ScrollProps) => (
  <div className={styles['scroll']} role="group" aria-label={label} tabIndex={0}>
    {children}
  </div>
);
