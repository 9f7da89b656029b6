/** What was read of a file of recorded calls. */
import type { Call } from '../call.ts';
import type { Piece } from './pieces.ts';

export interface RecordingFault {
  /** Of the file, from 1; in a HAR the number of the entry. */
  readonly line: number;
  readonly message: string;
}

export interface SourceFault extends RecordingFault {
  readonly file: string;
}

export interface Recording {
  readonly calls: readonly Call[];
  /** Calls that another file may hold as well, and better. They count only where no other has them. */
  readonly copies?: readonly Call[];
  /** Parts of calls, which other files complete. */
  readonly pieces?: readonly Piece[];
  readonly faults: readonly RecordingFault[];
}

/** Takes a file line by line, without line ends. */
export interface RecordingReader {
  readonly add: (line: string) => void;
  /** A part of a line that is long; the line ends with the next `add`. False, and without it: lines are wanted whole. */
  readonly addPart?: (part: string) => boolean;
  readonly end: () => Recording;
  /** After `end` more lines can come, and `end` is asked again. Without it: never. */
  readonly canGrow?: () => boolean;
}
