/**
 * A browser throws away a damaged database whole, and says nothing. How much was in it is kept beside it, so that the page can say what
 * is gone.
 */
import type { TableName } from './schema.ts';
import type { Storage as Database } from './storage.ts';

/** What somebody would miss. */
const COUNTED = ['sessions', 'drafts', 'handles', 'consents'] as const satisfies readonly TableName[];

export type KeptCounts = Readonly<Record<(typeof COUNTED)[number], number>>;

/** `localStorage`, which may be blocked. */
export type Beside = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Not below the prefix of choices, which have a copy in the database. */
const KEY = 'lathe-kept';

const isCounted = (table: TableName): boolean => COUNTED.some((name) => name === table);

const isNothing = (counts: KeptCounts): boolean => COUNTED.every((name) => counts[name] === 0);

const countAll = async (database: Pick<Database, 'count'>): Promise<KeptCounts> => {
  const [sessions, drafts, handles, consents] = await Promise.all(COUNTED.map((name) => database.count(name)));
  return { sessions: sessions ?? 0, drafts: drafts ?? 0, handles: handles ?? 0, consents: consents ?? 0 };
};

/** By hand: whoever wrote it may have been an older page. */
const readCounts = (text: string | null): KeptCounts | undefined => {
  try {
    const value = JSON.parse(text ?? 'null') as unknown;
    if (typeof value !== 'object' || value === null) return undefined;
    const counts = value as Readonly<Record<string, unknown>>;
    const of = (name: string): number => (Number.isSafeInteger(counts[name]) ? Math.max(0, Number(counts[name])) : 0);
    return { sessions: of('sessions'), drafts: of('drafts'), handles: of('handles'), consents: of('consents') };
  } catch {
    return undefined;
  }
};

const write = (beside: Beside, counts: KeptCounts): void => {
  if (isNothing(counts)) beside.removeItem(KEY);
  else beside.setItem(KEY, JSON.stringify(counts));
};

export interface CountedDatabase extends Database {
  /** What was in the database at the last visit, if nothing of it is there now. */
  readonly lost?: KeptCounts;
}

/** The same database, with its counts kept beside it. Where nothing can be kept there, nothing is ever called lost. */
export const withKeptCounts = async (database: Database, beside: Beside): Promise<CountedDatabase> => {
  let lost: KeptCounts | undefined;
  try {
    const [before, now] = [readCounts(beside.getItem(KEY)), await countAll(database)];
    if (before && !isNothing(before) && isNothing(now)) lost = before;
    write(beside, now);
  } catch {
    return database;
  }
  let [isCounting, isStale] = [false, false];
  const count = async (): Promise<void> => {
    isStale = true;
    if (isCounting) return;
    isCounting = true;
    while (isStale) {
      isStale = false;
      try {
        write(beside, await countAll(database));
      } catch {
        // The counts stay as they were: they only say how much there was.
      }
    }
    isCounting = false;
  };
  return {
    ...database,
    ...(lost && { lost }),
    write: async (changes, options) => {
      await database.write(changes, options);
      if (changes.some(({ table }) => isCounted(table))) void count();
    },
  };
};
