/** Executors that nobody uses, or that fail, step back by the dates in the audit. A person can bring them back (L3). */
import { percent } from '../../base/figures.ts';
import type { AuditEntry } from './audit.ts';

export type Age = 'active' | 'deprecated' | 'archived';

export interface AgeFacts {
  readonly state: Age;
  readonly reason: string;
  readonly calls: number;
  /** Of the calls that could run; nothing without any. */
  readonly successRate: number | undefined;
  /** Seconds since 1970. */
  readonly lastUsed: number | undefined;
}

export interface AgeInput {
  readonly name: string;
  /** Seconds since 1970, all of them. */
  readonly importedAt: number;
  /** A person brought it back then: everything before does not count. */
  readonly revivedAt?: number;
  readonly entries: readonly AuditEntry[];
  readonly now: number;
}

const DAY = 86_400;
const UNUSED_DAYS = 30;
const ARCHIVE_DAYS = 14;
const MIN_CALLS = 100;
const LOW_RATE = 0.2;
const LAST_CALLS = 30;
const LAST_RATE = 0.05;

const rateOf = (entries: readonly AuditEntry[]): number =>
  entries.filter(({ outcome }) => outcome === 'ok').length / entries.length;

export const ageOf = ({ name, importedAt, revivedAt, entries, now }: AgeInput): AgeFacts => {
  const since = Math.max(importedAt, revivedAt ?? 0);
  const own = entries
    .filter(
      (entry) =>
        entry.executor_name === name && entry.ts >= since && (entry.outcome === 'ok' || entry.outcome === 'error'),
    )
    .toSorted((a, b) => a.ts - b.ts);
  const lastUsed = own.at(-1)?.ts;
  const facts = { calls: own.length, successRate: own.length === 0 ? undefined : rateOf(own), lastUsed };
  const idle = Math.floor((now - (lastUsed ?? since)) / DAY);
  if (idle >= UNUSED_DAYS + ARCHIVE_DAYS) return { ...facts, state: 'archived', reason: `not used for ${idle} days` };
  if (own.length >= MIN_CALLS && rateOf(own) < LOW_RATE) {
    const further = own.slice(MIN_CALLS);
    if (further.length >= LAST_CALLS && rateOf(further) < LAST_RATE)
      return { ...facts, state: 'archived', reason: `${further.length} more calls, and almost none succeeded` };
    return {
      ...facts,
      state: 'deprecated',
      reason: `only ${percent(rateOf(own))} of ${own.length} calls succeeded`,
    };
  }
  if (idle >= UNUSED_DAYS) return { ...facts, state: 'deprecated', reason: `not used for ${idle} days` };
  return { ...facts, state: 'active', reason: own.length === 0 ? 'not used yet' : 'in use' };
};
