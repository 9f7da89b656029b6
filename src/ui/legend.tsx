import styles from './legend.module.css';
import { cx } from './cx.ts';

export type LegendItem = {
  readonly label: string;
  /** The name of a color of tokens.css, without its dashes. */
  readonly colour: string;
  /** Padding is hatched everywhere, so that color is not the only sign of it. */
  readonly hatched?: boolean;
};

/** What the colors of an instrument mean. */
export const Legend = ({ items }: { readonly items: readonly LegendItem[] }) => (
  <ul className={styles['legend']}>
    {items.map(({ label, colour, hatched }) => (
      <li key={label}>
        <span
          className={cx(styles['swatch'], hatched && styles['hatched'])}
          style={{ backgroundColor: `var(--${colour})` }}
        />
        {label}
      </li>
    ))}
  </ul>
);
