import { useEffect, useState } from 'react';
import type { BodySegments } from '../../model/instruments/body-segments.ts';
import type { Recording } from '../../stores/recordings-store.ts';

/** The bodies of two recorded requests, asked of the worker when somebody compares them. */
export const useRecordedBodies = (
  recording: Recording | undefined,
  earlier: string | undefined,
  later: string | undefined,
): { readonly isReading: boolean; readonly of: (key: string | undefined) => BodySegments | undefined } => {
  const [read, setRead] = useState<ReadonlyMap<string, BodySegments | undefined>>();
  const [of, setOf] = useState<string>();
  const wanted = recording && later !== undefined ? `${recording.id} ${earlier} ${later}` : undefined;
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
