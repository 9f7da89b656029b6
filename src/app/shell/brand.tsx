import styles from './brand.module.css';

/** The mark: a workpiece, half of it turned (read), half still to turn (write), and the tool between them. */
export const Brand = () => (
  <h1 className={styles['brand']}>
    <svg className={styles['mark']} viewBox="0 0 18 18" aria-hidden="true">
      <rect className={styles['done']} x="1" y="7" width="16" height="4" rx="2" />
      <rect className={styles['ahead']} x="11" y="7" width="6" height="4" rx="2" />
      <path className={styles['tool']} d="M11 2v14" />
    </svg>
    Lathe
  </h1>
);
