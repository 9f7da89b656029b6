/** How often the model of the cache was right about recorded requests, as a table of Markdown. */
import { median, type Accuracy } from '../../model/traffic/accuracy.ts';

export interface SourceAccuracy extends Accuracy {
  readonly source: string;
}

const HEAD = [
  'source',
  'model',
  'requests',
  'with a bill',
  'read or not right',
  'first requests that read what others left',
  'tokens within 5%',
  'false misses',
  'misses overlooked',
  'sub-agent starts called misses',
  'cold beside a read',
  'billed ÷ estimated growth',
] as const;

const share = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${part} (${((100 * part) / whole).toFixed(1)}%)`;

/** The median, and of how many. */
const growth = ({ growth: values }: SourceAccuracy): string => {
  const middle = median(values);
  return middle === undefined ? '–' : `${middle.toFixed(2)} (${values.length})`;
};

const cells = (row: SourceAccuracy): readonly string[] => [
  row.source,
  row.model,
  String(row.requests),
  String(row.billed),
  share(row.readRight, row.billed),
  String(row.foreign),
  share(row.within, row.billed),
  String(row.falseMisses),
  String(row.overlooked),
  String(row.subAgentMisses),
  String(row.coldReads),
  growth(row),
];

const sum = (rows: readonly SourceAccuracy[], source: string): SourceAccuracy => {
  const total = (key: Exclude<keyof Accuracy, 'model' | 'growth'>): number =>
    rows.reduce((all, row) => all + row[key], 0);
  return {
    source,
    model: 'all',
    requests: total('requests'),
    billed: total('billed'),
    readRight: total('readRight'),
    foreign: total('foreign'),
    within: total('within'),
    falseMisses: total('falseMisses'),
    overlooked: total('overlooked'),
    subAgentMisses: total('subAgentMisses'),
    coldReads: total('coldReads'),
    growth: rows.flatMap((row) => row.growth),
  };
};

export const withTotal = (rows: readonly SourceAccuracy[]): readonly SourceAccuracy[] => [...rows, sum(rows, 'all')];

export const accuracyTable = (rows: readonly SourceAccuracy[]): string => {
  const table = [HEAD, ...withTotal(rows).map(cells)];
  const widths = HEAD.map((_, at) => Math.max(3, ...table.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = table;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(line)].join('\n');
};
