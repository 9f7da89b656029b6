/** The verdicts of many requests, added up. */
import type { WaterfallRow } from './waterfall-view.ts';

export interface LedgerSum {
  readonly lostTokens: number;
  /** Unknown as soon as one of them is. */
  readonly lostUsd: number | null;
  /** How many different causes lost something. */
  readonly causes: number;
}

export const ledgerSum = (rows: readonly Pick<WaterfallRow, 'verdict'>[]): LedgerSum => {
  const lost = rows.flatMap(({ verdict }) => (verdict && verdict.lost_tokens > 0 ? [verdict] : []));
  return {
    lostTokens: lost.reduce((sum, { lost_tokens }) => sum + lost_tokens, 0),
    lostUsd: lost.reduce<number | null>(
      (sum, { lost_usd }) => (sum === null || lost_usd === null ? null : sum + lost_usd),
      0,
    ),
    causes: new Set(lost.map(({ cause }) => cause)).size,
  };
};
