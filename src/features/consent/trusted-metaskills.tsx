import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { errorMessage } from '../../base/errors.ts';
import type { ConsentStore } from '../../stores/consent-store.ts';
import { Button } from '../../ui/button.tsx';
import styles from './consent.module.css';

const follow = (work: Promise<void>, setProblem: (problem: string | undefined) => void): void =>
  void work.then(
    () => setProblem(undefined),
    (thrown: unknown) => setProblem(errorMessage(thrown)),
  );

/** External metaskills that the user trusts, and the way to revoke it. Part of Settings. */
export const TrustedMetaskills = ({ store }: { readonly store: ConsentStore }) => {
  const given = useStore(store, (state) => state.given);
  const [problem, setProblem] = useState<string>();
  // Another tab may have changed the book.
  useEffect(() => follow(store.look(), setProblem), [store]);
  return (
    <>
      {given.length === 0 ? (
        <p className={styles['note']}>
          You haven’t trusted any external metaskills. Lathe asks when one is about to run.
        </p>
      ) : (
        <ul className={styles['files']} aria-label="Trusted metaskills">
          {given.map(({ hash, skill }) => (
            <li key={hash}>
              <span>
                {skill} <code>{hash.slice(0, 12)}</code>
              </span>
              <Button aria-label={`Revoke trust in ${skill}`} onPress={() => follow(store.revoke(hash), setProblem)}>
                Revoke trust
              </Button>
            </li>
          ))}
        </ul>
      )}
      {problem !== undefined && (
        <p className={styles['problem']} role="alert">
          {problem}
        </p>
      )}
    </>
  );
};
