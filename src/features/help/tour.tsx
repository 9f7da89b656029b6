import { Button } from '../../ui/button.tsx';
import styles from './tour.module.css';

export interface TourStep {
  readonly title: string;
  readonly text: string;
}

export const TOUR: readonly [TourStep, ...TourStep[]] = [
  {
    title: 'Session',
    text: 'Talk to a model or to the built-in simulator, which needs no key or network. Run the first example.',
  },
  {
    title: 'Cache waterfall',
    text: 'One row per request: tokens read, tokens written, and where the prefix stopped matching.',
  },
  {
    title: 'Prefix',
    text: 'The request to scale: tools, instructions, skills, padding, and cache breakpoints.',
  },
  {
    title: 'Event stream',
    text: 'The session’s events. In every view, this panel also has problems, the terminal, changes, and the log.',
  },
  {
    title: 'Views',
    text: 'Use Skills to edit, Metaskills to run programs, and Import to check third-party skills.',
  },
  {
    title: 'Commands',
    text: 'Every action is a command. Select a panel’s question mark for help.',
  },
];

export type TourProps = {
  /** From 0. */
  readonly step: number;
  /** Undefined ends it. */
  readonly onStep: (step: number | undefined) => void;
};

/** A line below the bar that walks through the regions. It covers nothing and holds nothing up. */
export const Tour = ({ step, onStep }: TourProps) => {
  const { title, text } = TOUR[step] ?? TOUR[0];
  const isLast = step >= TOUR.length - 1;
  return (
    <aside className={styles['tour']} aria-label="Tour">
      <span className={styles['step']}>
        {step + 1} of {TOUR.length}
      </span>
      <p className={styles['text']} aria-live="polite">
        <b>{title}</b> {text}
      </p>
      <span className={styles['actions']}>
        {step > 0 && (
          <Button look="quiet" onPress={() => onStep(step - 1)}>
            Back
          </Button>
        )}
        {!isLast && (
          <Button look="quiet" onPress={() => onStep(undefined)}>
            Skip the tour
          </Button>
        )}
        <Button look="primary" onPress={() => onStep(isLast ? undefined : step + 1)}>
          {isLast ? 'Done' : 'Next'}
        </Button>
      </span>
    </aside>
  );
};
