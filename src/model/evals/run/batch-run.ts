/** Runs cases in a provider's batches. A batch is one turn: cases that are still open go into the next one. */
import { errorMessage } from '../../../base/errors.ts';
import { money } from '../../../base/figures.ts';
import { sha256 } from '../../../base/hash.ts';
import type { BatchClient, BatchRow, BatchRowResult } from '../../provider/batch.ts';
import type { CanonicalRequest, ProviderError } from '../../provider/types.ts';
import {
  resultOfTurn,
  turnLine,
  type BatchLine,
  type BatchMemory,
  type OpenChunk,
  type TurnLine,
} from './batch-journal.ts';
import type { CaseList, EvalCase } from './plan.ts';
import { isOfTheCase, type CasePlay, type CaseResult } from './run-case.ts';
import type { RunEnd } from './runner.ts';

export interface BatchDeps {
  readonly client: BatchClient;
  readonly play: (each: EvalCase) => CasePlay;
  /** The body of one row. */
  readonly bodyOf: (request: CanonicalRequest) => string;
  readonly memory: BatchMemory;
  /** Keeps a line before what it announces is done. */
  readonly note: (line: BatchLine) => void;
  readonly keep: (each: EvalCase, result: CaseResult, usd: number | undefined) => void;
  readonly costOf: (result: CaseResult) => number | undefined;
  /** What one row can cost at most; nothing where the price is unknown. */
  readonly worstUsd: number | undefined;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  readonly tell?: (text: string) => void;
  readonly signal?: AbortSignal;
}

export interface BatchOptions {
  /** Of the plan; marks batches. */
  readonly run: string;
  readonly limitUsd?: number;
  /** Cases that an earlier part of this run has answers for. */
  readonly answered?: number;
  /** Several small batches show more progress than one. */
  readonly mostRows?: number;
  readonly mostBytes?: number;
}

const MOST_ROWS = 500;
const MOST_BYTES = 64_000_000;
const MOST_OPEN = 4;
const MOST_TRIES = 3;
/** Creates in a row that a provider could not take. */
const MOST_FAILURES = 6;
const FIRST_WAIT = 2000;
const LONGEST_WAIT = 60_000;

/** What follows `--` is the turn; the part before it is the draw of the simulator's noise. */
const rowId = (key: string, turn: number): string => `${key}--${turn}`;

class Ended extends Error {
  readonly end: 'failed' | 'money';

  constructor(end: 'failed' | 'money', message: string) {
    super(message);
    this.end = end;
  }
}

