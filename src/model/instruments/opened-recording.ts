/** A file of recorded requests, from its text to what the waterfall shows. Runs in a worker: it may take seconds. */
import type { Usage } from '../provider/types.ts';
import { createLineSplitter } from '../traffic/recording/lines.ts';
import { createRecordingReader } from '../traffic/recording/read-recording.ts';
import { joinSources } from '../traffic/recording/sources.ts';
import { segmentsOfBody, type BodySegments } from './body-segments.ts';
import { recordedRows, type RecordingOptions } from './recording-rows.ts';
import type { WaterfallRow } from './waterfall-view.ts';

/** What is shown of a request; its body stays where it was read. */
export interface ShownCall {
  readonly row: WaterfallRow;
  readonly model: string;
  readonly usage: Usage | undefined;
}

export interface RecordingProgress {
  readonly step: 'reading' | 'explaining';
  /** Of `reading` bytes, of `explaining` requests. */
  readonly done: number;
  readonly total: number;
}

export interface OpenedRecording {
  readonly calls: readonly ShownCall[];
  /** What could not be read, one sentence each. */
  readonly faults: readonly string[];
  readonly segments: (key: string) => BodySegments | undefined;
}

export interface RecordedFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Its text in pieces, each with how many bytes have been read up to its end. */
  readonly pieces: AsyncIterable<{ readonly text: string; readonly read: number }>;
}

export interface OpenRecordingOptions extends Pick<RecordingOptions, 'tokenizer' | 'signal'> {
  readonly onProgress?: (progress: RecordingProgress) => void;
}

export const openRecorded = async (
  { name, size, pieces }: RecordedFile,
  { tokenizer, signal, onProgress }: OpenRecordingOptions = {},
): Promise<OpenedRecording> => {
  const reader = createRecordingReader(name);
  const lines = createLineSplitter(reader.add);
  for await (const { text, read } of pieces) {
    signal?.throwIfAborted();
    lines.add(text);
    onProgress?.({ step: 'reading', done: read, total: size });
  }
  lines.end();
  const { calls, faults } = joinSources([{ file: name, ...reader.end() }]);
  const total = calls.length;
  onProgress?.({ step: 'explaining', done: 0, total });
  const rows = await recordedRows(calls, {
    ...(tokenizer && { tokenizer }),
    ...(signal && { signal }),
    onRow: (done) => onProgress?.({ step: 'explaining', done, total }),
  });
  signal?.throwIfAborted();
  const byKey = new Map(rows.map(({ row, call }) => [row.key, call]));
  return {
    calls: rows.map(({ row, call }) => ({ row, model: call.model, usage: call.usage })),
    faults: faults.map(({ line, message }) => `line ${line}: ${message}`),
    segments: (key) => {
      const call = byKey.get(key);
      const read = call && segmentsOfBody(call.body, call.wire);
      return read?.ok ? read.value : undefined;
    },
  };
};
