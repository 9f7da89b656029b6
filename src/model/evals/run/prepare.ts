/** A suite made ready to be run, the same for page and terminal: plan, head of its journal, price, and what a case needs. */
import { isObject } from '../../../base/json.ts';
import { searchText } from '../../activation/texts.ts';
import { forecastTurns } from '../../cache/forecast.ts';
import type { Listing } from '../../clients/types.ts';
import type { SessionSettings } from '../../event/catalog.ts';
import { costOf } from '../../provider/cost.ts';
import type { CanonicalRequest, ProviderClient, ToolUseBlock, Usage } from '../../provider/types.ts';
import { firstRequest } from '../../session/session-request.ts';
import type { Shadow } from '../../session/shadow.ts';
import { planSession, type SessionPlan } from '../../session/start.ts';
import type { Suite, TriggerQuery } from '../suite/types.ts';
import type { CaseRecord, JournalHead } from './journal.ts';
import { knownSkills, type KnownSkills } from './loads.ts';
import { planEval, type EvalCase, type EvalPlan, type Shard } from './plan.ts';
import type { CaseDeps, CaseResult } from './run-case.ts';

export interface RunSetting {
  readonly plan: SessionPlan;
  readonly settings: SessionSettings;
  readonly volatile: string;
  /** What an agent calls the skills of its listing; nothing under Lathe's own. */
  readonly listing?: Pick<Listing, 'entries'>;
  /** As the journal names it. */
  readonly listingName: string;
  /** Of the simulator's picks: scale and seed. */
  readonly noise?: string;
  /** Where the provider is reached, if not at its own address: another server is another run. */
  readonly server?: string;
}

export interface RunAsk {
  readonly repeats?: number;
  readonly shard?: Shard;
  readonly isBatch?: boolean;
}

export interface PreparedRun {
  readonly first: CanonicalRequest;
  readonly evalPlan: EvalPlan;
  readonly head: JournalHead;
  readonly deps: { readonly known: KnownSkills; readonly answer: NonNullable<CaseDeps['answer']> };
  /** Nothing where a price or a usage is unknown. */
  readonly usdOf: (result: CaseResult) => number | undefined;
  /** The same without what the model said, as the estimate has it. */
  readonly promptUsdOf: (result: CaseResult) => number | undefined;
}

export const prepareRun = (
  { plan, settings, volatile, listing, listingName, noise, server }: RunSetting,
  suite: Suite,
  name: string,
  ask: RunAsk = {},
): PreparedRun => {
  const { store } = plan.workspace.library;
  // A body that is in the prompt already would not be loaded, and so not be picked.
  const first = firstRequest(planSession({ ...plan, padding: 'off' }), settings, volatile);
  const evalPlan = planEval(suite, first, ask);
  const aliases = new Map(listing?.entries.map(({ path, name: alias }) => [path, alias]));
  const known = knownSkills(
    store.list().map(({ skill, path }) => {
      const alias = aliases.get(path);
      return alias === undefined ? { name: skill.name, path } : { name: skill.name, path, alias };
    }),
  );
  /** Searching is part of picking, so it gets its real answer. */
  const answer = ({ name: tool, input }: ToolUseBlock): string | undefined => {
    if (tool !== 'skill_search' || !isObject(input) || typeof input['query'] !== 'string') return undefined;
    return searchText(input['query'], store.search(input['query']));
  };
  const sumOf = ({ usage, turns }: CaseResult, priced: (usage: Usage) => Usage): number | undefined => {
    if (usage.length < turns) return undefined;
    return usage.reduce<number | undefined>((sum, each) => {
      const part = costOf(priced(each), settings.model, { batch: ask.isBatch === true }).usd;
      return sum === undefined || part === undefined ? undefined : sum + part;
    }, 0);
  };
  return {
    first,
    evalPlan,
    head: {
      format: 'lathe-eval/1',
      suite: name,
      digest: evalPlan.digest,
      provider: settings.provider,
      model: settings.model,
      listing: listingName,
      cases: evalPlan.cases.length,
      ...(noise !== undefined && { noise }),
      ...(server !== undefined && { server }),
      ...(ask.shard && { shard: ask.shard }),
    },
    deps: { known, answer },
    usdOf: (result) => sumOf(result, (usage) => usage),
    // What a provider says it charged is of prompt and answer together.
    promptUsdOf: (result) => sumOf(result, ({ charged: _charged, ...usage }) => ({ ...usage, output: 0 })),
  };
};

