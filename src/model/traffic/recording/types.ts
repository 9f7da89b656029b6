/** What was read of a file of recorded calls. */
import type { Call } from '../call.ts';

export interface RecordingFault {
  /** Of the file, from 1; in a HAR the number of the entry. */
  readonly line: number;
  readonly message: string;
}

export interface Recording {
  readonly calls: readonly Call[];
  /** The line (or entry) of every call. */
  readonly lines: readonly number[];
  readonly faults: readonly RecordingFault[];
}
