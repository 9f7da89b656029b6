/** The rows in front as items of the ledger. */
import { verdictKind } from '../event/verdict-kind.ts';
import type { LedgerItem } from '../ledger/types.ts';
import type { Usage } from '../provider/types.ts';
import type { WaterfallRow } from './waterfall-view.ts';

type Row = Pick<WaterfallRow, 'key' | 'model' | 'status' | 'startedAt' | 'verdict'>;

/** Requests that are on their way have no bill yet, and are left out. */
export const rowItems = (rows: readonly Row[], usageOf: (key: string) => Usage | undefined): readonly LedgerItem[] =>
  rows
    .filter(({ status }) => status !== 'running')
    .map(({ key, model, status, startedAt, verdict }): LedgerItem => ({
      key,
      model,
      usage: usageOf(key),
      isFailed: status === 'failed',
      startedAt,
      verdict: verdict && {
        kind: verdictKind(verdict),
        cause: verdict.cause,
        place: verdict.position?.label ?? '',
        repair: verdict.repair,
        lostTokens: verdict.lost_tokens,
        lostUsd: verdict.lost_usd ?? undefined,
      },
    }));
