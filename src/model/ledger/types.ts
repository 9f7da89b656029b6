/** What requests cost, and how much of it could have been avoided. `SPEC.md` has the rules. */
import type { VerdictKind } from '../cache/explain/types.ts';
import type { Usage } from '../provider/types.ts';

/** A request with its verdict: of a recording, a session, or a journal. */
export interface LedgerItem {
  readonly key: string;
  readonly model: string;
  /** Absent: not reported. */
  readonly usage: Usage | undefined;
  /** The provider refused: nothing was billed. */
  readonly isFailed: boolean;
  /** Milliseconds since 1970; absent where the recording has no times. */
  readonly startedAt: number | undefined;
  readonly verdict: LedgerVerdict | undefined;
  /** What a switch saves here; absent where no switch repairs the verdict. */
  readonly repaired?: Repaired;
}

/** The share of a request in what a change saves, by the forecast (`model/whatif`). */
export interface Repaired {
  /** Requests with the same name are repaired by the same change. */
  readonly change: string;
  readonly cause: string;
  /** Of its verdict. */
  readonly place: string;
  readonly usd: number;
}

export interface LedgerVerdict {
  readonly kind: VerdictKind;
  readonly cause: string;
  /** Where it went wrong, such as `system[0]`; empty where the cause has no place. */
  readonly place: string;
  readonly repair: string;
  readonly lostTokens: number;
  /** Absent: the price is unknown. */
  readonly lostUsd: number | undefined;
}

/** An amount of money. It is unknown as soon as a part of it is; `known` is the sum of the other parts. */
export interface Sum {
  readonly usd: number | undefined;
  readonly known: number;
  /** How many requests have no known amount. */
  readonly unknown: number;
}

export interface CauseSum {
  readonly cause: string;
  readonly requests: number;
  /** Tokens that could have been read. */
  readonly tokens: number;
  readonly avoidable: Sum;
}

/** One thing to change: a cause at one place. */
export interface Change extends CauseSum {
  readonly place: string;
  /** The advice of its most expensive request. */
  readonly repair: string;
  /** That request. */
  readonly worst: string;
  /** The name of the change, where its amount is what a switch saves. */
  readonly change?: string;
}

export interface Ledger {
  readonly requests: number;
  /** Refused by the provider, and not billed. */
  readonly failed: number;
  /** Billed, but nobody knows whether anything was missed. */
  readonly unjudged: number;
  readonly paid: Sum;
  readonly necessary: Sum;
  readonly avoidable: Sum;
  readonly lostTokens: number;
  /** Most expensive first. */
  readonly causes: readonly CauseSum[];
  /** The one that would have saved most first. */
  readonly changes: readonly Change[];
  /** How many of the first changes make up most of what was avoidable. */
  readonly enough: number;
}
