import { useRef, useState } from 'react';
import { readRecording } from '../../model/traffic/recording/read-recording.ts';
import { segmentsOfBody, type BodySegments } from '../../model/instruments/body-segments.ts';
import { recordedRows, type RecordedRow } from '../../model/instruments/recording-rows.ts';
import type { CountTokens } from '../prefix/use-prefix.ts';

export type Recording = {
  readonly name: string;
  readonly rows: readonly RecordedRow[];
  /** What could not be read, one sentence each. */
  readonly faults: readonly string[];
};

export type RecordingState = {
  readonly recording: Recording | undefined;
  /** While a file is being explained. */
  readonly progress: { readonly done: number; readonly total: number } | undefined;
  readonly open: (file: File) => Promise<void>;
  readonly close: () => void;
  readonly segments: (key: string) => BodySegments | undefined;
};

/** Longest piece of work between two frames, in milliseconds. */
const SLICE = 12;

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Requests that somebody recorded elsewhere: our JSONL, or a HAR of a browser. */
export const useRecording = (count: CountTokens | undefined): RecordingState => {
  const [recording, setRecording] = useState<Recording>();
  const [progress, setProgress] = useState<RecordingState['progress']>();
  const running = useRef<AbortController>(undefined);

  const stop = (): void => {
    running.current?.abort();
    setProgress(undefined);
  };
  const open = async (file: File): Promise<void> => {
    stop();
    const abort = new AbortController();
    running.current = abort;
    const { calls, faults } = readRecording(await file.text(), file.name);
    setProgress({ done: 0, total: calls.length });
    let since = performance.now();
    const rows = await recordedRows(calls, {
      ...(count && { tokenizer: { count } }),
      signal: abort.signal,
      onRow: async (done) => {
        if (performance.now() - since < SLICE) return;
        setProgress({ done, total: calls.length });
        await nextTask();
        since = performance.now();
      },
    });
    if (abort.signal.aborted) return;
    setProgress(undefined);
    setRecording({ name: file.name, rows, faults: faults.map(({ line, message }) => `line ${line}: ${message}`) });
  };

  return {
    recording,
    progress,
    open,
    close: () => {
      stop();
      setRecording(undefined);
    },
    segments: (key) => {
      const call = recording?.rows.find(({ row }) => row.key === key)?.call;
      const read = call && segmentsOfBody(call.body, call.wire);
      return read?.ok ? read.value : undefined;
    },
  };
};
