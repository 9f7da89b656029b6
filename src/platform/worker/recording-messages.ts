import type { RecordingProgress, ShownCall } from '../../model/instruments/opened-recording.ts';

/** What comes while a recording is opened. A count is answered by a push, in the order of the questions. */
export type FromRecording =
  | { readonly kind: 'progress'; readonly progress: RecordingProgress }
  | { readonly kind: 'count'; readonly texts: readonly string[] }
  | { readonly kind: 'calls'; readonly calls: readonly ShownCall[] };
