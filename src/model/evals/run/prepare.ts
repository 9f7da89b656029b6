/** A suite made ready to be run, the same for page and terminal: plan, head of its journal, price, and what a case needs. */
import { isObject } from '../../../base/json.ts';
import { searchText } from '../../activation/texts.ts';
import { forecastTurns } from '../../cache/forecast.ts';
import type { Listing } from '../../clients/types.ts';
import type { SessionSettings } from '../../event/catalog.ts';
import { costOf } from '../../provider/cost.ts';
import { promptTokens, type CanonicalRequest, type ProviderClient, type ToolUseBlock } from '../../provider/types.ts';
import { firstRequest } from '../../session/session-request.ts';
import type { Shadow } from '../../session/shadow.ts';
import { planSession, type SessionPlan } from '../../session/start.ts';
import type { Suite } from '../suite/types.ts';
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
}

export const prepareRun = (
  { plan, settings, volatile, listing, listingName, noise }: RunSetting,
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
  const usdOf = ({ usage, turns }: CaseResult): number | undefined => {
    if (usage.length < turns) return undefined;
    return usage.reduce<number | undefined>((sum, each) => {
      const part = costOf(each, settings.model, { batch: ask.isBatch === true }).usd;
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
      ...(noise !== undefined && { noise }),
      ...(ask.shard && { shard: ask.shard }),
    },
    deps: { known, answer },
    usdOf,
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

const uncachedUsage = (tokens: number, output: number) => ({
  uncached: tokens,
  read: 0,
  writes: {},
  output,
  cacheReported: true,
  partial: false,
});

/** EVR5: the first call writes the prefix, the others read it; in batches nobody promises that. */
export const priceRun = async (
  { first, evalPlan }: PreparedRun,
  settings: SessionSettings,
  left: number,
  isBatch: boolean,
  { shadow, client, scope, now }: PriceDeps,
): Promise<Price> => {
  const query = evalPlan.cases[0]?.query.query ?? '';
  const { wire, body } = client.preview({
    ...first,
    messages: [{ role: 'user', content: [{ type: 'text', text: query }] }],
  });
  const call = await shadow.measure({
    provider: settings.provider,
    wire,
    model: settings.model,
    body: JSON.stringify(body),
    startedAt: now,
    scope,
    sessionId: 'eval',
  });
  if (!call) return { usd: undefined, worstUsd: undefined };
  const [writing, reading] = forecastTurns(call, 2, 5000);
  const tokens = writing ? promptTokens(uncachedUsage(writing.promptTokens, 0)) : 0;
  const priced = { batch: isBatch };
  const worst = costOf(uncachedUsage(tokens, settings.max_output_tokens), settings.model, priced).usd;
  // A cache write is at most twice the price of the prompt; a row of a batch is one turn.
  const worstUsd = worst === undefined ? undefined : 2 * worst * (isBatch ? 1 : evalPlan.maxTurns);
  const plain = costOf(uncachedUsage(tokens, 0), settings.model, priced).usd;
  if (left === 0) return { usd: 0, worstUsd };
  if (isBatch) return { usd: plain === undefined ? undefined : left * plain, worstUsd };
  const usd =
    writing?.usd === undefined || reading?.usd === undefined ? undefined : writing.usd + (left - 1) * reading.usd;
  return { usd, worstUsd };
};
