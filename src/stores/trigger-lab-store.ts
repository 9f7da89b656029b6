/** The trigger lab: one run of a suite at a time, of the text that is edited, and of the saved one where the two are compared. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { errorMessage } from '../base/errors.ts';
import { sha256 } from '../base/hash.ts';
import { ok, type Result } from '../base/result.ts';
import { compareCodePoints } from '../base/text.ts';
import type { ClientId } from '../model/clients/types.ts';
import { compareRuns, type RunComparison } from '../model/evals/compare-runs.ts';
import { isRight } from '../model/evals/run/judge.ts';
import { journalLine, type CaseRecord, type JournalHead } from '../model/evals/run/journal.ts';
import type { EvalCase } from '../model/evals/run/plan.ts';
import { prepareRun, priceRun, recordOf, type PreparedRun, type Price } from '../model/evals/run/prepare.ts';
import { runCase } from '../model/evals/run/run-case.ts';
import { runCases, type RunEnd } from '../model/evals/run/runner.ts';
import { decidedEndings, runsOf, tallyOf, type RunTally } from '../model/evals/run/tally.ts';
import { compareVersions, type Comparison, type Pair } from '../model/evals/statistics/compare.ts';
import { lookAt, planLooks } from '../model/evals/statistics/looks.ts';
import { proposalRequest, readProposal } from '../model/evals/suite/propose-with-model.ts';
import type { Suite, TriggerQuery } from '../model/evals/suite/types.ts';
import type { SessionSettings } from '../model/event/catalog.ts';
import type { LibraryInput } from '../model/library/load-library.ts';
import type { SessionPlan } from '../model/session/start.ts';
import type { PickableSkill } from '../model/simulator/behaviour/pick-skill.ts';
import type { SimNoise } from '../model/simulator/behaviour/noise.ts';
import { agentListing, withListing } from '../model/workspace/session-plan.ts';
import { delay } from '../platform/delay.ts';
import type { SessionServices } from '../platform/runtime/session-services.ts';
import type { EvalResults } from '../platform/store/eval-results.ts';

export interface LabAsk {
  readonly suite: Suite;
  /** The suite's file. */
  readonly name: string;
  readonly repeats: number;
  /** An agent's listing; nothing: Lathe's own. */
  readonly client?: ClientId;
  readonly limitUsd?: number;
  readonly noise?: SimNoise;
  /** The session that would start with the text as it is typed. */
  readonly edited: SessionPlan;
  /** With the saved one: the two are compared. */
  readonly saved?: SessionPlan;
}

export interface LabVersion {
  readonly head: JournalHead;
  readonly records: readonly CaseRecord[];
}

export interface LabRun {
  readonly suite: Suite;
  readonly settings: SessionSettings;
  readonly edited: LabVersion;
  readonly saved?: LabVersion;
  /** Of both versions. */
  readonly planned: number;
  readonly done: number;
  /** What the prompts that are missing will cost; absent while they run, and where a price is unknown. */
  readonly estimateUsd?: number;
  /** Of the last part that ran: what its prompts were estimated to cost before it, and what they cost. */
  readonly bill?: { readonly estimatedUsd: number | undefined; readonly promptUsd: number | undefined };
  /** Of all results; nothing where a price or a usage is unknown. */
  readonly spentUsd: number | undefined;
  /** Of a comparison, at the last look. */
  readonly verdict?: { readonly comparison: Comparison; readonly look: string; readonly isLast: boolean };
  readonly details?: RunComparison;
  /** Why it ended early, or what is to be known. */
  readonly message?: string;
}

export interface LabState {
  readonly status: 'idle' | 'preparing' | 'running' | 'pausing';
  readonly run: LabRun | undefined;
  /** Why there is nothing to show, or why it ended. */
  readonly fault?: string | undefined;
}

export interface TriggerLabStore extends Pick<StoreApi<LabState>, 'getState' | 'getInitialState' | 'subscribe'> {
  /** Shows what is known of this run, without a call. */
  readonly look: (ask: LabAsk) => Promise<void>;
  /** Runs what is missing. */
  readonly start: (ask: LabAsk) => Promise<void>;
  /** Queries that the model in front writes for a skill; not of the simulator, which cannot write any. */
  readonly propose: (
    skills: readonly PickableSkill[],
    name: string,
  ) => Promise<Result<readonly TriggerQuery[], string>>;
  /** Calls in flight are stopped, and asked again when the run continues. */
  readonly pause: () => void;
  /** Forgets the results of this run. */
  readonly forget: (ask: LabAsk) => Promise<void>;
  /** The journal of the run in front, as `lathe eval` writes it. */
  readonly journal: () => string;
}

