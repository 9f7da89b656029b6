import type { ReactNode } from 'react';
import styles from './run-section.module.css';

type RunSectionProps = {
  readonly title: string;
  /** Beside the title. */
  readonly note: string;
  readonly children: ReactNode;
};

/** A part of what is shown of a run, with its title. */
export const RunSection = ({ title, note, children }: RunSectionProps) => (
  <section className={styles['section']} aria-label={title}>
    <header className={styles['head']}>
      <h3>{title}</h3>
      <span>{note}</span>
    </header>
    {children}
  </section>
);