export const runBatches = async (
  cases: CaseList,
  deps: BatchDeps,
  { run, limitUsd, answered: earlier = 0, mostRows = MOST_ROWS, mostBytes = MOST_BYTES }: BatchOptions,
): Promise<RunEnd> => {
  const { client, note, memory } = deps;
  const source = cases[Symbol.iterator]();
  /** Cases without a result, and those of them that were not asked yet. */
  let [left, unasked] = [cases.length, cases.length];
  /** Cases that were asked, or that an earlier part of this run has asked, and that have no result. */
  const active = new Map<string, EvalCase>();
  const turns = new Map<string, TurnLine[]>();
  const open = new Map<string, OpenChunk>();
  /** Of the active ones, those that are in no batch. */
  const waiting = new Set<string>();
  const tries = new Map<string, number>();
  /** What an earlier part of this run has asked. */
  const remembered = new Set<string>();
  let [spent, unpriced, chunks, poll, failures] = [0, 0, memory.chunks, FIRST_WAIT, 0];
  let answered = earlier;

  const turnOf = (key: string): number => (turns.get(key)?.length ?? 0) + 1;

  /** The rows of a chunk whose cases still need exactly this turn. */
  const neededRows = (rows: readonly string[]): readonly string[] =>
    rows.filter((id) => {
      const [key = ''] = id.split('--');
      return active.has(key) && id === rowId(key, turnOf(key));
    });

  const playOf = (each: EvalCase): CasePlay => {
    const play = deps.play(each);
    for (const line of turns.get(each.key) ?? []) {
      play.step();
      play.take(resultOfTurn(line));
    }
    return play;
  };

  function fatal(error: ProviderError): never {
    throw new Ended('failed', error.message);
  }

  const finish = (each: EvalCase, result: CaseResult): void => {
    const usd = deps.costOf(result);
    if (usd === undefined) unpriced++;
    else spent += usd;
    if (!result.error) answered++;
    deps.keep(each, result, usd);
    left--;
    active.delete(each.key);
    waiting.delete(each.key);
    turns.delete(each.key);
    tries.delete(each.key);
  };

  /** Gives a refusal permanently, which is not kept yet. */
  const take = ({ id, result }: BatchRowResult): (() => void) | undefined => {
    const [key = ''] = id.split('--');
    const each = active.get(key);
    const turn = turnOf(key);
    if (!each || id !== rowId(key, turn)) return undefined;
    waiting.add(key);
    if (!result.ok && result.error.retryable) {
      tries.set(key, (tries.get(key) ?? 0) + 1);
      if ((tries.get(key) ?? 0) < MOST_TRIES) return undefined;
    }
    const play = playOf(each);
    play.step();
    play.take(result);
    const step = play.step();
    if ('request' in step && result.ok) {
      const line = turnLine(key, turn, result);
      note(line);
      turns.set(key, [...(turns.get(key) ?? []), line]);
      return undefined;
    }
    if ('request' in step) return undefined;
    const { result: ended } = step;
    if (!result.ok && !result.error.retryable) return () => finish(each, ended);
    finish(each, ended);
    return undefined;
  };

  /** Its rows go back to the plan. */
  const drop = ({ chunk, rows }: OpenChunk): void => {
    for (const row of neededRows(rows)) waiting.add(row.split('--')[0] ?? '');
    note({ kind: 'ended', chunk });
    open.delete(chunk);
  };

  const ingest = async (each: OpenChunk, id: string): Promise<void> => {
    const refused: (() => void)[] = [];
    let reason: ProviderError | undefined;
    for await (const row of client.results(id)) {
      const refusal = take(row);
      if (refusal && !row.result.ok) {
        refused.push(refusal);
        reason ??= row.result.error;
      }
    }
    // Where every row is refused, the run is wrong, and not a row; unless others of the same run were answered.
    const isWrong =
      refused.length === each.rows.length && (answered === 0 || (reason !== undefined && !isOfTheCase(reason)));
    if (!isWrong) for (const keep of refused) keep();
    // What no line speaks of is asked again.
    drop(each);
    if (isWrong && reason) fatal(reason);
  };

  /** Whether a batch that has no mark has these rows; its first row says so. */
  const isOwn = async ({ rows }: OpenChunk, id: string): Promise<boolean> => {
    const wanted = new Set(rows);
    for await (const row of client.results(id)) return wanted.has(row.id);
    return false;
  };

  const stateOf = async (id: string): Promise<'working' | 'ended' | 'gone'> => {
    const state = await client.state(id);
    if (!state.ok) {
      if (state.error.code === 'not_found') return 'gone';
      return state.error.retryable ? 'working' : fatal(state.error);
    }
    if (state.value.kind === 'failed')
      throw new Ended('failed', `The provider refused the batch: ${state.value.message ?? ''}`);
    return state.value.kind;
  };

  /** A batch that is not there may have been deleted, or the server may be another one: then a list of batches is not there either. */
  const forget = async (each: OpenChunk, id: string): Promise<void> => {
    const found = await client.find({ run, chunk: each.chunk, rows: each.rows.length, since: each.since });
    if (!found.ok) {
      if (!found.error.retryable) fatal(found.error);
      return;
    }
    deps.tell?.(`Batch ${id} no longer exists. Its ${each.rows.length} requests are sent again.`);
    drop(each);
  };

  /** The id of a chunk that was announced, and whose answer was lost. */
  const recover = async (lost: OpenChunk): Promise<void> => {
    const found = await client.find({ run, chunk: lost.chunk, rows: lost.rows.length, since: lost.since });
    if (!found.ok) {
      if (!found.error.retryable) fatal(found.error);
      return;
    }
    const others = new Set([...open.values()].map(({ id }) => id));
    for (const id of found.value) {
      if (others.has(id)) continue;
      // Rows can be looked at once it has ended.
      const state = await stateOf(id);
      if (state === 'working') return;
      if (state === 'gone' || !(await isOwn(lost, id))) continue;
      note({ kind: 'created', chunk: lost.chunk, id });
      open.set(lost.chunk, { ...lost, id });
      return;
    }
    drop(lost);
  };

  /** How many rows the money left is enough for. */
  const affordable = (): number => {
    if (limitUsd === undefined) return Infinity;
    if (deps.worstUsd === undefined || unpriced > 0)
      throw new Ended('money', 'The price of this model is unknown, so Lathe can’t apply the spending limit.');
    const reserved = [...open.values()].reduce((sum, { rows }) => sum + rows.length, 0) * deps.worstUsd;
    return deps.worstUsd === 0 ? Infinity : Math.floor((limitUsd - spent - reserved) / deps.worstUsd);
  };

  /** The next case that nobody has asked. */
  const nextCase = (): EvalCase | undefined => {
    for (let next = source.next(); next.done !== true; next = source.next()) {
      if (remembered.has(next.value.key)) continue;
      unasked--;
      return next.value;
    }
    unasked = 0;
    return undefined;
  };

  const pack = (): readonly BatchRow[] => {
    const most = Math.min(mostRows, affordable());
    const rows: BatchRow[] = [];
    let bytes = 0;
    /** False: it has no room. */
    const add = (each: EvalCase): boolean => {
      const step = playOf(each).step();
      if ('result' in step) return true;
      const body = deps.bodyOf(step.request);
      bytes += body.length;
      if (rows.length > 0 && bytes > mostBytes) return false;
      rows.push({ id: rowId(each.key, step.turn), body });
      return true;
    };
    for (const key of waiting) {
      const each = active.get(key);
      if (each && (rows.length >= most || !add(each))) return rows;
    }
    while (rows.length < most) {
      const each = nextCase();
      if (!each) break;
      active.set(each.key, each);
      waiting.add(each.key);
      if (!add(each)) break;
    }
    return rows;
  };

  const create = async (rows: readonly BatchRow[]): Promise<void> => {
    const ids = rows.map(({ id }) => id);
    const chunk = `c${++chunks}-${sha256(ids.join(' ')).slice(0, 8)}`;
    const since = deps.now();
    note({ kind: 'chunk', chunk, since, rows: ids });
    for (const id of ids) waiting.delete(id.split('--')[0] ?? '');
    open.set(chunk, { chunk, since, id: undefined, rows: ids });
    const made = await client.create(rows, { run, chunk, rows: rows.length, since });
    if (made.ok) {
      note({ kind: 'created', chunk, id: made.value });
      open.set(chunk, { chunk, since, id: made.value, rows: ids });
      deps.tell?.(`Batch ${made.value}: ${rows.length} requests.`);
      [poll, failures] = [FIRST_WAIT, 0];
      return;
    }
    if (deps.signal?.aborted === true) return;
    if (made.error.retryable && ++failures < MOST_FAILURES) {
      await deps.wait(made.error.retryAfterMs ?? Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures));
      return;
    }
    // Refused permanently: nothing was made.
    note({ kind: 'ended', chunk });
    open.delete(chunk);
    fatal(made.error);
  };

  const visit = async (each: OpenChunk): Promise<void> => {
    if (each.id === undefined) return recover(each);
    const state = await stateOf(each.id);
    if (state === 'ended') await ingest(each, each.id);
    else if (state === 'gone') await forget(each, each.id);
  };

  const start = (): void => {
    for (const { rows } of memory.open.values()) for (const row of rows) remembered.add(row.split('--')[0] ?? '');
    for (const key of memory.turns.keys()) remembered.add(key);
    if (remembered.size > 0) for (const each of cases) if (remembered.has(each.key)) active.set(each.key, each);
    unasked -= active.size;
    for (const [key, lines] of memory.turns) if (active.has(key)) turns.set(key, [...lines]);
    const busy = new Set<string>();
    for (const each of memory.open.values()) {
      const rows = neededRows(each.rows);
      if (rows.length === 0) note({ kind: 'ended', chunk: each.chunk });
      else open.set(each.chunk, each);
      for (const row of rows) busy.add(row.split('--')[0] ?? '');
    }
    for (const key of active.keys()) if (!busy.has(key)) waiting.add(key);
  };

  try {
    start();
    while (left > 0) {
      if (deps.signal?.aborted === true) return { kind: 'stopped', missing: left };
      while (waiting.size + unasked > 0 && open.size < MOST_OPEN) {
        const rows = pack();
        if (rows.length > 0) await create(rows);
        else if (open.size > 0) break;
        else if (waiting.size + unasked > 0)
          throw new Ended('money', `The next request could exceed the limit of ${money(limitUsd ?? 0)}.`);
      }
      const before = left + waiting.size;
      for (const each of open.values()) await visit(each);
      if (left === 0 || left + waiting.size !== before) continue;
      await deps.wait(poll);
      poll = Math.min(LONGEST_WAIT, poll * 1.5);
    }
    return { kind: 'done' };
  } catch (thrown) {
    if (deps.signal?.aborted === true) return { kind: 'stopped', missing: left };
    const message = errorMessage(thrown);
    return thrown instanceof Ended && thrown.end === 'money'
      ? { kind: 'money', missing: left, spent, message }
      : { kind: 'failed', missing: left, message };
  }
};
