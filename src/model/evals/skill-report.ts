/** How each skill did over a whole run: how often it was picked where it should be, and whether it should have been where it was. */
import { compareCodePoints } from '../../base/text.ts';
import type { EvalReport, QueryReport } from './report.ts';
import { rowRate, wilson, type Count, type Rate } from './statistics/rates.ts';

export interface Mistaken extends Count {
  /** Nothing: no skill was picked. */
  readonly skill: string | undefined;
}

export interface SkillReport {
  readonly skill: string;
  /** Of the runs that should pick it, those that did. */
  readonly recall: Count & { readonly rate: Rate | undefined };
  /** Of the runs that picked it, those that should. Runs whose query does not judge it are left out. */
  readonly precision: Count & { readonly rate: Rate | undefined };
  /** What was picked where this skill should have been, most often first. Of the runs of `recall`. */
  readonly mistaken: readonly Mistaken[];
}

export type CellRole = 'expected' | 'forbidden' | 'other';

/** `skill`: nothing for no skill. */
export const roleOf = ({ query }: QueryReport, skill: string | undefined): CellRole => {
  if (skill === undefined) return query.expect?.length === 0 ? 'expected' : 'other';
  if (query.forbid.includes(skill)) return 'forbidden';
  if (query.expect?.includes(skill) === true) return 'expected';
  return query.expect !== undefined && !query.allow.includes(skill) ? 'forbidden' : 'other';
};

const sumOf = (counts: readonly Count[]): Count => ({
  hits: counts.reduce((sum, { hits }) => sum + hits, 0),
  runs: counts.reduce((sum, { runs }) => sum + runs, 0),
});

const picksOf = ({ picks, runs, undecided }: QueryReport, skill: string): Count => ({
  hits: picks.find((each) => each.skill === skill)?.hits ?? 0,
  runs: runs - undecided,
});

/** A query has one label, so all its picks are right or all are wrong: the interval counts queries, by how much each weighs. */
const precisionRate = (counts: readonly Count[], sum: Count): Rate | undefined => {
  if (sum.runs === 0) return undefined;
  const rate = sum.hits / sum.runs;
  const squares = counts.reduce((total, { runs }) => total + runs * runs, 0);
  return { rate, ...wilson(rate, (sum.runs * sum.runs) / squares) };
};

const mistakenFor = (rows: readonly QueryReport[], skill: string, runs: number): readonly Mistaken[] => {
  const hits = new Map<string | undefined, number>();
  for (const row of rows) {
    for (const picked of row.picks)
      if (picked.skill !== skill && roleOf(row, picked.skill) === 'forbidden')
        hits.set(picked.skill, (hits.get(picked.skill) ?? 0) + picked.hits);
    if (row.none > 0) hits.set(undefined, (hits.get(undefined) ?? 0) + row.none);
  }
  return [...hits]
    .map(([picked, count]) => ({ skill: picked, hits: count, runs }))
    .toSorted((a, b) => b.hits - a.hits || compareCodePoints(a.skill ?? '', b.skill ?? ''));
};

/** Skills that a query expects or forbids, and those that were picked; the lowest recall first. Queries that cannot tell are left out. */
export const skillReports = ({ queries }: Pick<EvalReport, 'queries'>): readonly SkillReport[] => {
  const rows = queries.filter(({ cannotTell, right }) => right !== undefined && !cannotTell);
  const names = new Set(
    rows.flatMap(({ query, picks }) => [...(query.expect ?? []), ...query.forbid, ...picks.map(({ skill }) => skill)]),
  );
  return [...names]
    .map((skill): SkillReport => {
      // Where any of several may load, no single one is missed.
      const wanting = rows.filter(
        ({ query: { expect = [], all } }) => expect.includes(skill) && (all || expect.length === 1),
      );
      const recalled = wanting.map((row) => picksOf(row, skill));
      const recall = sumOf(recalled);
      const judged = rows.flatMap((row) => {
        const { hits } = picksOf(row, skill);
        const role = roleOf(row, skill);
        return hits === 0 || role === 'other' ? [] : [{ hits: role === 'expected' ? hits : 0, runs: hits }];
      });
      const precision = sumOf(judged);
      return {
        skill,
        recall: { ...recall, rate: rowRate(recalled) },
        precision: { ...precision, rate: precisionRate(judged, precision) },
        mistaken: mistakenFor(wanting, skill, recall.runs),
      };
    })
    .filter(({ recall, precision }) => recall.runs > 0 || precision.runs > 0)
    .toSorted((a, b) => (a.recall.rate?.rate ?? 2) - (b.recall.rate?.rate ?? 2) || compareCodePoints(a.skill, b.skill));
};
