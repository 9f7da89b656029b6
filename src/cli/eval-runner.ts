/** One suite against one model in the terminal: resumed from its journal, within its limit of money. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { err, ok, type Result } from '../base/result.ts';
import { forecastTurns } from '../model/cache/forecast.ts';
import type { SessionSettings } from '../model/event/catalog.ts';
import { reportEval, type EvalReport } from '../model/evals/report.ts';
import { journalLine, readJournal, type CaseRecord, type JournalHead } from '../model/evals/run/journal.ts';
import { knownSkills } from '../model/evals/run/loads.ts';
import { planEval, type EvalCase, type EvalPlan, type Shard } from '../model/evals/run/plan.ts';
import { playCase, runCase, type CaseResult } from '../model/evals/run/run-case.ts';
import { runBatches } from '../model/evals/run/batch-run.ts';
import { runCases, type RunEnd } from '../model/evals/run/runner.ts';
import { batchBody } from '../model/provider/batch.ts';
import type { Suite } from '../model/evals/suite/types.ts';
import type { Listing } from '../model/clients/types.ts';
import { searchText } from '../model/activation/texts.ts';
import { costOf } from '../model/provider/cost.ts';
import { promptTokens, type CanonicalRequest, type ToolUseBlock } from '../model/provider/types.ts';
import { planSession, type SessionPlan } from '../model/session/start.ts';
import { firstRequest } from '../model/session/session-request.ts';
import { isObject } from '../base/json.ts';
import { delay } from '../platform/delay.ts';
import { openBatchClient, openBatchFile } from './eval-batches.ts';
import type { Terminal } from './session-runner.ts';

export interface EvalSetting {
  readonly terminal: Terminal;
  readonly plan: SessionPlan;
  readonly settings: SessionSettings;
  readonly volatile: string;
  /** What an agent calls the skills of its listing; nothing under Lathe's own. */
  readonly listing?: Pick<Listing, 'entries'>;
  /** As the journal names it. */
  readonly listingName: string;
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
  readonly end: RunEnd;
}

export interface EvalRun {
  readonly estimate: Estimate;
  readonly run: () => Promise<EvalOutcome>;
}

const uncachedUsage = (tokens: number, output: number) => ({
  uncached: tokens,
  read: 0,
  writes: {},
  output,
  cacheReported: true,
  partial: false,
});

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
  if (JSON.stringify(found) !== JSON.stringify(head))
    return err(
      `${file} is the journal of another run (suite, skills, model, or repeats have changed). Use --fresh, or another --journal.`,
    );
  if (unread > 0) return err(`${file} has ${unread} unreadable lines. Use --fresh, or another --journal.`);
  if (wholeLength < text.length) truncateSync(file, Buffer.byteLength(text.slice(0, wholeLength)));
  return ok(records);
};

const estimateOf = async (
  { terminal, settings }: EvalSetting,
  first: CanonicalRequest,
  evalPlan: EvalPlan,
  known: number,
  isBatch: boolean,
): Promise<{ readonly estimate: Estimate; readonly worstUsd: number | undefined }> => {
  const cases = evalPlan.cases.length;
  const client = terminal.client(settings);
  const query = evalPlan.cases[0]?.query.query ?? '';
  const wire = client.preview({ ...first, messages: [{ role: 'user', content: [{ type: 'text', text: query }] }] });
  const call = await terminal.shadow.measure({
    provider: settings.provider,
    wire: wire.wire,
    model: settings.model,
    body: JSON.stringify(wire.body),
    startedAt: terminal.now(),
    scope: terminal.scope(settings),
    sessionId: 'eval',
  });
  if (!call) return { estimate: { cases, known, usd: undefined }, worstUsd: undefined };
  const [writing, reading] = forecastTurns(call, 2, 5000);
  const left = cases - known;
  const tokens = writing ? promptTokens(uncachedUsage(writing.promptTokens, 0)) : 0;
  const worst = costOf(uncachedUsage(tokens, settings.max_output_tokens), settings.model, { batch: isBatch }).usd;
  // A cache write is at most twice the price of the prompt; a row of a batch is one turn.
  const worstUsd = worst === undefined ? undefined : 2 * worst * (isBatch ? 1 : evalPlan.maxTurns);
  if (isBatch) {
    // Which rows of a batch read what another one wrote is nobody's promise, so none is counted.
    const plain = costOf(uncachedUsage(tokens, 0), settings.model, { batch: true }).usd;
    return { estimate: { cases, known, usd: plain === undefined ? undefined : left * plain }, worstUsd };
  }
  const usd =
    left === 0
      ? 0
      : writing?.usd === undefined || reading?.usd === undefined
        ? undefined
        : writing.usd + (left - 1) * reading.usd;
  return { estimate: { cases, known, usd }, worstUsd };
};