/** What is kept of a case. */
export const recordOf = (
  { key, query, repeat }: EvalCase,
  { outcome, loaded, invented, turns, text, said, error }: CaseResult,
  usd: number | undefined,
): CaseRecord => ({
  key,
  query: query.id,
  repeat,
  outcome,
  loaded: [...loaded],
  invented: [...invented],
  turns,
  usd: usd === undefined ? null : Math.round(usd * 1e8) / 1e8,
  text,
  ...(said && { said: [...said] }),
  ...(error && { error: error.message }),
});

export interface Price {
  /** Of the prompts that are still to be sent, once each; nothing where the price is unknown. */
  readonly usd: number | undefined;
  /** What a case, or a row of a batch, can cost at most. */
  readonly worstUsd: number | undefined;
}

export interface PriceDeps {
  readonly shadow: Pick<Shadow, 'measure'>;
  readonly client: Pick<ProviderClient, 'preview'>;
  readonly scope: string;
  readonly now: number;
}

const usageOf = (uncached: number, output: number) => ({
  uncached,
  read: 0,
  writes: {},
  output,
  cacheReported: true,
  partial: false,
});

/** What an answered tool call adds to the next turn beside the model's own output, in tokens. A search can be this long. */
const TOOL_RESULT = 2000;

const lengthOf = ({ query, context }: TriggerQuery): number =>
  context.reduce((sum, turn) => sum + turn.length, query.length);

/** EVR5: the first call writes the prefix, the others read it; in batches nobody promises that. */
export const priceRun = async (
  { first, evalPlan }: PreparedRun,
  settings: SessionSettings,
  left: number,
  isBatch: boolean,
  { shadow, client, scope, now }: PriceDeps,
): Promise<Price> => {
  const queries = evalPlan.queries.toSorted((a, b) => lengthOf(a) - lengthOf(b));
  const measure = ({ query, context }: TriggerQuery) => {
    const { wire, body } = client.preview({
      ...first,
      messages: [{ role: 'user', content: [{ type: 'text', text: [...context, query].join('\n\n') }] }],
    });
    return shadow.measure({
      provider: settings.provider,
      wire,
      model: settings.model,
      body: JSON.stringify(body),
      startedAt: now,
      scope,
      sessionId: 'eval',
    });
  };
  const [middle, longest] = [queries[Math.floor(queries.length / 2)], queries.at(-1)];
  if (!middle || !longest) return { usd: 0, worstUsd: 0 };
  const [call, large] = [await measure(middle), await measure(longest)];
  if (!call || !large) return { usd: undefined, worstUsd: undefined };
  const priced = { batch: isBatch };
  const priceOf = (tokens: number, output: number): number | undefined =>
    costOf(usageOf(tokens, output), settings.model, priced).usd;
  const [writing, reading] = forecastTurns(call, 2, 5000);
  const [most] = forecastTurns(large, 1, 5000);
  const tokensOf = (turn: number): number =>
    (most?.promptTokens ?? 0) + (turn - 1) * (settings.max_output_tokens + TOOL_RESULT);
  /** A cache write is at most twice the price of the prompt. */
  const worstOf = (turn: number): number | undefined => {
    const [prompt, output] = [priceOf(tokensOf(turn), 0), priceOf(0, settings.max_output_tokens)];
    return prompt === undefined || output === undefined ? undefined : 2 * prompt + output;
  };
  // A row of a batch is one turn, at worst the last one.
  const turns = isBatch ? [evalPlan.maxTurns] : Array.from({ length: evalPlan.maxTurns }, (_, index) => index + 1);
  const worstUsd = turns.reduce<number | undefined>((sum, turn) => {
    const one = worstOf(turn);
    return sum === undefined || one === undefined ? undefined : sum + one;
  }, 0);
  if (left === 0) return { usd: 0, worstUsd };
  if (isBatch) {
    const plain = priceOf(writing?.promptTokens ?? 0, 0);
    return { usd: plain === undefined ? undefined : left * plain, worstUsd };
  }
  const usd =
    writing?.usd === undefined || reading?.usd === undefined ? undefined : writing.usd + (left - 1) * reading.usd;
  return { usd, worstUsd };
};
