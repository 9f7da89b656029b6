/** From requests with their verdicts to what was paid, what was necessary, and what a change would have saved (LED1 to LED7). */
import { costOf, type CostOptions } from '../provider/cost.ts';
import type { CauseSum, Change, Ledger, LedgerItem, LedgerVerdict, Sum } from './types.ts';

/** The share of what was avoidable that counts as most of it. */
const MOST = 0.8;

interface Bill {
  readonly paid: number | undefined;
  readonly avoidable: number | undefined;
}

const isLoss = (verdict: LedgerVerdict | undefined): verdict is LedgerVerdict =>
  (verdict?.kind === 'miss' || verdict?.kind === 'waste') && verdict.lostTokens > 0;

const billOf = ({ usage, model, verdict, repaired }: LedgerItem, options: CostOptions): Bill => {
  const paid = usage && costOf(usage, model, options).usd;
  if (!repaired && !isLoss(verdict)) return { paid, avoidable: paid === undefined ? undefined : 0 };
  // What a provider charged can be less than the price book says was lost.
  const lost = repaired ? repaired.usd : verdict?.lostUsd;
  return { paid, avoidable: lost === undefined || paid === undefined ? undefined : Math.min(Math.max(0, lost), paid) };
};

/** Paid for a request, before any what-if. */
export const paidFor = (item: LedgerItem, options: CostOptions = {}): number | undefined => billOf(item, options).paid;

const sumOf = (amounts: readonly (number | undefined)[]): Sum => {
  const known = amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0);
  const unknown = amounts.filter((amount) => amount === undefined).length;
  return { usd: unknown === 0 ? known : undefined, known, unknown };
};

/** `messages[12].content[0]` and `messages[14].content[3]` are one place: the conversation. */
const placeOf = (place: string): string => (/^(?:messages|input)\b/.test(place) ? 'messages' : place);

interface Lost {
  readonly item: LedgerItem;
  readonly cause: string;
  readonly place: string;
  readonly repair: string;
  readonly tokens: number;
  readonly avoidable: number | undefined;
}

/** Of a request without a bill nobody knows what was paid for it, so nothing is proven. */
const lostBy = (item: LedgerItem, avoidable: number | undefined): Lost | undefined => {
  const { verdict, repaired, usage } = item;
  if (!usage) return undefined;
  if (isLoss(verdict))
    return {
      item,
      cause: verdict.cause,
      place: placeOf(verdict.place),
      repair: verdict.repair,
      tokens: verdict.lostTokens,
      avoidable,
    };
  // A change can make requests cheaper that lost nothing.
  return repaired && { item, cause: repaired.cause, place: placeOf(repaired.place), repair: '', tokens: 0, avoidable };
};

const byWorth = (a: CauseSum, b: CauseSum): number => b.avoidable.known - a.avoidable.known || b.tokens - a.tokens;

const grouped = (lost: readonly Lost[], keyOf: (one: Lost) => string): readonly (readonly Lost[])[] => {
  const groups = new Map<string, Lost[]>();
  for (const one of lost) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
};

const causeSum = (group: readonly Lost[]): CauseSum => ({
  cause: group[0]?.cause ?? '',
  requests: group.length,
  tokens: group.reduce((sum, { tokens }) => sum + tokens, 0),
  avoidable: sumOf(group.map(({ avoidable }) => avoidable)),
});

const changeOf = (group: readonly Lost[]): Change => {
  const [worst] = group.toSorted(
    (a, b) =>
      Number(b.tokens > 0) - Number(a.tokens > 0) || (b.avoidable ?? 0) - (a.avoidable ?? 0) || b.tokens - a.tokens,
  );
  const change = worst?.item.repaired?.change;
  return {
    ...causeSum(group),
    cause: worst?.cause ?? '',
    place: worst?.place ?? '',
    repair: worst?.repair ?? '',
    worst: worst?.item.key ?? '',
    ...(change !== undefined && { change }),
  };
};

/** All requests that one change repairs are one row; without one, a cause at one place. */
const changeKey = ({ item: { repaired }, cause, place }: Lost): string => repaired?.change ?? `${cause} ${place}`;

const enoughOf = (changes: readonly Change[], total: number): number => {
  let sum = 0;
  const last = changes.findIndex(({ avoidable }) => (sum += avoidable.known) >= total * MOST);
  return total > 0 ? last + 1 : 0;
};

export const ledgerOf = (items: readonly LedgerItem[], options: CostOptions = {}): Ledger => {
  const isRefused = ({ isFailed, usage }: LedgerItem): boolean => isFailed && !usage;
  const billed = items.filter((item) => !isRefused(item));
  const bills = billed.map((item) => billOf(item, options));
  const lost = billed.flatMap((item, index) => lostBy(item, bills[index]?.avoidable) ?? []);
  const avoidable = sumOf(bills.map((bill) => bill.avoidable));
  const changes = grouped(lost, changeKey).map(changeOf).toSorted(byWorth);
  return {
    requests: items.length,
    failed: items.length - billed.length,
    unjudged: billed.filter(({ usage, verdict }) => usage && (verdict === undefined || verdict.kind === 'unknown'))
      .length,
    paid: sumOf(bills.map(({ paid }) => paid)),
    necessary: sumOf(
      bills.map((bill) =>
        bill.paid === undefined || bill.avoidable === undefined ? undefined : bill.paid - bill.avoidable,
      ),
    ),
    avoidable,
    lostTokens: lost.reduce((sum, { tokens }) => sum + tokens, 0),
    causes: grouped(lost, ({ cause }) => cause)
      .map(causeSum)
      .toSorted(byWorth),
    changes,
    enough: enoughOf(changes, avoidable.known),
  };
};

/** One ledger for each group, in the order of their first request. */
export const ledgersBy = <T extends LedgerItem>(
  items: readonly T[],
  keyOf: (item: T) => string,
  options: CostOptions = {},
): readonly { readonly key: string; readonly ledger: Ledger }[] => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups].map(([key, group]) => ({ key, ledger: ledgerOf(group, options) }));
};

/** The UTC day of a request; `unknown` where the recording has no times. */
export const dayOf = ({ startedAt }: Pick<LedgerItem, 'startedAt'>): string =>
  startedAt === undefined ? 'unknown' : new Date(startedAt).toISOString().slice(0, 10);
