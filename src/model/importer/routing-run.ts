/** Routing assertions: questions, each with what must be picked, asked n times; the answer is a matrix with rates. */
import { parseJson } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { ProviderError } from '../provider/types.ts';
import { z } from '../zod.ts';

export interface RoutingCase {
  readonly question: string;
  /** A tool or a skill. */
  readonly target: string;
  /** Names that count as the target too: the executors that a skill became. */
  readonly accepts?: readonly string[];
  /** False: it must not be picked. */
  readonly shouldPick: boolean;
}

/** What was picked first: a tool's name, or a skill's that was asked for; nothing if it only answered. Rejects if the call failed. */
export type Pick = (question: string, signal: AbortSignal) => Promise<Result<string | undefined, ProviderError>>;

export interface RoutingCell {
  readonly picks: readonly { readonly name: string; readonly count: number }[];
  readonly errors: number;
  /** Of the repeats that gave an answer; nothing if none did. */
  readonly rate: number | undefined;
  readonly status: 'passed' | 'failed' | 'error';
}

export interface RoutingRow extends RoutingCase {
  readonly cell: RoutingCell;
}

export interface RoutingMatrix {
  readonly rows: readonly RoutingRow[];
  /** All names that were picked or meant, sorted: the columns. */
  readonly columns: readonly string[];
  readonly repeats: number;
  readonly passed: number;
}

const PASS_RATE = 0.9;
export const NOTHING_PICKED = '—';

const caseSchema = z.array(
  z.object({ question: z.string().min(1), target: z.string().min(1), shouldPick: z.boolean() }),
);

type ReadCases = Result<readonly RoutingCase[], string>;

/** `shape` completes "it must be a list of …". */
const readList = <T>(text: string, schema: z.ZodType<T>, shape: string): Result<T, string> => {
  const json = parseJson(text);
  if (!json.ok) return err(`it isn’t valid JSON: ${json.error}`);
  const parsed = schema.safeParse(json.value);
  return parsed.success ? ok(parsed.data) : err(`it must be a list of ${shape}`);
};

/** Questions that a person has written in Lathe. */
export const readOwnQuestions = (text: string): ReadCases =>
  readList(text, caseSchema, '{"question": text, "target": name, "shouldPick": true or false}');

const querySchema = z.array(z.object({ query: z.string().min(1), should_trigger: z.boolean() }));

/** `evals/eval_queries.json` of a skill. */
export const readEvalQueries = (text: string, skill: string): ReadCases => {
  const read = readList(text, querySchema, '{"query": text, "should_trigger": true or false}');
  if (!read.ok) return read;
  return ok(
    read.value.map(({ query, should_trigger: shouldPick }) => ({ question: query, target: skill, shouldPick })),
  );
};

export interface RoutingOptions {
  readonly repeats: number;
  readonly signal: AbortSignal;
  readonly onRow?: (row: RoutingRow, done: number, total: number) => void;
}

export const isTarget = ({ target, accepts = [] }: RoutingCase, pick: string | undefined): boolean =>
  pick !== undefined && (pick === target || accepts.includes(pick));

const cellOf = (routed: RoutingCase, picks: readonly (string | undefined)[], errors: number): RoutingCell => {
  const counts = new Map<string, number>();
  for (const pick of picks) counts.set(pick ?? NOTHING_PICKED, (counts.get(pick ?? NOTHING_PICKED) ?? 0) + 1);
  const right = picks.filter((pick) => isTarget(routed, pick) === routed.shouldPick).length;
  const rate = picks.length === 0 ? undefined : right / picks.length;
  return {
    picks: [...counts]
      .map(([name, count]) => ({ name, count }))
      .toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)),
    errors,
    rate,
    status: rate === undefined ? 'error' : rate >= PASS_RATE ? 'passed' : 'failed',
  };
};

export const runRouting = async (
  cases: readonly RoutingCase[],
  pick: Pick,
  { repeats, signal, onRow }: RoutingOptions,
): Promise<RoutingMatrix> => {
  const rows: RoutingRow[] = [];
  for (const routed of cases) {
    const picks: (string | undefined)[] = [];
    let errors = 0;
    for (let round = 0; round < repeats && !signal.aborted; round++) {
      const picked = await pick(routed.question, signal);
      if (picked.ok) picks.push(picked.value);
      else if (!signal.aborted) errors++;
    }
    if (signal.aborted && picks.length === 0) break;
    const row = { ...routed, cell: cellOf(routed, picks, errors) };
    rows.push(row);
    onRow?.(row, rows.length, cases.length);
  }
  const names = new Set(rows.flatMap(({ target, cell }) => [target, ...cell.picks.map(({ name }) => name)]));
  return {
    rows,
    columns: [...names].toSorted(),
    repeats,
    passed: rows.filter(({ cell }) => cell.status === 'passed').length,
  };
};
