import { Button } from '../../ui/button.tsx';
import { SentenceWithCode } from '../../ui/code-text.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import styles from './sources-panel.module.css';
import { HIDDEN_FOLDERS, WATCH_ADVICE } from './watch-words.ts';

export type WatchDialogProps = {
  readonly onPick: () => void;
  readonly onClose: () => void;
};

/** What to set for an agent, and the button that chooses its folder. */
export const WatchDialog = ({ onPick, onClose }: WatchDialogProps) => (
  <Dialog
    title="Watch an agent"
    isOpen
    onClose={onClose}
    footer={
      <>
        <Button onPress={onClose}>Cancel</Button>
        <Button look="primary" onPress={onPick}>
          Choose folder
        </Button>
      </>
    }
  >
    <p>Choose the folder your agent writes to. Its requests appear here while it works. Nothing leaves this browser.</p>
    {WATCH_ADVICE.map(({ agent, steps }) => (
      <section key={agent}>
        <h3 className={styles['advice']}>{agent}</h3>
        <ul>
          {steps.map((step) => (
            <li key={step}>
              <SentenceWithCode>{step}</SentenceWithCode>
            </li>
          ))}
        </ul>
      </section>
    ))}
    <p>
      <SentenceWithCode>{HIDDEN_FOLDERS}</SentenceWithCode>
    </p>
  </Dialog>
);
