import { useState } from 'react';
import type { Example, ExampleStep } from '../../model/session-view/examples.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import styles from './example-steps.module.css';

export type ExampleStepsProps = {
  readonly example: Example;
  readonly disabledReason: string | undefined;
  readonly onStep: (step: ExampleStep) => void;
  readonly onClose: () => void;
};

/** What an example shows next, one button each; what was shown goes, so that the next one stands first. */
export const ExampleSteps = ({ example, disabledReason, onStep, onClose }: ExampleStepsProps) => {
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  const left = example.steps.filter(({ label }) => !done.has(label));
  return (
    <section className={styles['steps']} aria-label={`Next steps of the example: ${example.title}`}>
      <span className={styles['label']}>
        {left.length === 0 ? 'That’s the end of the example. Now ask anything.' : 'Next'}
      </span>
      <div className={styles['buttons']}>
        {left.map((step) => (
          <Button
            key={step.label}
            onPress={() => {
              setDone(new Set([...done, step.label]));
              onStep(step);
            }}
            tip={step.shows}
            disabledReason={disabledReason}
          >
            {step.label}
          </Button>
        ))}
      </div>
      <IconButton label="Close the example" icon="close" onPress={onClose} />
    </section>
  );
};