export const openEval = async (
  setting: EvalSetting,
  suite: Suite,
  names: { readonly suite: string; readonly journal: (digest: string) => string },
  options: EvalOptions,
): Promise<Result<EvalRun, string>> => {
  const { terminal, plan, settings, volatile } = setting;
  const { store } = plan.workspace.library;
  const first = firstRequest(planSession(plan), settings, volatile);
  const evalPlan = planEval(suite, first, options);
  const head: JournalHead = {
    format: 'lathe-eval/1',
    suite: names.suite,
    digest: evalPlan.digest,
    provider: settings.provider,
    model: settings.model,
    listing: setting.listingName,
    ...(terminal.deps.noise && { noise: `${terminal.deps.noise.scale}:${terminal.deps.noise.seed}` }),
    ...(options.shard && { shard: options.shard }),
  };
  const file = names.journal(evalPlan.digest);
  const journal = openJournal(file, head, options.isFresh);
  if (!journal.ok) return journal;
  const records = new Map(journal.value);
  const { estimate, worstUsd } = await estimateOf(setting, first, evalPlan, records.size, options.isBatch === true);
  // A case has its own draw of noise, so that it is the same one however the run is cut up.
  const clientFor = (key: string) => terminal.client(settings, terminal.deps.noise && key);
  const aliases = new Map(setting.listing?.entries.map(({ path, name }) => [path, name]));
  const known = knownSkills(
    store.list().map(({ skill, path }) => {
      const alias = aliases.get(path);
      return alias === undefined ? { name: skill.name, path } : { name: skill.name, path, alias };
    }),
  );
  let billed: number | undefined = 0;
  /** Searching is part of picking, so it gets its real answer. */
  const answer = ({ name, input }: ToolUseBlock): string | undefined => {
    if (name !== 'skill_search' || !isObject(input) || typeof input['query'] !== 'string') return undefined;
    return searchText(input['query'], store.search(input['query']));
  };
  const usdOf = ({ usage, turns }: CaseResult): number | undefined => {
    if (usage.length < turns) return undefined;
    const parts = usage.map((each) => costOf(each, settings.model, { batch: options.isBatch === true }).usd);
    return parts.reduce<number | undefined>(
      (sum, part) => (sum === undefined || part === undefined ? undefined : sum + part),
      0,
    );
  };
  const queries = new Set(evalPlan.cases.map(({ query }) => query.id));
  const shown = { ...suite, queries: suite.queries.filter(({ id }) => queries.has(id)) };
  const keep = ({ key, query, repeat }: EvalCase, result: CaseResult, usd: number | undefined): void => {
    const record: CaseRecord = {
      key,
      query: query.id,
      repeat,
      outcome: result.outcome,
      loaded: [...result.loaded],
      invented: [...result.invented],
      turns: result.turns,
      usd: usd === undefined ? null : Math.round(usd * 1e8) / 1e8,
      text: result.text,
      ...(result.error && { error: result.error.message }),
    };
    appendFileSync(file, journalLine(record));
    records.set(key, record);
    billed = billed === undefined || usd === undefined ? undefined : billed + usd;
  };
  const limit = options.limitUsd === undefined ? {} : { limitUsd: options.limitUsd };
  const common = { keep, costOf: usdOf, worstUsd, signal: options.signal };
  const directly = (cases: readonly EvalCase[]): Promise<RunEnd> =>
    runCases(
      cases,
      {
        ...common,
        run: ({ key, query }) =>
          runCase(first, query, evalPlan.maxTurns, {
            call: (request) => clientFor(key).call(request, { signal: options.signal }),
            known,
            answer,
          }),
        wait: (ms) => delay(ms, options.signal),
        random: Math.random,
      },
      { parallel: options.parallel, ...limit },
    );
  const inBatches = async (cases: readonly EvalCase[]): Promise<RunEnd> => {
    const client = terminal.client(settings);
    const isSimulated = settings.provider === 'simulator';
    const opened = openBatchClient(settings.provider, client.preview(first).wire, {
      ...terminal.connection(settings),
      signal: options.signal,
    });
    if (!opened.ok) return { kind: 'failed', missing: cases.length, message: opened.error };
    return runBatches(
      cases,
      {
        ...common,
        ...openBatchFile(file.replace(/\.jsonl$/, '.batches'), options.isFresh),
        client: opened.value,
        play: ({ query }) => playCase(first, query, evalPlan.maxTurns, { known, answer }),
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
      const end = options.isBatch === true ? await inBatches(missing) : await directly(missing);
      const all = [...records.values()];
      return {
        end,
        report: reportEval(shown, all, evalPlan.cases.length, options.threshold),
        records: all,
        billedUsd: billed,
      };
    },
  });
};
