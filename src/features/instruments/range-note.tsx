import { Button } from '../../ui/button.tsx';
import type { TimeRange } from '../../model/instruments/time-axis.ts';
import styles from './range-note.module.css';

const two = (value: number): string => String(value).padStart(2, '0');
const clock = (at: number): string => {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
};

export type RangeNoteProps = {
  readonly range: TimeRange | undefined;
  /** How much of how much is shown. */
  readonly shown: string;
  readonly onClear: () => void;
};

/** A range of time filters several panels: each says so, with the way out. */
export const RangeNote = ({ range, shown, onClear }: RangeNoteProps) =>
  range && (
    <p className={styles['note']} role="status">
      <span>
        {shown}, {clock(range.from)} to {clock(range.to)}.
      </span>
      <Button look="link" onPress={onClear}>
        Show all
      </Button>
    </p>
  );
