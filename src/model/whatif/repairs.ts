/** What repairing the causes of a recording saves, request by request: the avoidable of the ledger (WIF22). */
import { paidFor } from '../ledger/ledger.ts';
import type { LedgerItem, LedgerVerdict, Repaired } from '../ledger/types.ts';
import { repairOf } from './answer.ts';
import { movables } from './move.ts';
import type { Prepared } from './prepare.ts';
import { unavailable } from './switches.ts';
import type { Policy, Switch } from './types.ts';
import { forecastAmounts } from './whatif.ts';

/** Changes that are weighed at most; what is after them keeps what its verdict says. */
const MOST_CHANGES = 12;
/** Less than this is a rounding error of sums. */
const NOTHING = 1e-12;

interface Lossy {
  readonly item: LedgerItem;
  readonly verdict: LedgerVerdict;
  readonly lostUsd: number;
}

interface Candidate {
  readonly change: string;
  readonly policy: Policy;
  readonly losses: readonly Lossy[];
}

/** Whether a switch repairs what the verdict says was lost. */
export const isRepairable = ({
  kind,
  cause,
  place,
  lostUsd = 0,
}: Omit<LedgerVerdict, 'repair' | 'lostTokens'>): boolean =>
  (kind === 'miss' || kind === 'waste') && lostUsd > 0 && repairOf(cause, place) !== undefined;

type Amounts = ReadonlyMap<string, number>;

const together = (a: Policy, b: Policy): Policy => ({
  ...a,
  ...b,
  ...(a.move && b.move && { move: [...new Set([...a.move, ...b.move])].toSorted() }),
});

/** Only what the recording can answer: of everything else the verdict is all that is known. */
const isAnswered = (prepared: Prepared, policy: Policy, places: ReadonlySet<string>): boolean =>
  (Object.keys(policy) as Switch[]).every((name) => unavailable(prepared, name) === undefined) &&
  (policy.move ?? []).every((place) => places.has(place));

/** Losses of requests whose body is known, by the change that repairs them; the largest first. */
const candidatesOf = (prepared: Prepared, items: readonly LedgerItem[]): readonly Candidate[] => {
  const known = new Set(prepared.calls.flatMap(({ key, step }) => (step ? [key] : [])));
  const places = new Set(movables(prepared.steps).map(({ label }) => label));
  const found = new Map<string, { readonly policy: Policy; readonly losses: Lossy[] }>();
  for (const item of items) {
    const { verdict, usage, key } = item;
    if (!usage || !verdict || !known.has(key) || !isRepairable(verdict)) continue;
    const { lostUsd = 0, cause, place } = verdict;
    const policy = repairOf(cause, place);
    if (!policy || !isAnswered(prepared, policy, places)) continue;
    const change = JSON.stringify(policy);
    const candidate = found.get(change) ?? { policy, losses: [] };
    candidate.losses.push({ item, verdict, lostUsd });
    found.set(change, candidate);
  }
  const lostIn = ({ losses }: Pick<Candidate, 'losses'>): number =>
    losses.reduce((sum, { lostUsd }) => sum + lostUsd, 0);
  return [...found]
    .map(([change, { policy, losses }]): Candidate => ({ change, policy, losses }))
    .toSorted((a, b) => lostIn(b) - lostIn(a))
    .slice(0, MOST_CHANGES);
};

/** Of requests that both forecasts have an amount for. */
const savedBetween = (before: Amounts, after: Amounts): number =>
  [...before].reduce((sum, [key, usd]) => sum + usd - (after.get(key) ?? usd), 0);

/** An amount over weights, to each at most what it has room for; gives back what no room was left for. */
const spread = (
  amount: number,
  weights: Amounts,
  room: Map<string, number>,
  give: (key: string, usd: number) => void,
): number => {
  let [left, open] = [amount, [...weights].filter(([, weight]) => weight > 0)];
  while (left > NOTHING && open.length > 0) {
    const sum = open.reduce((all, [, weight]) => all + weight, 0);
    const now = left;
    for (const [key, weight] of open) {
      const has = room.get(key) ?? 0;
      const usd = Math.min(has, (now * weight) / sum);
      room.set(key, has - usd);
      give(key, usd);
      left -= usd;
    }
    const more = open.filter(([key]) => (room.get(key) ?? 0) > NOTHING);
    if (more.length === open.length) break;
    open = more;
  }
  return left;
};