export interface TriggerLabDeps {
  readonly services: () => Promise<Pick<SessionServices, 'evalClients' | 'runtime'>>;
  readonly settings: () => SessionSettings;
  readonly volatile: () => Promise<string>;
  /** The saved files. */
  readonly input: () => Promise<LibraryInput>;
  /** The same with what is not saved. */
  readonly unsaved: (input: LibraryInput) => LibraryInput;
  readonly results: EvalResults;
  readonly fail: (thrown: unknown) => void;
}

/** Enough for a decision; a run never needs the whole answer. */
const MOST_OUTPUT = 1024;
const PARALLEL = 4;
const NOTHING: LabState = { status: 'idle', run: undefined };

/** The choice of an agent does not fit the folder: for the lab to say, and no fault of the page. */
class NoListing extends Error {}

interface Side {
  readonly prepared: PreparedRun;
  readonly records: Map<string, CaseRecord>;
}

const isAnswered = ({ outcome }: CaseRecord): boolean => outcome !== 'error';

const sumUsd = (sides: readonly Side[]): number | undefined => {
  let sum = 0;
  for (const { records } of sides)
    for (const { usd } of records.values()) {
      if (usd === null) return undefined;
      sum += usd;
    }
  return sum;
};

/** Right runs of each query, as far as the look goes. */
const pairsOf = (suite: Suite, before: Side, after: Side): readonly Pair[] => {
  const [old, now] = [tallyOf(before.records.values()), tallyOf(after.records.values())];
  return suite.queries.flatMap((query) => {
    if (query.expect === undefined && query.forbid.length === 0) return [];
    const count = (tally: RunTally) => {
      const endings = decidedEndings(tally, query.id);
      return {
        hits: runsOf(endings, ({ outcome, loaded }) => isRight(outcome, loaded, query) === true),
        runs: runsOf(endings),
      };
    };
    return [{ before: count(old), after: count(now) }];
  });
};

/** Both versions of a round in an order that has nothing to do with either. */
const mixed = (cases: readonly (readonly [Side, EvalCase])[]): readonly (readonly [Side, EvalCase])[] =>
  cases.toSorted(([, a], [, b]) => compareCodePoints(sha256(a.key), sha256(b.key)));

