import styles from './kbd.module.css';

/** The keys of a shortcut, one cap each. */
export const Kbd = ({ keys }: { readonly keys: readonly string[] }) => (
  <kbd className={styles['keys']}>
    {keys.map((key) => (
      <kbd key={key} className={styles['key']}>
        {key}
      </kbd>
    ))}
  </kbd>
);