/**
 * The saving of each change beside those that save more, spread over the requests whose verdict it repairs; what they were not billed
 * is spread over the others that it makes cheaper. By key; a request that no switch repairs has none.
 */
const weighed = async (prepared: Prepared, items: readonly LedgerItem[]): Promise<ReadonlyMap<string, Repaired>> => {
  const candidates = candidatesOf(prepared, items);
  const repaired = new Map<string, Repaired>();
  if (candidates.length === 0) return repaired;
  const nothing = await forecastAmounts(prepared, {});
  const alone: { readonly candidate: Candidate; readonly saves: number }[] = [];
  for (const candidate of candidates)
    alone.push({ candidate, saves: savedBetween(nothing, await forecastAmounts(prepared, candidate.policy)) });

  const owned = new Set(candidates.flatMap(({ losses }) => losses.map(({ item }) => item.key)));
  // What a verdict without a switch says was lost stays avoidable as it is.
  const room = new Map(
    items.flatMap((item): readonly (readonly [string, number])[] => {
      const paid = paidFor(item, prepared.book ? { book: prepared.book } : {});
      const { kind } = item.verdict ?? {};
      const isOther = !owned.has(item.key) && (kind === 'miss' || kind === 'waste');
      return paid === undefined || isOther ? [] : [[item.key, paid]];
    }),
  );
  const share = (group: readonly Candidate[], saves: number, before: Amounts, after: Amounts): void => {
    const [first] = group;
    const losses = group.flatMap(({ change, losses: own }) => own.map((loss) => ({ change, loss })));
    const [worst] = losses.toSorted((a, b) => b.loss.lostUsd - a.loss.lostUsd);
    if (!first || !worst) return;
    const { cause, place } = worst.loss.verdict;
    for (const { change, loss } of losses)
      repaired.set(loss.item.key, { change, cause: loss.verdict.cause, place: loss.verdict.place, usd: 0 });
    const give = (key: string, usd: number): void => {
      if (usd <= 0) return;
      const own = repaired.get(key) ?? { change: first.change, cause, place, usd: 0 };
      repaired.set(key, { ...own, usd: own.usd + usd });
    };
    const weights = new Map(losses.map(({ loss }) => [loss.item.key, loss.lostUsd]));
    const left = spread(Math.max(0, saves), weights, room, give);
    const cheaper = new Map(
      [...before].flatMap(([key, usd]): readonly (readonly [string, number])[] => {
        const less = usd - (after.get(key) ?? usd);
        // One request has one change: what another one repairs is its own.
        return less > 0 && !repaired.has(key) && !owned.has(key) ? [[key, less]] : [];
      }),
    );
    spread(left, cheaper, room, give);
  };

  let [policy, amounts]: [Policy, Amounts] = [{}, nothing];
  const rest: Candidate[] = [];
  for (const { candidate } of alone.toSorted((a, b) => b.saves - a.saves)) {
    const next = together(policy, candidate.policy);
    const changed = await forecastAmounts(prepared, next);
    const saves = savedBetween(amounts, changed);
    if (saves <= NOTHING) {
      rest.push(candidate);
      continue;
    }
    share([candidate], saves, amounts, changed);
    [policy, amounts] = [next, changed];
  }
  if (rest.length > 0) {
    // Changes that save nothing one by one can save together: each waits for the other.
    const all = await forecastAmounts(
      prepared,
      rest.reduce((sum, candidate) => together(sum, candidate.policy), policy),
    );
    share(rest, savedBetween(amounts, all), amounts, all);
  }
  return repaired;
};

/** Nothing is prepared where no verdict leads to a switch. */
export const repairsOf = async (
  items: readonly LedgerItem[],
  prepare: () => Promise<Prepared>,
): Promise<ReadonlyMap<string, Repaired>> =>
  items.some(({ verdict }) => verdict && isRepairable(verdict)) ? weighed(await prepare(), items) : new Map();
