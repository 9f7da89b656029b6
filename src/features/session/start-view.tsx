import type { Example } from '../../model/session-view/examples.ts';
import { Button } from '../../ui/button.tsx';
import { Scroll } from '../../ui/panel.tsx';
import styles from './start-view.module.css';

export type StartViewProps = {
  readonly examples: readonly Example[];
  readonly isSimulator: boolean;
  /** Puts its prompt into the composer. */
  readonly onChoose: (example: Example) => void;
  /** Sends it immediately. */
  readonly onRun: (example: Example) => void;
};

/** Before the first message: what to try, in one click. */
export const StartView = ({ examples, isSimulator, onChoose, onRun }: StartViewProps) => (
  <Scroll label="Examples">
    <div className={styles['start']}>
      <p className={styles['lead']}>
        {isSimulator
          ? 'The simulator answers with the skills of this folder. No key, no network, no cost.'
          : 'A model with the skills of this folder. Requests are billed to your API key.'}
      </p>
      {examples.length === 0 && (
        <p className={styles['about']}>This folder has no skills yet. Ask anything, or create a skill.</p>
      )}
      {examples.map((example, index) => (
        <section key={example.id} className={styles['example']} aria-label={example.title}>
          <h3 className={styles['title']}>{example.title}</h3>
          <p className={styles['about']}>{example.about}</p>
          <p className={styles['prompt']}>{example.prompt}</p>
          <div className={styles['actions']}>
            <Button
              look={index === 0 ? 'primary' : 'plain'}
              onPress={() => onRun(example)}
              aria-label={`Run: ${example.title}`}
            >
              Run
            </Button>
            <Button look="quiet" onPress={() => onChoose(example)} aria-label={`Edit first: ${example.title}`}>
              Edit first
            </Button>
          </div>
        </section>
      ))}
    </div>
  </Scroll>
);
