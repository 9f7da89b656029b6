/** When a comparison may be looked at before it is complete, so that looking early costs no false alarms. */
import { compareVersions, type Comparison, type Pair } from './compare.ts';

/** O'Brien–Fleming levels for five equal looks, two-sided 5%, on the exact p value. */
export const FIVE_LOOKS = [0.000005, 0.0013, 0.0084, 0.0225, 0.0413] as const;
const ONE_LOOK = [0.05] as const;

export interface LookPlan {
  readonly levels: readonly number[];
  /** Repeats of every query and version at the last look. */
  readonly repeats: number;
}

/** Five looks if the repeats divide into five rounds, else one. */
export const planLooks = (repeats: number, isWhole = true): LookPlan => ({
  levels: isWhole && repeats % FIVE_LOOKS.length === 0 ? FIVE_LOOKS : ONE_LOOK,
  repeats,
});

/** The repeats that a look is taken after. */
export const repeatsAt = ({ levels, repeats }: LookPlan, look: number): number =>
  (repeats / levels.length) * (look + 1);

export interface Look {
  readonly comparison: Comparison;
  /** From 0. */
  readonly look: number;
  readonly isLast: boolean;
}

/** The comparison at a look of the plan; nothing where the runs are not those of a look. */
export const lookAt = (plan: LookPlan, pairs: readonly Pair[]): Look | undefined => {
  const counts = new Set(pairs.flatMap(({ before, after }) => [before.runs, after.runs]));
  const [runs] = counts;
  if (counts.size !== 1 || runs === undefined) return undefined;
  const look = plan.levels.findIndex((_, index) => repeatsAt(plan, index) === runs);
  if (look < 0) return undefined;
  const comparison = compareVersions(pairs, plan.levels[look]);
  return comparison && { comparison, look, isLast: look === plan.levels.length - 1 };
};