export const createTriggerLab = (deps: TriggerLabDeps): TriggerLabStore => {
  const store = createStore<LabState>(() => NOTHING);
  const { setState, getState } = store;
  let stop: AbortController | undefined;
  let turn = 0;
  /** For as long as the page is open. */
  let bill: { readonly of: string; readonly is: NonNullable<LabRun['bill']> } | undefined;

  const sidesOf = async (ask: LabAsk, settings: SessionSettings): Promise<readonly Side[]> => {
    const volatile = await deps.volatile();
    const input = ask.client === undefined ? undefined : await deps.input();
    const noise = ask.noise && `${ask.noise.scale}:${ask.noise.seed}`;
    const sideOf = async (plan: SessionPlan, isSaved: boolean): Promise<Side> => {
      const listing =
        input && ask.client && (await agentListing(isSaved ? input : deps.unsaved(input), ask.client, settings));
      if (ask.client !== undefined && (!listing || listing.text === ''))
        throw new NoListing(`${listing?.label ?? ask.client} lists no skills from this folder.`);
      const prepared = prepareRun(
        {
          plan: listing && ask.client ? withListing(plan, ask.client, listing.text) : plan,
          settings,
          volatile,
          listingName: ask.client ?? plan.dialect ?? 'metis',
          ...(listing && { listing }),
          ...(noise !== undefined && { noise }),
        },
        ask.suite,
        ask.name,
        { repeats: ask.repeats },
      );
      // Results belong to what was asked, and to whom.
      return { prepared, records: new Map(await deps.results.of(runIdOf(prepared))) };
    };
    const edited = await sideOf(ask.edited, false);
    return ask.saved ? [edited, await sideOf(ask.saved, true)] : [edited];
  };

  const runIdOf = ({ head }: PreparedRun): string =>
    sha256(JSON.stringify([head.digest, head.provider, head.noise ?? null])).slice(0, 32);

  const nameOf = (sides: readonly Side[]): string => sides.map(({ prepared }) => runIdOf(prepared)).join(' ');

  const leftOf = (sides: readonly Side[]): number => sides.reduce((sum, side) => sum + missingOf(side).length, 0);

  const priceOf = async (ask: LabAsk, settings: SessionSettings, sides: readonly Side[]): Promise<Price> => {
    const services = await deps.services();
    const { runtime } = services;
    const [{ prepared }] = sides as [Side];
    return priceRun(prepared, settings, leftOf(sides), false, {
      shadow: runtime.shadow,
      client: services.evalClients(settings.provider, ask.noise)(''),
      scope: runtime.scope(settings),
      now: runtime.now(),
    });
  };

  const versionOf = ({ prepared, records }: Side): LabVersion => ({
    head: prepared.head,
    records: [...records.values()],
  });

  const show = (ask: LabAsk, settings: SessionSettings, sides: readonly Side[], more: Partial<LabRun> = {}): void => {
    const [edited, saved] = sides as [Side, Side?];
    const planned = sides.reduce((sum, { prepared }) => sum + prepared.evalPlan.cases.length, 0);
    const run: LabRun = {
      suite: ask.suite,
      settings,
      edited: versionOf(edited),
      ...(saved && { saved: versionOf(saved) }),
      planned,
      done: sides.reduce((sum, { records }) => sum + records.size, 0),
      spentUsd: sumUsd(sides),
      ...(bill?.of === nameOf(sides) && { bill: bill.is }),
      ...more,
    };
    setState({ run, fault: undefined });
  };

  const verdictOf = (ask: LabAsk, sides: readonly Side[], isOver: boolean): Pick<LabRun, 'verdict' | 'details'> => {
    const [edited, saved] = sides as [Side, Side?];
    if (!saved) return {};
    const pairs = pairsOf(ask.suite, saved, edited);
    const plan = planLooks(ask.repeats);
    const look = lookAt(plan, pairs);
    const details = compareRuns(ask.suite, tallyOf(saved.records.values()), tallyOf(edited.records.values()));
    if (look)
      return {
        verdict: {
          comparison: look.comparison,
          look: `Look ${look.look + 1} of ${plan.levels.length}`,
          isLast: look.isLast,
        },
        details,
      };
    // Undecided runs leave queries with different counts: they are compared once, at the end.
    const comparison = isOver ? compareVersions(pairs, plan.levels.at(-1)) : undefined;
    return comparison ? { verdict: { comparison, look: 'All runs', isLast: true }, details } : {};
  };

  const missingOf = (side: Side, repeat?: number): readonly (readonly [Side, EvalCase])[] =>
    [...side.prepared.evalPlan.cases]
      .filter((each) => !side.records.has(each.key) && (repeat === undefined || each.repeat === repeat))
      .map((each) => [side, each] as const);

  const begin = async (ask: LabAsk) => {
    const settings = { ...deps.settings(), max_output_tokens: MOST_OUTPUT };
    try {
      return { settings, sides: await sidesOf(ask, settings) };
    } catch (thrown) {
      // What is shown is of another run.
      setState({ run: undefined });
      throw thrown;
    }
  };

  const run = async (ask: LabAsk, signal: AbortSignal): Promise<void> => {
    const { settings, sides } = await begin(ask);
    const [edited, saved] = sides as [Side, Side?];
    if (saved && saved.prepared.head.digest === edited.prepared.head.digest) {
      show(ask, settings, [edited], {
        message:
          'Nothing to compare. The edit doesn’t change the name or description that a model reads before it picks.',
      });
      return;
    }
    const services = await deps.services();
    const { runtime } = services;
    const clients = services.evalClients(settings.provider, ask.noise);
    const price = await priceOf(ask, settings, sides);
    const before = sumUsd(sides) ?? 0;
    let promptUsd: number | undefined = 0;
    const more: { -readonly [Key in keyof LabRun]?: LabRun[Key] } = {};
    const of = nameOf(sides);
    bill = { of, is: { estimatedUsd: price.usd, promptUsd } };
    show(ask, settings, sides, more);
    setState({ status: 'running' });

    const runPart = async (part: readonly (readonly [Side, EvalCase])[]): Promise<RunEnd> => {
      const sideOf = new Map(part.map(([side, { key }]) => [key, side]));
      let kept = 0;
      return runCases(
        part.map(([, each]) => each),
        {
          run: (each) => {
            const { prepared } = sideOf.get(each.key) as Side;
            return runCase(prepared.first, each.query, prepared.evalPlan.maxTurns, {
              ...prepared.deps,
              call: (request) => clients(each.key).call(request, { signal }),
            });
          },
          keep: async (each, result, usd) => {
            const side = sideOf.get(each.key) as Side;
            const record = recordOf(each, result, usd);
            await deps.results.keep(runIdOf(side.prepared), record);
            side.records.set(record.key, record);
            const own = side.prepared.promptUsdOf(result);
            promptUsd = promptUsd === undefined || own === undefined ? undefined : promptUsd + own;
            bill = { of, is: { estimatedUsd: price.usd, promptUsd } };
            // Of a large run not every single result is drawn.
            if (++kept % Math.max(1, Math.floor(side.records.size / 50)) === 0) show(ask, settings, sides, more);
          },
          costOf: edited.prepared.usdOf,
          worstUsd: price.worstUsd,
          wait: (ms) => delay(ms, signal),
          random: runtime.random,
          signal,
        },
        {
          parallel: PARALLEL,
          answered: sides.reduce((sum, { records }) => sum + [...records.values()].filter(isAnswered).length, 0),
          ...(ask.limitUsd !== undefined && {
            limitUsd: Math.max(0, ask.limitUsd - Math.max(0, (sumUsd(sides) ?? 0) - before)),
          }),
        },
      );
    };

    let end: RunEnd = { kind: 'done' };
    if (!saved) end = await runPart(missingOf(edited));
    else
      for (let repeat = 0; repeat < ask.repeats && end.kind === 'done'; repeat++) {
        end = await runPart(mixed([...missingOf(edited, repeat), ...missingOf(saved, repeat)]));
        if (end.kind !== 'done') break;
        Object.assign(more, verdictOf(ask, sides, repeat === ask.repeats - 1));
        show(ask, settings, sides, more);
        if (more.verdict && more.verdict.comparison.verdict !== 'cannot-tell') break;
      }
    show(ask, settings, sides, {
      ...more,
      ...(end.kind === 'stopped' ? { message: 'Paused. The results so far are saved in this browser.' } : {}),
      ...(end.kind === 'money' || end.kind === 'failed' ? { message: end.message } : {}),
    });
  };

  const guarded = async (work: (own: number) => Promise<void>): Promise<void> => {
    const own = ++turn;
    try {
      await work(own);
    } catch (thrown) {
      if (!(thrown instanceof NoListing)) deps.fail(thrown);
      setState({ fault: errorMessage(thrown) });
    } finally {
      if (own === turn) setState({ status: 'idle' });
    }
  };

  return {
    getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    look: async (ask) => {
      if (getState().status !== 'idle') return;
      await guarded(async (own) => {
        const { settings, sides } = await begin(ask);
        if (own !== turn) return;
        const verdict = verdictOf(ask, sides, false);
        show(ask, settings, sides, verdict);
        const { usd } = leftOf(sides) === 0 ? {} : await priceOf(ask, settings, sides);
        if (own === turn && usd !== undefined) show(ask, settings, sides, { ...verdict, estimateUsd: usd });
      });
    },
    start: async (ask) => {
      if (getState().status !== 'idle') return;
      stop = new AbortController();
      const { signal } = stop;
      setState({ status: 'preparing' });
      await guarded(() => run(ask, signal));
    },
    propose: async (skills, name) => {
      const { provider, model } = deps.settings();
      const request = proposalRequest(skills, name, model);
      if (!request || provider === 'simulator') return ok([]);
      const services = await deps.services();
      return readProposal(await services.evalClients(provider, undefined)('').call(request, {}), skills, name);
    },
    pause: () => {
      if (getState().status !== 'running') return;
      setState({ status: 'pausing' });
      stop?.abort();
    },
    forget: async (ask) => {
      if (getState().status !== 'idle') return;
      await guarded(async () => {
        const { settings, sides } = await begin(ask);
        for (const { prepared, records } of sides) {
          await deps.results.forget(runIdOf(prepared));
          records.clear();
        }
        show(ask, settings, sides);
      });
    },
    journal: () => {
      const { run: known } = getState();
      if (!known) return '';
      return journalLine(known.edited.head) + known.edited.records.map(journalLine).join('');
    },
  };
};
