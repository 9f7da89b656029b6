import {
  OUTPUT_GAP,
  splitTotal,
  type TokenSplit,
  wastedWrite,
  type WaterfallRow,
} from '../../model/instruments/waterfall-view.ts';
import styles from './waterfall-bar.module.css';

type BarProps = {
  readonly row: WaterfallRow;
  readonly scale: number;
  readonly bridge: number;
  readonly streaming: number | undefined;
  readonly ghost: TokenSplit | undefined;
};

const PARTS = ['read', 'wasted', 'written', 'uncached'] as const;
type Parts = Readonly<Record<(typeof PARTS)[number], number>>;

/** What was written though the cache had it comes first: that is where reading ended. */
const partsOf = ({ read, written, uncached }: TokenSplit, wasted: number): Parts => ({
  read,
  wasted,
  written: written - wasted,
  uncached,
});

const Split = ({ parts, total }: { readonly parts: Parts; readonly total: number }) =>
  PARTS.map((part) =>
    parts[part] === 0 ? null : (
      <span
        key={part}
        className={styles['part']}
        data-part={part}
        style={{ width: `${(parts[part] / total) * 100}%` }}
      />
    ),
  );

/** Prompt and output on one line, what was expected below it, and the notch where the prefix stopped matching. */
export const Bar = ({ row, scale, bridge, streaming, ghost }: BarProps) => {
  const width = (tokens: number): string => `${(tokens / scale) * 100}%`;
  const isOpen = row.actual === undefined;
  const below = ghost ?? row.predicted;
  const split: TokenSplit | undefined = row.actual ?? (row.status === 'running' ? row.predicted : undefined);
  const output = row.actual?.output ?? streaming ?? 0;
  const total = split ? splitTotal(split) : 0;
  return (
    <div className={styles['bar']} role="presentation">
      {bridge > 0 && <span className={styles['bridge']} style={{ width: width(bridge) }} />}
      {split && (
        <span className={styles['prompt']} data-open={isOpen} style={{ width: width(total) }}>
          <Split parts={partsOf(split, row.actual ? wastedWrite(row) : 0)} total={total} />
        </span>
      )}
      {output > 0 && (
        <span
          className={styles['output']}
          data-open={isOpen}
          style={{ left: `${(total / scale + OUTPUT_GAP) * 100}%`, width: `max(3px, ${width(output)})` }}
        />
      )}
      {below && (
        <span
          className={styles['predicted']}
          data-ghost={ghost !== undefined}
          style={{ width: width(splitTotal(below)) }}
        >
          <Split parts={partsOf(below, 0)} total={splitTotal(below)} />
        </span>
      )}
      {row.notch !== undefined && <span className={styles['notch']} data-notch style={{ left: width(row.notch) }} />}
      {row.status === 'failed' && !split && <span className={styles['failed']}>{row.failure ?? 'failed'}</span>}
    </div>
  );
};
