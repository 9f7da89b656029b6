import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../base/errors.ts';
import type { BodySegments } from '../../model/instruments/body-segments.ts';
import type { RecordingProgress } from '../../model/instruments/opened-recording.ts';
import { type BrowserRecording, openRecording } from '../../platform/worker/recording-browser.ts';
import type { CountTokens } from '../prefix/use-prefix.ts';

export type Recording = Pick<BrowserRecording, 'calls' | 'faults' | 'segments'> & { readonly name: string };

export type RecordingState = {
  readonly recording: Recording | undefined;
  /** While a file is read and explained. */
  readonly progress: (RecordingProgress & { readonly name: string }) | undefined;
  /** Why the last file could not be opened. */
  readonly problem: string | undefined;
  readonly open: (file: File) => Promise<void>;
  readonly cancel: () => void;
  readonly close: () => void;
};

/** Requests that somebody recorded elsewhere. A worker reads and explains them. */
export const useRecording = (count: CountTokens | undefined): RecordingState => {
  const [recording, setRecording] = useState<Recording>();
  const [progress, setProgress] = useState<RecordingState['progress']>();
  const [problem, setProblem] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const kept = useRef<BrowserRecording>(undefined);

  const cancel = (): void => {
    running.current?.abort();
    setProgress(undefined);
    setProblem(undefined);
  };
  useEffect(
    () => () => {
      running.current?.abort();
      kept.current?.[Symbol.dispose]();
    },
    [],
  );

  const open = async (file: File): Promise<void> => {
    cancel();
    const { signal } = (running.current = new AbortController());
    const { name, size } = file;
    setProgress({ name, step: 'reading', done: 0, total: size });
    try {
      const opened = await openRecording(file, {
        count,
        signal,
        onProgress: (step) => signal.aborted || setProgress({ name, ...step }),
      });
      if (signal.aborted) return;
      kept.current?.[Symbol.dispose]();
      kept.current = opened;
      setRecording({ name, ...opened });
    } catch (thrown) {
      if (!signal.aborted) setProblem(`Can’t read ${name}: ${errorMessage(thrown)}.`);
    }
    if (!signal.aborted) setProgress(undefined);
  };

  return {
    recording,
    progress,
    problem,
    open,
    cancel,
    close: () => {
      cancel();
      kept.current?.[Symbol.dispose]();
      kept.current = undefined;
      setRecording(undefined);
    },
  };
};

/** The bodies of two recorded requests, asked of the worker when somebody compares them. */
export const useRecordedBodies = (
  recording: Recording | undefined,
  earlier: string | undefined,
  later: string | undefined,
): { readonly isReading: boolean; readonly of: (key: string | undefined) => BodySegments | undefined } => {
  const [read, setRead] = useState<ReadonlyMap<string, BodySegments | undefined>>();
  const [of, setOf] = useState<string>();
  const wanted = recording && later !== undefined ? `${recording.name} ${earlier} ${later}` : undefined;
  useEffect(() => {
    if (!recording || wanted === undefined) return undefined;
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      const keys = [earlier, later].filter((key) => key !== undefined);
      const bodies = new Map<string, BodySegments | undefined>();
      for (const key of keys) bodies.set(key, await recording.segments(key).catch(() => undefined));
      if (!isCurrent) return;
      setRead(bodies);
      setOf(wanted);
    };
    void ask();
    return () => {
      isCurrent = false;
    };
  }, [recording, earlier, later, wanted]);
  const isReading = wanted !== undefined && of !== wanted;
  return { isReading, of: (key) => (isReading || key === undefined ? undefined : read?.get(key)) };
};
