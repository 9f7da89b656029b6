import { useState } from 'react';
import { errorMessage } from '../../base/errors.ts';
import type { MetaskillFacts } from '../../model/session/host-skills.ts';
import type { TrustBook } from '../../platform/runtime/trust-book.ts';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './trust-dialog.module.css';
import { useOutside } from './use-session.ts';

export type TrustDialogProps = {
  readonly skill: string;
  /** Nothing if there is nothing to agree to any more. */
  readonly facts: MetaskillFacts | undefined;
  readonly book: TrustBook;
  readonly onClose: () => void;
};

/** Consent for a metaskill that came from elsewhere, by the hash of all its files (D27). */
export const TrustDialog = ({ skill, facts, book, onClose }: TrustDialogProps) => {
  const given = useOutside(book, book.list);
  const [problem, setProblem] = useState<string>();
  const done = async (work: Promise<void>, close: boolean): Promise<void> => {
    try {
      await work;
      if (close) onClose();
    } catch (thrown) {
      setProblem(errorMessage(thrown));
    }
  };
  return (
    <Dialog
      title="Trust metaskill"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{facts ? 'Not now' : 'Close'}</Button>
          {facts && (
            <Button look="primary" onPress={() => void done(book.give(facts.hash, skill), true)}>
              Trust these files
            </Button>
          )}
        </>
      }
    >
      <div className={styles['content']}>
        {facts ? (
          <>
            <p>
              <strong>{skill}</strong> came from elsewhere. Trusted, its program may ask the model and, with your
              approval, run commands. Trust is for exactly these files: one that changes asks again.
            </p>
            <ul className={styles['files']} aria-label="Files">
              {facts.files.map(({ path, bytes }) => (
                <li key={path}>
                  <code>{path}</code> <span>{bytes} bytes</span>
                </li>
              ))}
            </ul>
            <p className={styles['hash']}>
              SHA-256 of all files: <CodeText>{facts.hash}</CodeText>
            </p>
          </>
        ) : (
          <p>
            Nothing to agree to: <strong>{skill}</strong> is your own, or its files are trusted already. Send the
            message again to run it.
          </p>
        )}
        {given.length > 0 && (
          <>
            <h3 className={styles['title']}>Trusted so far</h3>
            <ul className={styles['files']} aria-label="Trusted metaskills">
              {given.map((row) => (
                <li key={row.hash}>
                  <span>
                    {row.skill} <code>{row.hash.slice(0, 12)}</code>
                  </span>
                  <Button
                    onPress={() => void done(book.revoke(row.hash), false)}
                    aria-label={`Revoke trust in ${row.skill}`}
                  >
                    Revoke
                  </Button>
                </li>
              ))}
            </ul>
          </>
        )}
        {problem !== undefined && (
          <p className={styles['problem']} role="alert">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  );
};
