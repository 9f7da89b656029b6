import { plural } from '../../base/text.ts';
import { grouped } from '../../model/instruments/figures.ts';
import type { ComparedSegment, PrefixComparison, SegmentState } from '../../model/instruments/prefix-compare.ts';
import type { PrefixView } from '../../model/instruments/prefix-view.ts';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import styles from './prefix-panel.module.css';
import { PrefixStrip } from './prefix-strip.tsx';
import type { ShownPrefix } from './use-prefix.ts';

const WORDS: Readonly<Record<SegmentState, string>> = {
  same: 'same',
  changed: 'changed',
  moved: 'moved',
  added: 'only in the later',
  removed: 'only in the earlier',
};

const COLUMNS: readonly DataColumn<ComparedSegment>[] = [
  { id: 'title', header: 'Segment', isMono: true, cell: ({ title }) => title },
  { id: 'state', header: 'Compared', cell: ({ state }) => WORDS[state] },
  {
    id: 'a',
    header: 'Earlier tokens',
    isFigure: true,
    cell: ({ tokens: { a } }) => (a === undefined ? '–' : grouped(a)),
  },
  {
    id: 'b',
    header: 'Later tokens',
    isFigure: true,
    cell: ({ tokens: { b } }) => (b === undefined ? '–' : grouped(b)),
  },
  {
    id: 'byte',
    header: 'First differing byte',
    isFigure: true,
    cell: ({ firstByte }) => (firstByte ? `${grouped(firstByte.a)} / ${grouped(firstByte.b)}` : ''),
  },
];

export const ComparisonTable = ({
  comparison,
  selected,
  onSelect,
}: {
  readonly comparison: PrefixComparison;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}) => (
  <div className={styles['twin']}>
    <DataTable
      label="Segments of both requests"
      columns={COLUMNS}
      rows={comparison.rows}
      rowKey={({ id, state }) => `${id} ${state}`}
      selected={selected}
      onSelect={({ id }) => onSelect(id)}
    />
  </div>
);

const summary = ({ breaksAt, counts, shared }: PrefixComparison): string => {
  if (!breaksAt)
    return counts.added === 0
      ? 'Both requests are the same.'
      : `The later request begins with the whole of the earlier one and adds ${plural(counts.added, 'segment')}.`;
  const place = breaksAt.firstByte ? `, byte ${grouped(breaksAt.firstByte.b)}` : '';
  return `They diverge at ${breaksAt.title} (${WORDS[breaksAt.state]}${place}), after about ${grouped(shared)} tokens. The rest can't be read from the earlier entry.`;
};

export type ComparedProps = {
  readonly before: ShownPrefix;
  readonly after: ShownPrefix;
  readonly comparison: PrefixComparison;
  readonly names: readonly [before: string, after: string];
  readonly active: string | undefined;
  readonly onActive: (id: string | undefined) => void;
  readonly onOpen: (id: string) => void;
};

/** Two requests on one scale, aligned at token 0. */
export const Compared = ({ before, after, comparison, names, active, onActive, onOpen }: ComparedProps) => {
  const states = new Map(comparison.rows.map(({ id, state }) => [id, state]));
  const scale = Math.max(before.view.total, after.view.total);
  // The limits are the same for both: they are at the later one.
  const bare = { ...before.view, marks: before.view.marks.filter(({ kind }) => kind === 'breakpoint') };
  const strip = (name: string, view: PrefixView) => (
    <div className={styles['compared']}>
      <span className={styles['name']}>{name}</span>
      <PrefixStrip
        label={`Segments of request ${name}`}
        view={view}
        active={active}
        onActive={onActive}
        onOpen={onOpen}
        states={states}
        scale={scale}
      />
    </div>
  );
  return (
    <div>
      {strip(names[0], bare)}
      {strip(names[1], after.view)}
      <p className={styles['verdict']} data-breaks={comparison.breaksAt !== undefined}>
        {summary(comparison)}
      </p>
    </div>
  );
};
