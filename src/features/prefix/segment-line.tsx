import { useMemo } from 'react';
import { grouped } from '../../model/instruments/figures.ts';
import type { PrefixView } from '../../model/instruments/prefix-view.ts';
import { ExplainedLegend } from '../../ui/explained-legend.tsx';
import { PREFIX_LEGEND } from './legend.ts';
import { coloursOf } from './prefix-facts.tsx';
import styles from './prefix-band.module.css';

/** Under the strip: the segment that is pointed at, else what the colors mean. It keeps its height. */
export const SegmentLine = ({ view, active }: { readonly view: PrefixView; readonly active: string | undefined }) => {
  const segment = view.segments.find(({ id }) => id === active);
  const legend = useMemo(() => {
    const colours = coloursOf(view);
    return PREFIX_LEGEND.filter(({ colour }) => colours.has(colour));
  }, [view]);
  return (
    <div className={styles['line']}>
      {segment ? (
        <p>
          <b>{segment.title}</b>, {grouped(segment.counted ?? segment.estimate)} tokens
          {segment.kind === 'hidden' ? '' : `, bytes ${grouped(segment.byteStart)} to ${grouped(segment.byteEnd)}`}
        </p>
      ) : (
        <ExplainedLegend isShort items={legend} />
      )}
    </div>
  );
};
