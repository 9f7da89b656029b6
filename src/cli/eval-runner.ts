/** One suite against one model in the terminal: resumed from its journal, within its limit of money. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { err, ok, type Result } from '../base/result.ts';
import { reportEval, type EvalReport } from '../model/evals/report.ts';
import { isSameRun, journalLine, readJournal, type CaseRecord, type JournalHead } from '../model/evals/run/journal.ts';
import type { EvalCase, Shard } from '../model/evals/run/plan.ts';
import { prepareRun, priceRun, recordOf, type RunSetting } from '../model/evals/run/prepare.ts';
import { playCase, runCase, type CaseResult } from '../model/evals/run/run-case.ts';
import { runBatches } from '../model/evals/run/batch-run.ts';
import { runCases, type RunEnd } from '../model/evals/run/runner.ts';
import { batchBody } from '../model/provider/batch.ts';
import type { Suite } from '../model/evals/suite/types.ts';
import { delay } from '../platform/delay.ts';
import { openBatchClient, openBatchFile } from './eval-batches.ts';
import type { Terminal } from './session-runner.ts';

export interface EvalSetting extends Omit<RunSetting, 'noise'> {
  readonly terminal: Terminal;
}

export interface EvalOptions {
  readonly repeats?: number;
  readonly shard?: Shard;
  readonly parallel: number;
  readonly limitUsd?: number;
  readonly threshold: number;
  readonly isFresh: boolean;
  /** In the provider's batches. */
  readonly isBatch?: boolean;
  readonly tell?: (text: string) => void;
  readonly signal: AbortSignal;
}

export interface Estimate {
  readonly cases: number;
  readonly known: number;
  /** Of the prompts that are still to be sent, once each; nothing where the price is unknown. */
  readonly usd: number | undefined;
}

export interface EvalOutcome {
  readonly report: EvalReport;
  readonly records: readonly CaseRecord[];
  /** What the cases of this call have cost; nothing where a price or a usage is unknown. */
  readonly billedUsd: number | undefined;
  /** The part of it that the estimate is about: without what the model said. */
  readonly promptUsd: number | undefined;
  readonly end: RunEnd;
}

export interface EvalRun {
  readonly estimate: Estimate;
  readonly run: () => Promise<EvalOutcome>;
}

/** Opens the journal for appending: a cut last line goes, and a journal of another plan is refused. */
const openJournal = (
  file: string,
  head: JournalHead,
  isFresh: boolean,
): Result<ReadonlyMap<string, CaseRecord>, string> => {
  const start = (): Result<ReadonlyMap<string, CaseRecord>, string> => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, journalLine(head));
    return ok(new Map());
  };
  if (isFresh || !existsSync(file)) return start();
  const text = readFileSync(file, 'utf8');
  // Killed while its first line was written: nothing is in it.
  if (!text.includes('\n')) return start();
  const read = readJournal(text);
  if (!read.ok) return err(`${file}: ${read.error}`);
  const { head: found, records, wholeLength, unread } = read.value;
  if (!isSameRun(found, head))
    return err(
      `${file} is the journal of another run (suite, skills, model, or repeats have changed). Use --fresh, or another --journal.`,
    );
  if (unread > 0) return err(`${file} has ${unread} unreadable lines. Use --fresh, or another --journal.`);
  if (wholeLength < text.length) truncateSync(file, Buffer.byteLength(text.slice(0, wholeLength)));
  return ok(records);
};

