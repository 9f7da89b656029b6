import { useState } from 'react';
import { useStore } from 'zustand';
import { errorMessage } from '../../base/errors.ts';
import type { ConsentQuestion } from '../../model/metaskill/consent.ts';
import type { ConsentStore } from '../../stores/consent-store.ts';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './consent.module.css';

type TrustDialogProps = {
  readonly question: ConsentQuestion;
  readonly onAnswer: (isYes: boolean) => Promise<void>;
};

const TrustDialog = ({ question: { skill, hash, files }, onAnswer }: TrustDialogProps) => {
  const [problem, setProblem] = useState<string>();
  const answer = (isYes: boolean): void =>
    void onAnswer(isYes).catch((thrown: unknown) => setProblem(`Can't save your trust: ${errorMessage(thrown)}`));
  return (
    <Dialog
      title="Trust metaskill"
      isOpen
      onClose={() => answer(false)}
      footer={
        <>
          <Button onPress={() => answer(false)}>Not now</Button>
          <Button look="primary" onPress={() => answer(true)}>
            Trust these files
          </Button>
        </>
      }
    >
      <div className={styles['content']}>
        <p>
          <strong>{skill}</strong> comes from a third party. If you trust it, its program can ask the model and, with
          your approval, run commands. Trust covers exactly these files. If one changes, Lathe asks again. You can
          revoke trust in Settings.
        </p>
        <ul className={styles['files']} aria-label="Files">
          {files.map(({ path, bytes }) => (
            <li key={path}>
              <code>{path}</code> <span>{bytes} bytes</span>
            </li>
          ))}
        </ul>
        <p className={styles['hash']}>
          SHA-256 of all files: <CodeText>{hash}</CodeText>
        </p>
        {problem !== undefined && (
          <p className={styles['problem']} role="alert">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  );
};

/** The one question about external metaskills (D27), wherever a program was started. */
export const TrustQuestions = ({ store }: { readonly store: ConsentStore }) => {
  const question = useStore(store, ({ questions }) => questions[0]);
  return question ? (
    <TrustDialog key={question.hash} question={question} onAnswer={(isYes) => store.answer(question.hash, isYes)} />
  ) : null;
};
