/** The results of `lathe eval` for programs. */
import { skillReports } from '../../model/evals/skill-report.ts';
import { jsonDocument } from './json-document.ts';
import { rateOf, type Count, type Rate } from '../../model/evals/statistics/rates.ts';
import type { QueryReport } from '../../model/evals/report.ts';
import type { SuiteReport } from './eval-report.ts';

const rateJson = (rate: Rate | undefined) => ({
  rate: rate?.rate ?? null,
  low: rate?.low ?? null,
  high: rate?.high ?? null,
});

const sideJson = ({ hits, runs }: Count, rate: Rate | undefined) => ({ picked: hits, runs, ...rateJson(rate) });

const dollars = (usd: number | undefined): number | null => (usd === undefined ? null : Math.round(usd * 1e8) / 1e8);

/** Skills that were picked, and those that should have been or must not be: never is a rate too. */
const pickedOrNamed = ({
  query,
  picks,
  runs,
  undecided,
}: QueryReport): readonly (Count & { readonly skill: string })[] => {
  const named = new Set([...(query.expect ?? []), ...query.forbid]);
  for (const { skill } of picks) named.delete(skill);
  return [...picks, ...[...named].map((skill) => ({ skill, hits: 0, runs: runs - undecided }))];
};

const rateRow = (suite: string, query: string, { skill, hits, runs }: Count & { readonly skill: string }) => ({
  suite,
  query,
  skill,
  runs,
  picked: hits,
  ...rateJson(rateOf({ hits, runs })),
});

const caseRow = (suite: string, skill: string | undefined, row: QueryReport) => ({
  suite,
  skill: skill ?? null,
  id: row.query.id,
  query: row.query.query,
  expected: row.query.expect ?? null,
  forbidden: row.query.forbid,
  runs: row.runs,
  right: row.right?.hits ?? null,
  ...rateJson(row.rate),
  picked: Object.fromEntries(row.picks.map(({ skill: name, hits }) => [name, hits])),
  none: row.none,
  undecided: row.undecided,
  cannot_tell: row.cannotTell,
});

export const evalJson = (suites: readonly SuiteReport[], log: readonly unknown[]): string => {
  const cases = suites.flatMap(({ file, skill, report }) => report.queries.map((row) => caseRow(file, skill, row)));
  const rates = suites.flatMap(({ file, report }) =>
    report.queries.flatMap((row) => pickedOrNamed(row).map((count) => rateRow(file, row.query.id, count))),
  );
  const skills = suites.flatMap(({ file, report }) =>
    skillReports(report).map(({ skill, recall, precision, mistaken }) => ({
      suite: file,
      skill,
      recall: { hits: recall.hits, runs: recall.runs, ...rateJson(recall.rate) },
      precision: { hits: precision.hits, runs: precision.runs, ...rateJson(precision.rate) },
      picked_instead: mistaken.map(({ skill: other, hits, runs }) => ({ skill: other ?? null, picked: hits, runs })),
    })),
  );
  const summaries = suites.map(({ file, report: { overall, usd, missing }, threshold, by, bill, stopped, agent }) => ({
    suite: file,
    picked_by: by,
    listing: agent?.client ?? null,
    unlisted: agent?.unlisted.map(({ skill, state, reason }) => ({ skill, state, reason })) ?? [],
    listing_effects:
      agent?.effects.map(({ query, skill, state, reason, whole, listed, wholeRate, listedRate, verdict }) => ({
        query: query.id,
        skill,
        state,
        reason,
        verdict,
        whole: sideJson(whole, wholeRate),
        listed: sideJson(listed, listedRate),
      })) ?? [],
    runs: overall.right.runs,
    right: overall.right.hits,
    ...rateJson(overall.rate),
    threshold,
    proof: overall.proof,
    floor: overall.floor ?? null,
    cost_usd: dollars(usd),
    ...(bill && {
      estimated_prompts_usd: dollars(bill.estimated),
      billed_prompts_usd: dollars(bill.prompts),
      billed_usd: dollars(bill.billed),
    }),
    missing,
    stopped: stopped ?? null,
  }));
  return jsonDocument({ cases, rates, skills, suites: summaries, comparison: null, log });
};
