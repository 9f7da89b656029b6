import { grouped } from '../../model/instruments/figures.ts';
import type { PrefixSegment, PrefixView } from '../../model/instruments/prefix-view.ts';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import styles from './prefix-panel.module.css';

const COLUMNS: readonly DataColumn<PrefixSegment>[] = [
  { id: 'title', header: 'Segment', isMono: true, cell: ({ title }) => title },
  { id: 'kind', header: 'Kind', cell: ({ kind, isPadding }) => (isPadding ? `${kind} (padding)` : kind) },
  { id: 'place', header: 'Block', isMono: true, cell: ({ label }) => label },
  {
    id: 'estimate',
    header: 'Estimate',
    isFigure: true,
    cell: ({ kind, estimate }) => (kind === 'hidden' ? '–' : grouped(estimate)),
  },
  {
    id: 'counted',
    header: 'Counted',
    isFigure: true,
    cell: ({ counted }) => (counted === undefined ? '–' : grouped(counted)),
  },
  {
    id: 'bytes',
    header: 'Bytes in the body',
    isFigure: true,
    cell: ({ kind, byteStart, byteEnd }) =>
      kind === 'hidden' ? 'not in the body' : `${grouped(byteStart)}–${grouped(byteEnd)}`,
  },
  { id: 'breakpoint', header: 'Breakpoint', cell: ({ ttl }) => ttl ?? '' },
];

export type SegmentTableProps = {
  readonly view: PrefixView;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
};

/** The strip as a table: every segment can be reached, however narrow it is. */
export const SegmentTable = ({ view, selected, onSelect }: SegmentTableProps) => (
  <div className={styles['twin']}>
    <DataTable
      label="Segments of the request"
      columns={COLUMNS}
      rows={view.segments}
      rowKey={({ id }) => id}
      selected={selected}
      onSelect={({ id }) => onSelect(id)}
    />
  </div>
);
