import type { RecordingProgress, ShownCall } from '../../model/instruments/opened-recording.ts';
import type { Policy } from '../../model/whatif/types.ts';

export interface NamedFile {
  /** Its path in the folder that was opened. */
  readonly name: string;
  readonly file: File;
}

/** All files that are there now; asked again, only those that have changed are read. */
export interface OpenFiles {
  readonly files: readonly NamedFile[];
  readonly counts: boolean;
}

/** The request is named by the key of its row. */
export interface AskedAxis {
  readonly policy: Policy;
  readonly key: string;
}

/** What comes while a recording is opened. A count is answered by a push, in the order of the questions. */
export type FromRecording =
  | { readonly kind: 'progress'; readonly progress: RecordingProgress }
  | { readonly kind: 'count'; readonly texts: readonly string[] }
  | { readonly kind: 'calls'; readonly calls: readonly ShownCall[] };
