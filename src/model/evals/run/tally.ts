/** Results counted as they come, so that a long run takes no more memory than a short one. */
import { isDecided, type Outcome } from './judge.ts';
import type { CaseRecord } from './journal.ts';

/** Runs of one query that ended alike. */
export interface Ending {
  readonly outcome: Outcome;
  readonly loaded: readonly string[];
  readonly runs: number;
}

interface QueryCount {
  /** One bit for each repeat. */
  seen: Uint8Array;
  readonly endings: Map<string, { readonly outcome: Outcome; readonly loaded: readonly string[]; runs: number }>;
}

/** What was counted. */
export interface RunTally {
  readonly runs: number;
  /** Runs that are no errors. */
  readonly answered: number;
  /** Nothing where a price or a usage is unknown. */
  readonly usd: number | undefined;
  readonly queries: Iterable<string>;
  readonly has: (query: string, repeat: number) => boolean;
  /** Of this query, whatever they say. */
  readonly endingsOf: (query: string) => readonly Ending[];
}

export interface OpenTally extends RunTally {
  /** Of two results of one case the first counts: false for the second. */
  readonly add: (record: CaseRecord) => boolean;
}

const NONE: readonly Ending[] = Object.freeze([]);
const BITS = 8;

export const createTally = (): OpenTally => {
  const queries = new Map<string, QueryCount>();
  let [runs, answered] = [0, 0];
  let usd: number | undefined = 0;
  const has = (query: string, repeat: number): boolean =>
    (((queries.get(query)?.seen[Math.floor(repeat / BITS)] ?? 0) >> (repeat % BITS)) & 1) === 1;
  const openQuery = (query: string): QueryCount => {
    const known = queries.get(query);
    if (known) return known;
    const made: QueryCount = { seen: new Uint8Array(1), endings: new Map() };
    queries.set(query, made);
    return made;
  };
  const markSeen = (count: QueryCount, repeat: number): void => {
    const at = Math.floor(repeat / BITS);
    if (at >= count.seen.length) {
      const wider = new Uint8Array(Math.max(at + 1, count.seen.length * 2));
      wider.set(count.seen);
      count.seen = wider;
    }
    count.seen[at] = (count.seen[at] ?? 0) | (1 << (repeat % BITS));
  };
  return {
    get runs() {
      return runs;
    },
    get answered() {
      return answered;
    },
    get usd() {
      return usd;
    },
    get queries() {
      return queries.keys();
    },
    has,
    endingsOf: (query) => {
      const count = queries.get(query);
      return count ? [...count.endings.values()] : NONE;
    },
    add: ({ query, repeat, outcome, loaded, usd: cost }) => {
      if (has(query, repeat)) return false;
      const count = openQuery(query);
      markSeen(count, repeat);
      const name = JSON.stringify([outcome, ...loaded]);
      const ending = count.endings.get(name);
      if (ending) ending.runs++;
      else count.endings.set(name, { outcome, loaded: [...loaded], runs: 1 });
      runs++;
      if (outcome !== 'error') answered++;
      usd = usd === undefined || cost === null ? undefined : usd + cost;
      return true;
    },
  };
};

export const tallyOf = (records: Iterable<CaseRecord>): RunTally => {
  const tally = createTally();
  for (const record of records) tally.add(record);
  return tally;
};

/** Endings that say something about picking. */
export const decidedEndings = (tally: RunTally, query: string): readonly Ending[] =>
  tally.endingsOf(query).filter(({ outcome }) => isDecided(outcome));

export const runsOf = (endings: readonly Ending[], isCounted: (ending: Ending) => boolean = () => true): number =>
  endings.reduce((sum, ending) => (isCounted(ending) ? sum + ending.runs : sum), 0);
