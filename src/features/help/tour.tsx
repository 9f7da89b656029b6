import { Button } from '../../ui/button.tsx';
import styles from './tour.module.css';

export interface TourStep {
  readonly title: string;
  readonly text: string;
}

export const TOUR: readonly [TourStep, ...TourStep[]] = [
  {
    title: 'Session',
    text: 'Talk to a model, or to the built-in simulator: it needs no key and no network. Run the first example.',
  },
  {
    title: 'Cache waterfall',
    text: 'One row per request: the tokens read, the tokens written, and where the prefix stopped matching.',
  },
  {
    title: 'Prefix',
    text: 'The request to scale, on the same axis: tools, instructions, skills, padding, and the breakpoints.',
  },
  {
    title: 'Event stream',
    text: 'Every event of the session. Problems, the terminal, changes, and the log share this panel in all views.',
  },
  {
    title: 'Views',
    text: 'Skills has the library and the editor, Metaskills runs programs, Import checks third-party skills.',
  },
  {
    title: 'Commands',
    text: 'Everything is a command. Every panel has a page of help: press its question mark.',
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
