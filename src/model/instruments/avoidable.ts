/** What a request could have saved, for every panel that says so: the forecast of its repair, else what its verdict lost. */
import { isRepairable } from '../whatif/repairs.ts';
import type { Repaired } from '../ledger/types.ts';
import { verdictKind } from '../event/verdict-kind.ts';
import { isLoss, type WaterfallRow } from './waterfall-view.ts';

/** What the repairs of so many requests save, by the keys of their rows. */
export interface Weighed {
  readonly requests: number;
  readonly repairs: ReadonlyMap<string, Repaired>;
}

export type Avoidable =
  /** Nobody has forecast it yet. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'unknown' }
  /** `lost` is what the verdict says; the difference is what the change costs elsewhere. */
  | { readonly kind: 'known'; readonly usd: number; readonly lost: number };

/** Whether a switch of the what-if repairs it, so that its saving is to be forecast. */
export const needsForecast = ({ verdict, usage }: Pick<WaterfallRow, 'verdict' | 'usage'>): boolean =>
  usage !== undefined &&
  verdict !== undefined &&
  isRepairable({
    kind: verdictKind(verdict),
    cause: verdict.cause,
    place: verdict.position?.label ?? '',
    lostUsd: verdict.lost_usd ?? undefined,
  });

export const finishedRows = (rows: readonly WaterfallRow[]): number =>
  rows.filter(({ status }) => status !== 'running').length;

/** The request lost something, and its repair costs as much elsewhere: there is nothing to advise. */
export const savesNothing = (avoidable: Avoidable): boolean =>
  avoidable.kind === 'known' && avoidable.usd === 0 && avoidable.lost > 0;

/** `requests`: how many are finished now. */
export const avoidableOf = (row: WaterfallRow, weighed: Weighed | undefined, requests: number): Avoidable => {
  const { verdict, costUsd } = row;
  if (!verdict || !isLoss(row)) return { kind: 'known', usd: 0, lost: 0 };
  const lost = verdict.lost_usd;
  if (lost === null) return { kind: 'unknown' };
  const own = weighed?.repairs.get(row.key);
  // Of the previous session there is no forecast here.
  if (!own && row.source !== 'earlier' && needsForecast(row) && weighed?.requests !== requests)
    return { kind: 'pending' };
  return { kind: 'known', usd: Math.min(Math.max(0, own?.usd ?? lost), costUsd ?? Infinity), lost };
};
