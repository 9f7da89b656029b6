/** One suite against one model in the terminal: resumed from its journal, within its limit of money. */
import { appendFileSync, existsSync, mkdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { err, ok, type Result } from '../base/result.ts';
import { reportEval, type EvalReport } from '../model/evals/report.ts';
import { isSameRun, journalLine } from '../model/evals/run/journal.ts';
import type { CaseList, EvalCase, Shard } from '../model/evals/run/plan.ts';
import { prepareRun, priceRun, recordOf, type PreparedRun, type RunSetting } from '../model/evals/run/prepare.ts';
import { playCase, runCase, type CaseResult } from '../model/evals/run/run-case.ts';
import { runBatches } from '../model/evals/run/batch-run.ts';
import { runCases, type RunEnd } from '../model/evals/run/runner.ts';
import { createTally, type OpenTally, type RunTally } from '../model/evals/run/tally.ts';
import { batchBody } from '../model/provider/batch.ts';
import type { Suite } from '../model/evals/suite/types.ts';
import { delay } from '../platform/delay.ts';
import { openBatchClient, openBatchFile } from './eval-batches.ts';
import { openJournalFile } from './journal-file.ts';
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
  readonly tally: RunTally;
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
  { head, evalPlan }: Pick<PreparedRun, 'head' | 'evalPlan'>,
  isFresh: boolean,
): Result<OpenTally, string> => {
  const tally = createTally();
  const start = (): Result<OpenTally, string> => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, journalLine(head));
    return ok(tally);
  };
  if (isFresh || !existsSync(file)) return start();
  const opened = openJournalFile(file);
  if (!opened.ok) return opened;
  const journal = opened.value;
  // Killed while its first line was written: nothing is in it.
  if (!journal) return start();
  if (!isSameRun(journal.head, head))
    return err(
      `${file} is the journal of another run (suite, skills, model, or repeats have changed). Use --fresh, or another --journal.`,
    );
  for (const record of journal.records()) if (evalPlan.has(record.query, record.repeat)) tally.add(record);
  if (journal.unread() > 0)
    return err(`${file} has ${journal.unread()} unreadable lines. Use --fresh, or another --journal.`);
  if (journal.wholeLength() < statSync(file).size) truncateSync(file, journal.wholeLength());
  return ok(tally);
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
  const { first, evalPlan } = prepared;
  const file = names.journal(evalPlan.digest);
  const journal = openJournal(file, prepared, options.isFresh);
  if (!journal.ok) return journal;
  const tally = journal.value;
  const cases = evalPlan.cases.length;
  const known = tally.runs;
  const { usd, worstUsd } = await priceRun(prepared, settings, cases - known, isBatch, {
    shadow: terminal.shadow,
    client: terminal.client(settings),
    scope: terminal.scope(settings),
    now: terminal.now(),
  });
  const estimate: Estimate = { cases, known, usd };
  // A case has its own draw of noise, so that it is the same one however the run is cut up.
  const clientFor = (key: string) => terminal.client(settings, terminal.deps.noise && key);
  let [billed, prompts]: (number | undefined)[] = [0, 0];
  const plus = (sum: number | undefined, more: number | undefined): number | undefined =>
    sum === undefined || more === undefined ? undefined : sum + more;
  const queries = new Set(evalPlan.queries.map(({ id }) => id));
  const shown = { ...suite, queries: suite.queries.filter(({ id }) => queries.has(id)) };
  const keep = (each: EvalCase, result: CaseResult, cost: number | undefined): void => {
    const record = recordOf(each, result, cost);
    // On disk first: what is counted is never lost.
    appendFileSync(file, journalLine(record));
    tally.add(record);
    billed = plus(billed, cost);
    prompts = plus(prompts, prepared.promptUsdOf(result));
  };
  const limit = {
    answered: tally.answered,
    ...(options.limitUsd !== undefined && { limitUsd: options.limitUsd }),
  };
  const common = { keep, costOf: prepared.usdOf, worstUsd, signal: options.signal };
  const directly = (missing: CaseList): Promise<RunEnd> =>
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
  const inBatches = async (missing: CaseList): Promise<RunEnd> => {
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
        ...openBatchFile(
          file.replace(/\.jsonl$/, '.batches'),
          options.isFresh,
          () => new Set(Array.from(missing, ({ key }) => key)),
        ),
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
      const missing = evalPlan.missing(tally.has);
      const end = isBatch ? await inBatches(missing) : await directly(missing);
      return {
        end,
        report: reportEval(shown, tally, evalPlan.cases.length, options.threshold),
        tally,
        billedUsd: billed,
        promptUsd: prompts,
      };
    },
  });
};
