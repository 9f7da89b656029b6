/** What an agent's budget does to picking: queries for skills whose text it cut, with the whole listing and with the agent's. */
import { compareCodePoints } from '../../base/text.ts';
import type { EntryState, Listing } from '../clients/types.ts';
import { decidedEndings, runsOf, type RunTally } from './run/tally.ts';
import { fisher } from './statistics/fisher.ts';
import { rateOf, type Count, type Rate } from './statistics/rates.ts';
import type { Suite, TriggerQuery } from './suite/types.ts';

/** Where a skill is in an agent's listing; `absent`: the agent does not find it. */
export interface Standing {
  readonly state: EntryState | 'absent';
  /** Why it is not whole; empty where it is. */
  readonly reason: string;
}

type Placed = { readonly name: string; readonly path: string };

/** Of skills as sessions name them. An agent may use another name for the same folder. */
export const standingsIn = (
  { entries, label }: Pick<Listing, 'entries' | 'label'>,
  skills: readonly Placed[],
): ReadonlyMap<string, Standing> => {
  const byPath = new Map(entries.toReversed().map((entry) => [entry.path, entry]));
  const byName = new Map(entries.toReversed().map((entry) => [entry.name, entry]));
  return new Map(
    skills.map(({ name, path }) => {
      const entry = byPath.get(path) ?? byName.get(name);
      return [
        name,
        entry
          ? { state: entry.state, reason: entry.reason }
          : { state: 'absent', reason: `${label} doesn’t read its folder.` },
      ];
    }),
  );
};

const isCut = (standing: Standing | undefined): boolean =>
  standing?.state === 'cut' || standing?.state === 'name-only' || standing?.state === 'dropped';

/** The queries that a budget can spoil: they expect a skill whose text it cut. Nothing where none exist. */
export const spoilable = (suite: Suite, standings: ReadonlyMap<string, Standing>): Suite | undefined => {
  const queries = suite.queries.filter(({ expect }) => expect?.some((skill) => isCut(standings.get(skill))) === true);
  return queries.length === 0 ? undefined : { ...suite, queries };
};

/** Skills that queries expect and that the agent never lists, whatever its budget. */
export const unlisted = (
  suite: Suite,
  standings: ReadonlyMap<string, Standing>,
): readonly (Standing & { readonly skill: string })[] =>
  [...new Set(suite.queries.flatMap(({ expect = [] }) => expect))].flatMap((skill) => {
    const standing = standings.get(skill);
    return standing?.state === 'absent' || standing?.state === 'hidden' ? [{ skill, ...standing }] : [];
  });

/** `lost`: picked under the whole listing, and less often or never under the agent's. */
export type EffectVerdict = 'lost' | 'gained' | 'same' | 'cannot-tell';

export interface ListingEffect extends Standing {
  readonly query: TriggerQuery;
  readonly skill: string;
  /** How often it was picked; of decided runs. */
  readonly whole: Count;
  readonly listed: Count;
  readonly wholeRate: Rate | undefined;
  readonly listedRate: Rate | undefined;
  readonly verdict: EffectVerdict;
}

const FALSE_ALARMS = 0.05;

/** Benjamini–Hochberg: the largest p that still counts, of all that were looked at. */
const levelFor = (all: readonly number[]): number =>
  all
    .toSorted((a, b) => a - b)
    .reduce((level, p, index) => (p <= ((index + 1) / all.length) * FALSE_ALARMS ? p : level), -1);

const picksOf = (tally: RunTally, query: string, skill: string): Count => {
  const decided = decidedEndings(tally, query);
  return { hits: runsOf(decided, ({ loaded }) => loaded.includes(skill)), runs: runsOf(decided) };
};

const shareOf = ({ hits, runs }: Count): number => (runs === 0 ? 0 : hits / runs);

/** Trouble first. Queries that only one side ran are left out. */
export const listingEffects = (
  suite: Suite,
  standings: ReadonlyMap<string, Standing>,
  whole: RunTally,
  listed: RunTally,
): readonly ListingEffect[] => {
  const rows = suite.queries.flatMap((query) =>
    (query.expect ?? []).flatMap((skill) => {
      const standing = standings.get(skill);
      const [before, after] = [picksOf(whole, query.id, skill), picksOf(listed, query.id, skill)];
      return standing && isCut(standing) && before.runs > 0 && after.runs > 0
        ? [{ query, skill, ...standing, whole: before, listed: after, p: fisher(before, after) }]
        : [];
    }),
  );
  const level = levelFor(rows.map(({ p }) => p));
  return rows
    .map(({ p, ...row }): ListingEffect => {
      const change = shareOf(row.listed) - shareOf(row.whole);
      const verdict: EffectVerdict = change === 0 ? 'same' : p > level ? 'cannot-tell' : change < 0 ? 'lost' : 'gained';
      return Object.assign(row, { verdict, wholeRate: rateOf(row.whole), listedRate: rateOf(row.listed) });
    })
    .toSorted(
      (a, b) =>
        shareOf(a.listed) - shareOf(a.whole) - (shareOf(b.listed) - shareOf(b.whole)) ||
        compareCodePoints(a.query.id, b.query.id),
    );
};
