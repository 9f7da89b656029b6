import type { Example, ExampleStep } from '../../model/session-view/examples.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import styles from './example-steps.module.css';

export type ExampleStepsProps = {
  readonly example: Example;
  readonly disabledReason: string | undefined;
  readonly onStep: (step: ExampleStep) => void;
  readonly onClose: () => void;
};

/** What an example shows next, one button each. */
export const ExampleSteps = ({ example, disabledReason, onStep, onClose }: ExampleStepsProps) => (
  <section className={styles['steps']} aria-label={`Next steps of the example: ${example.title}`}>
    <span className={styles['label']}>Next</span>
    <div className={styles['buttons']}>
      {example.steps.map((step) => (
        <Button key={step.label} onPress={() => onStep(step)} tip={step.shows} disabledReason={disabledReason}>
          {step.label}
        </Button>
      ))}
    </div>
    <IconButton label="Close the example" icon="close" onPress={onClose} />
  </section>
);
