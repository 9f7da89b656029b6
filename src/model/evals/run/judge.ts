/** What one run shows of its query. */
import type { StopReason } from '../../provider/types.ts';
import type { TriggerQuery } from '../suite/types.ts';

export const OUTCOMES = ['loaded', 'bypassed', 'refused', 'cut', 'limit', 'error'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The rest says nothing about which skill is picked (EVJ3). */
export const isDecided = (outcome: Outcome): boolean =>
  outcome === 'loaded' || outcome === 'bypassed' || outcome === 'limit';

/** What ends a turn without a call. */
export const outcomeOfStop = (stop: StopReason): Outcome =>
  stop === 'refusal' ? 'refused' : stop === 'max_tokens' ? 'cut' : 'bypassed';

export type QueryLabel = Pick<TriggerQuery, 'expect' | 'all' | 'forbid' | 'allow'>;

/** What counts of the loads. */
const countedLoads = (loaded: readonly string[], { allow }: QueryLabel): readonly string[] =>
  loaded.filter((skill) => !allow.includes(skill));

/** Whether a run can end: its loads have decided it (EVJ2). */
export const isSettled = (loaded: readonly string[], label: QueryLabel): boolean => {
  const counted = countedLoads(loaded, label);
  if (counted.length === 0) return false;
  const isWrong = counted.some((skill) => label.forbid.includes(skill) || !(label.expect ?? counted).includes(skill));
  return isWrong || !label.all || (label.expect ?? []).every((skill) => counted.includes(skill));
};

/** Nothing where the run decides nothing, or the query has no label (EVJ4). */
export const isRight = (outcome: Outcome, loaded: readonly string[], label: QueryLabel): boolean | undefined => {
  if (!isDecided(outcome)) return undefined;
  const counted = countedLoads(loaded, label);
  if (counted.some((skill) => label.forbid.includes(skill))) return false;
  const { expect } = label;
  if (expect === undefined) return label.forbid.length > 0 ? true : undefined;
  if (expect.length === 0) return counted.length === 0;
  return label.all ? expect.every((skill) => counted.includes(skill)) : expect.some((skill) => counted.includes(skill));
};
