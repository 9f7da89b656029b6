/** Two runs of one suite, for people and machines. */
import { percent, signedPercent } from '../../base/figures.ts';
import type { RunComparison } from '../../model/evals/compare-runs.ts';
import { differenceWords, moreWords, VERDICT_WORDS } from '../../model/evals/words.ts';
import { visible, type Paint } from './terminal-text.ts';

export const humanComparison = ({ overall, queries, sideEffects }: RunComparison, paint: Paint): string => {
  if (!overall) return 'Nothing to compare. No query was run and judged in both.\n';
  const { verdict, floor } = overall;
  const lines = [
    `${paint.bold(VERDICT_WORDS[verdict])}: ${differenceWords(overall)}`,
    `  Two runs of one version differ by up to ${percent(floor)}.`,
  ];
  if (verdict === 'cannot-tell') lines.push(`  ${moreWords(overall)}`);
  for (const { query, before, after } of queries)
    lines.push(
      `  ${before.hits}/${before.runs} → ${after.hits}/${after.runs}  ${visible(query.query.replace(/\s+/g, ' ').slice(0, 90))}`,
    );
  for (const { skill, difference: change, p: chance } of sideEffects)
    lines.push(
      paint.yellow(`  Side effect: ${visible(skill)} is picked ${signedPercent(change)} (p = ${chance.toFixed(4)}).`),
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
