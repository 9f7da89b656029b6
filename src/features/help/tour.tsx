import { Button } from '../../ui/button.tsx';
import styles from './tour.module.css';

export interface TourStep {
  readonly title: string;
  readonly text: string;
}

export const TOUR: readonly [TourStep, ...TourStep[]] = [
  {
    title: 'Library',
    text: 'The demo folder is open. Choose a skill: star marks one that runs a program, ✕ and ! its problems.',
  },
  {
    title: 'Editor',
    text: 'The skill itself. Its problems stand where they are, and in Problems below with their fixes.',
  },
  {
    title: 'Session',
    text: 'Talk to a model, or to the built-in simulator: it needs no key and no network.',
  },
  {
    title: 'Instruments',
    text: 'What a session sends, what the cache does with it and what it costs, request by request.',
  },
  {
    title: 'Commands',
    text: 'Everything is a command. Every panel has a page of help behind its question mark.',
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
