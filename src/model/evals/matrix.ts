/** Queries × skills: how often each was picked, and what should have been. */
import { compareCodePoints } from '../../base/text.ts';
import { pickSkill, type PickableSkill } from '../simulator/behaviour/pick-skill.ts';
import type { EvalReport, QueryReport } from './report.ts';
import { roleOf, type CellRole } from './skill-report.ts';
import { rateOf, type Count, type Rate } from './statistics/rates.ts';

export interface MatrixCell extends Count {
  readonly rate: Rate | undefined;
  readonly role: CellRole;
}

export interface MatrixRow {
  readonly report: QueryReport;
  /** In the order of the skills; the last one is of no skill. */
  readonly cells: readonly MatrixCell[];
}

export interface Matrix {
  readonly skills: readonly string[];
  /** Skills that have no column of their own. */
  readonly hidden: number;
  readonly rows: readonly MatrixRow[];
}

const MOST_SKILLS = 8;

const cellOf = (report: QueryReport, skill: string | undefined): MatrixCell => {
  const runs = report.runs - report.undecided;
  const hits = skill === undefined ? report.none : (report.picks.find((picks) => picks.skill === skill)?.hits ?? 0);
  return { hits, runs, rate: rateOf({ hits, runs }), role: roleOf(report, skill) };
};

/** The suite's own skill first, then those that were picked most. Rows stay sorted by trouble. */
export const matrixOf = ({ queries }: EvalReport, own: string | undefined): Matrix => {
  const picked = new Map<string, number>();
  for (const { query, picks } of queries) {
    for (const skill of query.expect ?? []) picked.set(skill, picked.get(skill) ?? 0);
    for (const { skill, hits } of picks) picked.set(skill, (picked.get(skill) ?? 0) + hits);
  }
  if (own !== undefined) picked.set(own, Infinity);
  const all = [...picked]
    .toSorted(([a, one], [b, other]) => (one === other ? compareCodePoints(a, b) : other - one))
    .map(([skill]) => skill);
  const skills = all.slice(0, MOST_SKILLS);
  return {
    skills,
    hidden: all.length - skills.length,
    rows: queries.map((report) => ({
      report,
      cells: [...skills, undefined].map((skill) => cellOf(report, skill)),
    })),
  };
};

/** A query whose skill loses runs to another one. */
export interface Rivalry {
  readonly query: string;
  /** Nothing where no skill should load. */
  readonly wanted: string | undefined;
  readonly rival: string;
  readonly taken: Count;
  /** Words of the query that only the rival's description has. */
  readonly rivalWords: readonly string[];
  /** Words that only the wanted skill's description has. */
  readonly ownWords: readonly string[];
  /** Words that both have. */
  readonly sharedWords: readonly string[];
}

const MOST_RIVALRIES = 5;

const wordsFor = (query: string, skill: PickableSkill | undefined): readonly string[] => {
  if (!skill) return [];
  const found = pickSkill(query, [skill]).ranked.find(({ name }) => name === skill.name);
  return [...new Set(found?.matches.map(({ word }) => word))];
};

/** Worst first. */
export const rivalriesIn = (
  { queries }: EvalReport,
  skills: readonly PickableSkill[],
  own: string | undefined,
): readonly Rivalry[] => {
  const named = new Map(skills.map((skill) => [skill.name, skill]));
  return queries
    .flatMap((report) => {
      const { query } = report;
      const wanted = query.expect?.[0];
      return report.picks
        .filter(({ skill }) => roleOf(report, skill) === 'forbidden')
        .map(({ skill: rival, hits, runs }): Rivalry => {
          const [theirs, ours] = [
            wordsFor(query.query, named.get(rival)),
            wordsFor(query.query, named.get(wanted ?? '')),
          ];
          return {
            query: query.query,
            wanted,
            rival,
            taken: { hits, runs },
            rivalWords: theirs.filter((word) => !ours.includes(word)),
            ownWords: ours.filter((word) => !theirs.includes(word)),
            sharedWords: ours.filter((word) => theirs.includes(word)),
          };
        });
    })
    .filter(({ wanted, rival }) => own === undefined || wanted === own || rival === own || wanted === undefined)
    .toSorted((a, b) => b.taken.hits / b.taken.runs - a.taken.hits / a.taken.runs)
    .slice(0, MOST_RIVALRIES);
};

const quoted = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(', ');

/** What to change, in one or two sentences. */
export const rivalryAdvice = ({ wanted, rival, rivalWords, ownWords, sharedWords }: Rivalry): string => {
  if (wanted === undefined)
    return rivalWords.length === 0
      ? `Say in the description of ${rival} when not to use it.`
      : `The description of ${rival} has ${quoted(rivalWords)}. Say there when not to use it.`;
  if (rivalWords.length === 0 && ownWords.length > 0)
    return `Only ${wanted} has ${quoted(ownWords)}. Words don’t explain this pick. Say in ${rival} when to use ${wanted} instead.`;
  if (rivalWords.length === 0 && sharedWords.length === 0)
    return `Neither description has a word of this query. Add words that people use to ${wanted}.`;
  return rivalWords.length === 0
    ? `Both descriptions have the same words of this query. Say in ${wanted} what sets it apart from ${rival}.`
    : `Only ${rival} has ${quoted(rivalWords)}. Add such words to ${wanted}, or say in ${rival} when to use ${wanted} instead.`;
};
