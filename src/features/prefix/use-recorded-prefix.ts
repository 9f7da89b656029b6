import { useMemo } from 'react';
import { prefixView, type PrefixView } from '../../model/instruments/prefix-view.ts';
import type { WaterfallRow } from '../../model/instruments/waterfall-view.ts';
import type { Recording } from '../../stores/recordings-store.ts';
import { useRecordedBodies } from '../instruments/use-recorded-bodies.ts';

/** A request of a recording as a strip. Nobody counted its parts: their estimates share out what was billed. */
export const useRecordedPrefix = (
  recording: Recording | undefined,
  row: WaterfallRow | undefined,
): { readonly view: PrefixView | undefined; readonly isReading: boolean } => {
  const bodies = useRecordedBodies(recording, undefined, row?.key);
  const whole = bodies.of(row?.key);
  const view = useMemo(
    () => whole && row && prefixView({ segments: whole.segments, model: row.model, usage: row.usage }),
    [whole, row],
  );
  return { view, isReading: bodies.isReading };
};
