import type { ReactNode } from 'react';
import styles from './what-if.module.css';

const Content = () => null;

/** One line until there is a forecast: the rows below have more to say. */
const Head = ({ end }: { readonly end: ReactNode }) => (
  <div className={styles['line']}>
    <h2 className={styles['title']}>What if</h2>
    <p className={styles['empty']}>Forecasts under another policy will be here. There are none yet.</p>
    {end}
  </div>
);

export const whatIfContent = { Content, Head };
