/** Explained calls as items of a ledger. */
import type { Explained } from '../traffic/explainer.ts';
import { ledgersBy, ledgerOf, dayOf } from './ledger.ts';
import type { Ledger, LedgerItem, Repaired } from './types.ts';
import type { CostOptions } from '../provider/cost.ts';

export interface ExplainedItem extends LedgerItem {
  readonly file: string;
  readonly chain: string;
  readonly chainKind: string;
}

/** With what switches save, once somebody has forecast it. */
export const withRepairs = <T extends LedgerItem>(
  items: readonly T[],
  repairs: ReadonlyMap<string, Repaired>,
): readonly T[] =>
  repairs.size === 0
    ? items
    : items.map((item) => {
        const repaired = repairs.get(item.key);
        return repaired ? Object.assign({}, item, { repaired }) : item;
      });

/** Keys count the calls as the recording has them, from 1. */
export const ledgerItems = (explained: readonly Explained[]): readonly ExplainedItem[] =>
  explained.map(({ call, chain, verdict }, index) => ({
    key: String(index + 1),
    model: call.model,
    usage: call.usage,
    isFailed: call.failed === true,
    startedAt: call.isTimeless === true ? undefined : call.startedAt,
    verdict: {
      kind: verdict.kind,
      cause: verdict.cause,
      place: verdict.position?.label ?? '',
      repair: verdict.repair,
      lostTokens: verdict.tokensLost,
      lostUsd: verdict.costLost,
    },
    file: call.source?.file ?? '',
    chain: chain.id,
    chainKind: chain.kind,
  }));

export interface NamedLedger {
  readonly name: string;
  readonly ledger: Ledger;
}

export interface Ledgers {
  readonly total: Ledger;
  readonly sources: readonly NamedLedger[];
  readonly chains: readonly (NamedLedger & { readonly kind: string })[];
  readonly days: readonly NamedLedger[];
}

const named = ({ key, ledger }: { readonly key: string; readonly ledger: Ledger }): NamedLedger => ({
  name: key,
  ledger,
});

/** All of them, and those of each file, conversation, and day. */
export const ledgersOf = (items: readonly ExplainedItem[], options: CostOptions = {}): Ledgers => {
  const kinds = new Map(items.map(({ chain, chainKind }) => [chain, chainKind]));
  return {
    total: ledgerOf(items, options),
    sources: ledgersBy(items, ({ file }) => file, options).map(named),
    chains: ledgersBy(items, ({ chain }) => chain, options).map(({ key, ledger }) => ({
      name: key,
      ledger,
      kind: kinds.get(key) ?? 'main',
    })),
    days: ledgersBy(items, dayOf, options)
      .map(named)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
};
