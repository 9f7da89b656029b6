/** Requests on a time axis: conversations as lanes, tools and waiting inside, and the part of the time that is looked at. */
import type { LatheEvent } from '../event/types.ts';
import { requestName } from './request-names.ts';
import { isLoss, type WaterfallRow } from './waterfall-view.ts';

/** Milliseconds since 1970; `to` is not before `from`. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

export interface TimeSpan extends TimeRange {
  readonly key: string;
  readonly kind: 'request' | 'tool' | 'waiting';
  readonly label: string;
  /** It has lost money. */
  readonly isLoss: boolean;
  /** Where spans of a lane overlap, they lie below each other. */
  readonly level: number;
  readonly row: WaterfallRow | undefined;
}

export interface TimeLane {
  readonly id: string;
  readonly name: string;
  /** By their start. */
  readonly spans: readonly TimeSpan[];
  readonly levels: number;
}

type Loose = Omit<TimeSpan, 'level'>;

/** Each span on the first level that is free. */
const laneOf = (id: string, name: string, loose: readonly Loose[]): TimeLane => {
  const free: number[] = [];
  const spans = loose
    .toSorted((a, b) => a.from - b.from)
    .map((span): TimeSpan => {
      const found = free.findIndex((until) => until <= span.from);
      const level = found === -1 ? free.length : found;
      free[level] = span.to;
      return Object.assign({}, span, { level });
    });
  return { id, name, spans, levels: Math.max(1, free.length) };
};

const NAMES: Readonly<Record<string, string>> = {
  main: 'main',
  'sub-agent': 'sub-agent',
  'nested-ask': 'asks',
  'side-call': 'side call',
  compaction: 'compaction',
};

/** Of a recording its conversation; of a session the conversation itself, or the asks of its programs. */
const chainOf = ({ chain, depth }: WaterfallRow): { readonly id: string; readonly kind: string } =>
  chain ?? (depth === 0 ? { id: 'main', kind: 'main' } : { id: 'nested-ask', kind: 'nested-ask' });

const endOf = ({ startedAt, endedAt, status }: WaterfallRow, now: number): number =>
  Math.max(startedAt, endedAt ?? (status === 'running' ? now : startedAt));

/** Tools and questions to a person, from the events of a session. */
const toolSpans = (
  events: readonly LatheEvent[],
  now: number,
): { tools: readonly Loose[]; waits: readonly Loose[] } => {
  const open = new Map<string, Loose>();
  const done: Loose[] = [];
  const begin = (key: string, kind: Loose['kind'], label: string, from: number): void => {
    open.set(key, { key, kind, label, from, to: now, isLoss: false, row: undefined });
  };
  const end = (key: string, to: number): void => {
    const span = open.get(key);
    if (!span) return;
    open.delete(key);
    done.push({ ...span, to: Math.max(span.from, to) });
  };
  for (const event of events) {
    const at = event.timestamp / 1000;
    if (event.type === 'tool.called') begin(event.payload.tool_use_id, 'tool', event.payload.tool_name, at);
    else if (event.type === 'tool.completed' || event.type === 'tool.failed') end(event.payload.tool_use_id, at);
    else if (event.type === 'tool.confirmation_requested')
      begin(`wait ${event.payload.tool_use_id}`, 'waiting', `${event.payload.tool_name} waits for you`, at);
    else if (event.type === 'tool.confirmation_resolved') end(`wait ${event.payload.tool_use_id}`, at);
  }
  for (const span of open.values()) done.push(Object.assign(span, { to: Math.max(span.from, now) }));
  return { tools: done.filter(({ kind }) => kind === 'tool'), waits: done.filter(({ kind }) => kind === 'waiting') };
};

export interface TimeInput {
  readonly rows: readonly WaterfallRow[];
  /** Of a session; a recording has no tools of its own. */
  readonly events?: readonly LatheEvent[];
  /** Where what still runs has got to. */
  readonly now: number;
}

export const timeLanes = ({ rows, events = [], now }: TimeInput): readonly TimeLane[] => {
  const chains = new Map<string, { readonly kind: string; readonly spans: Loose[] }>();
  for (const row of rows) {
    const { id, kind } = chainOf(row);
    const known = chains.get(id) ?? { kind, spans: [] };
    chains.set(id, known);
    known.spans.push({
      key: row.key,
      kind: 'request',
      label: requestName(row.number),
      from: row.startedAt,
      to: endOf(row, now),
      isLoss: isLoss(row),
      row,
    });
  }
  const counts = new Map<string, number>();
  const lanes = [...chains].map(([id, { kind, spans }]) => {
    const number = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, number);
    return laneOf(id, `${NAMES[kind] ?? kind}${number === 1 ? '' : ` ${number}`}`, spans);
  });
  const { tools, waits } = toolSpans(events, now);
  if (tools.length > 0) lanes.push(laneOf('tools', 'tools', tools));
  if (waits.length > 0) lanes.push(laneOf('waiting', 'waiting', waits));
  return lanes;
};

/** A second where nothing takes longer. */
const LEAST = 1000;
/** Nobody can see a hundredth of a millisecond. */
const CLOSEST = 10;

/** All of it, with a little room. */
export const wholeRange = (lanes: readonly TimeLane[]): TimeRange => {
  let [from, to] = [Infinity, -Infinity];
  for (const { spans } of lanes)
    for (const span of spans) {
      from = Math.min(from, span.from);
      to = Math.max(to, span.to);
    }
  if (from > to) return { from: 0, to: LEAST };
  const room = Math.max(LEAST, to - from) * 0.02;
  return { from: from - room, to: Math.max(to, from + LEAST) + room };
};

const inside = ({ from, to }: TimeRange, whole: TimeRange): TimeRange => {
  const length = Math.min(to - from, whole.to - whole.from);
  const start = Math.min(Math.max(from, whole.from), whole.to - length);
  return { from: start, to: start + length };
};

/** `at` stays where it is; a factor above 1 looks closer. */
export const zoomed = (range: TimeRange, whole: TimeRange, at: number, factor: number): TimeRange => {
  const length = Math.max(CLOSEST, (range.to - range.from) / factor);
  const share = (at - range.from) / (range.to - range.from);
  const from = at - share * length;
  return inside({ from, to: from + length }, whole);
};

export const panned = (range: TimeRange, whole: TimeRange, by: number): TimeRange =>
  inside({ from: range.from + by, to: range.to + by }, whole);

/** Both begin before the other ends: also what only touches a moment. */
export const overlaps = (span: TimeRange, range: TimeRange): boolean => span.from <= range.to && span.to >= range.from;

export const rowInRange = (row: WaterfallRow, range: TimeRange): boolean =>
  overlaps({ from: row.startedAt, to: Math.max(row.startedAt, row.endedAt ?? row.startedAt) }, range);

/** The span at a moment and on a level, the last one drawn first; `slack` is how near counts. */
export const spanAt = (lane: TimeLane, at: number, level: number, slack: number): TimeSpan | undefined =>
  lane.spans.findLast((span) => span.level === level && span.from - slack <= at && span.to + slack >= at);

const STEPS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 43_200_000, 86_400_000,
];

/** Round moments in a range, at most `count`, and how far they are apart. */
export const timeTicks = (
  { from, to }: TimeRange,
  count: number,
): { readonly step: number; readonly at: readonly number[] } => {
  const step = STEPS.find((size) => (to - from) / size <= count) ?? Math.ceil((to - from) / Math.max(1, count));
  const at: number[] = [];
  for (let tick = Math.ceil(from / step) * step; tick <= to && at.length <= count; tick += step) at.push(tick);
  return { step, at };
};
