import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './explained-legend.module.css';

export type ExplainedItem = {
  readonly label: string;
  /** For somebody who meets the word for the first time. */
  readonly about: string;
  /** The name of a color of tokens.css, without its dashes. */
  readonly colour: string;
  readonly shape?: 'box' | 'hatched' | 'wasted' | 'line' | 'dashed' | 'notch';
};

export type ExplainedLegendProps = {
  readonly items: readonly ExplainedItem[];
  /** Only names, in one line; the explanations are there on hover. */
  readonly isShort?: boolean;
  readonly children?: ReactNode;
};

/** What the signs of an instrument mean. */
export const ExplainedLegend = ({ items, isShort = false, children }: ExplainedLegendProps) => (
  <ul className={cx(styles['legend'], isShort && styles['short'])}>
    {items.map(({ label, about, colour, shape = 'box' }) => (
      <li key={label} title={isShort ? about : undefined}>
        <span
          className={styles['sign']}
          data-shape={shape}
          style={{ [shape === 'dashed' ? 'borderColor' : 'backgroundColor']: `var(--${colour})` }}
        />
        <span>
          <b>{label}</b>
          {!isShort && <span className={styles['about']}> {about}</span>}
        </span>
      </li>
    ))}
    {children}
  </ul>
);
