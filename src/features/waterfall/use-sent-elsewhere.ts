import { useEffect, useState } from 'react';
import { segmentsOfBody, type BodySegments } from '../../model/instruments/body-segments.ts';
import type { SessionStore } from '../../stores/session-types.ts';

export interface SentElsewhere {
  readonly isReading: boolean;
  readonly found: BodySegments | undefined;
}

/** A request of another session, read when somebody compares with it. */
export const useSentElsewhere = (store: SessionStore, requestId: string | undefined): SentElsewhere => {
  const [read, setRead] = useState<{ readonly of: string; readonly found: BodySegments | undefined }>();
  useEffect(() => {
    if (requestId === undefined) return undefined;
    let isCurrent = true;
    const load = async (): Promise<void> => {
      const sent = await store.sentElsewhere(requestId);
      const segments = sent && segmentsOfBody(sent.body, sent.wire);
      if (isCurrent) setRead({ of: requestId, found: segments?.ok ? segments.value : undefined });
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [store, requestId]);
  if (requestId === undefined) return { isReading: false, found: undefined };
  return read?.of === requestId ? { isReading: false, found: read.found } : { isReading: true, found: undefined };
};
