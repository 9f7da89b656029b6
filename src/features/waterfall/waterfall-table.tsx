import { grouped, money } from '../../model/instruments/figures.ts';
import { requestName } from '../../model/instruments/request-names.ts';
import { verdictWords } from '../../model/instruments/verdict-words.ts';
import type { WaterfallRow } from '../../model/instruments/waterfall-view.ts';
import { type Column, VirtualTable } from '../../ui/virtual-table.tsx';

const tokens = (value: number | undefined): string => (value === undefined ? '–' : grouped(value));

const COLUMNS: readonly Column<WaterfallRow>[] = [
  { id: 'number', header: 'Request', width: '64px', cell: ({ number }) => requestName(number) },
  { id: 'model', header: 'Model', width: 'minmax(110px, 1fr)', cell: ({ model }) => model },
  { id: 'read', header: 'Read', width: '58px', isFigure: true, cell: ({ actual }) => tokens(actual?.read) },
  { id: 'written', header: 'Written', width: '58px', isFigure: true, cell: ({ actual }) => tokens(actual?.written) },
  { id: 'uncached', header: 'Uncached', width: '66px', isFigure: true, cell: ({ actual }) => tokens(actual?.uncached) },
  { id: 'output', header: 'Output', width: '52px', isFigure: true, cell: ({ actual }) => tokens(actual?.output) },
  {
    id: 'predicted',
    header: 'Predicted read',
    width: '94px',
    isFigure: true,
    cell: ({ predicted }) => tokens(predicted?.read),
  },
  {
    id: 'cost',
    header: 'Cost',
    width: '62px',
    isFigure: true,
    cell: ({ actual, costUsd }) => (actual ? money(costUsd) : '–'),
  },
  {
    id: 'verdict',
    header: 'Verdict',
    width: 'minmax(130px, 1.4fr)',
    cell: ({ verdict, failure }) =>
      failure ?? (verdict ? verdictWords(verdict.cause, verdict.position?.label).title : ''),
  },
];

export type WaterfallTableProps = {
  readonly rows: readonly WaterfallRow[];
  readonly selected: string | undefined;
  readonly onSelect: (row: WaterfallRow) => void;
  readonly onOpen: (row: WaterfallRow) => void;
};

/** The waterfall in numbers. */
export const WaterfallTable = ({ rows, selected, onSelect, onOpen }: WaterfallTableProps) => (
  <VirtualTable
    label="Request table"
    columns={COLUMNS}
    rows={rows}
    rowKey={({ key }) => key}
    selected={selected}
    onSelect={onSelect}
    onOpen={onOpen}
    leastWidth={700}
  />
);
