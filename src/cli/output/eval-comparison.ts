/** Two runs of one suite, for people and machines. */
import { plural } from '../../base/text.ts';
import type { RunComparison } from '../../model/evals/compare-runs.ts';
import type { Comparison } from '../../model/evals/statistics/compare.ts';
import { visible, type Paint } from './terminal-text.ts';

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.round(Math.abs(value) * 100)}%`;

const VERDICTS = { better: 'Better', worse: 'Worse', 'cannot-tell': 'Cannot tell' } as const;

/** What would tell, in one sentence. */
const more = ({ more: needed, changed, neededChanged, queries }: Comparison): string => {
  const why =
    changed < neededChanged
      ? `Only ${plural(changed, 'query', 'queries')} changed; the test needs at least ${neededChanged}.`
      : 'The difference may be chance.';
  if (!needed) return `${why} No difference was seen.`;
  const repeats = needed.repeats === undefined ? '' : `, or ${needed.repeats} runs of each of the ${queries}`;
  return `${why} About ${needed.queries} queries${repeats} would tell a difference of this size. Start a new comparison for that.`;
};

export const humanComparison = ({ overall, queries, sideEffects }: RunComparison, paint: Paint): string => {
  if (!overall) return 'There is nothing to compare: no query was run and judged in both.\n';
  const { verdict, difference, low, high, p, floor } = overall;
  const lines = [
    `${paint.bold(VERDICTS[verdict])}: ${signed(difference)} right (${signed(low)} to ${signed(high)}, p = ${p < 0.001 ? p.toExponential(1) : p.toFixed(3)}) over ${plural(overall.queries, 'query', 'queries')}`,
    `  Two runs of one version differ by up to ${Math.round(floor * 100)}%.`,
  ];
  if (verdict === 'cannot-tell') lines.push(`  ${more(overall)}`);
  for (const { query, before, after } of queries)
    lines.push(
      `  ${before.hits}/${before.runs} → ${after.hits}/${after.runs}  ${visible(query.query.replace(/\s+/g, ' ').slice(0, 90))}`,
    );
  for (const { skill, difference: change, p: chance } of sideEffects)
    lines.push(
      paint.yellow(`  Side effect: ${visible(skill)} is picked ${signed(change)} (p = ${chance.toFixed(4)}).`),
    );
  return `${lines.join('\n')}\n`;
};

export const comparisonJson = ({ overall, queries, sideEffects }: RunComparison) => ({
  verdict: overall?.verdict ?? null,
  difference: overall?.difference ?? null,
  low: overall?.low ?? null,
  high: overall?.high ?? null,
  p: overall?.p ?? null,
  queries: overall?.queries ?? 0,
  changed: overall?.changed ?? 0,
  needed_changed: overall?.neededChanged ?? null,
  floor: overall?.floor ?? null,
  more: overall?.more ?? null,
  cases: queries.map(({ query, before, after }) => ({ id: query.id, query: query.query, before, after })),
  side_effects: sideEffects,
});