export const openEval = async (
  setting: EvalSetting,
  suite: Suite,
  names: { readonly suite: string; readonly journal: (digest: string) => string },
  options: EvalOptions,
): Promise<Result<EvalRun, string>> => {
  const { terminal, settings } = setting;
  const { noise } = terminal.deps;
  const isBatch = options.isBatch === true;
  const prepared = prepareRun(
    { ...setting, ...(noise && { noise: `${noise.scale}:${noise.seed}` }) },
    suite,
    names.suite,
    options,
  );
  const { first, evalPlan, head } = prepared;
  const file = names.journal(evalPlan.digest);
  const journal = openJournal(file, head, options.isFresh);
  if (!journal.ok) return journal;
  const records = new Map(
    [...journal.value].map(([key, { said: _said, ...record }]) => [key, { ...record, text: '' }]),
  );
  const cases = evalPlan.cases.length;
  const { usd, worstUsd } = await priceRun(prepared, settings, cases - records.size, isBatch, {
    shadow: terminal.shadow,
    client: terminal.client(settings),
    scope: terminal.scope(settings),
    now: terminal.now(),
  });
  const estimate: Estimate = { cases, known: records.size, usd };
  // A case has its own draw of noise, so that it is the same one however the run is cut up.
  const clientFor = (key: string) => terminal.client(settings, terminal.deps.noise && key);
  let [billed, prompts]: (number | undefined)[] = [0, 0];
  const plus = (sum: number | undefined, more: number | undefined): number | undefined =>
    sum === undefined || more === undefined ? undefined : sum + more;
  const queries = new Set(evalPlan.cases.map(({ query }) => query.id));
  const shown = { ...suite, queries: suite.queries.filter(({ id }) => queries.has(id)) };
  const keep = (each: EvalCase, result: CaseResult, cost: number | undefined): void => {
    const { said, ...record } = recordOf(each, result, cost);
    // What was said is for people who open the journal, and need not be held.
    appendFileSync(file, journalLine({ ...record, ...(said && { said }) }));
    // The same goes for its text.
    records.set(record.key, { ...record, text: '' });
    billed = plus(billed, cost);
    prompts = plus(prompts, prepared.promptUsdOf(result));
  };
  const limit = {
    answered: [...records.values()].filter(({ outcome }) => outcome !== 'error').length,
    ...(options.limitUsd !== undefined && { limitUsd: options.limitUsd }),
  };
  const common = { keep, costOf: prepared.usdOf, worstUsd, signal: options.signal };
  const directly = (missing: readonly EvalCase[]): Promise<RunEnd> =>
    runCases(
      missing,
      {
        ...common,
        run: ({ key, query }) =>
          runCase(first, query, evalPlan.maxTurns, {
            ...prepared.deps,
            call: (request) => clientFor(key).call(request, { signal: options.signal }),
          }),
        wait: (ms) => delay(ms, options.signal),
        random: Math.random,
      },
      { parallel: options.parallel, ...limit },
    );
  const inBatches = async (missing: readonly EvalCase[]): Promise<RunEnd> => {
    const client = terminal.client(settings);
    const isSimulated = settings.provider === 'simulator';
    const opened = openBatchClient(settings.provider, client.preview(first).wire, {
      ...terminal.connection(settings),
      signal: options.signal,
    });
    if (!opened.ok) return { kind: 'failed', missing: missing.length, message: opened.error };
    return runBatches(
      missing,
      {
        ...common,
        ...openBatchFile(file.replace(/\.jsonl$/, '.batches'), options.isFresh),
        client: opened.value,
        play: ({ query }) => playCase(first, query, evalPlan.maxTurns, prepared.deps),
        bodyOf: (request) => batchBody(client.preview(request)),
        now: isSimulated ? terminal.now : Date.now,
        // The simulator of this process has a time of its own.
        wait: (ms) => (isSimulated ? Promise.resolve(terminal.simulator.advance(ms)) : delay(ms, options.signal)),
        ...(options.tell && { tell: options.tell }),
      },
      { run: evalPlan.digest, ...limit },
    );
  };
  return ok({
    estimate,
    run: async () => {
      const missing = evalPlan.cases.filter(({ key }) => !records.has(key));
      const end = isBatch ? await inBatches(missing) : await directly(missing);
      const all = [...records.values()];
      return {
        end,
        report: reportEval(shown, all, evalPlan.cases.length, options.threshold),
        records: all,
        billedUsd: billed,
        promptUsd: prompts,
      };
    },
  });
};
