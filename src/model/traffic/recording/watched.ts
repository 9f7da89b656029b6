/** A folder of recordings that grows: what was read stays, and only files that changed are read again. */
import type { Call } from '../call.ts';
import { createSharedValues } from '../shared-values.ts';
import { createGrowingFile, type GrowingFile } from './growing.ts';
import type { SourceFile } from './sources.ts';

/** What a listing tells of a file without opening it. */
export interface FileStamp {
  readonly file: string;
  readonly size: number;
  readonly modifiedAt: number;
}

export interface WatchedFiles {
  /** The files of a listing that are to be read, because they are new or have changed. Files that are gone are forgotten. */
  readonly stale: (listing: readonly FileStamp[]) => readonly FileStamp[];
  /** Where to put the text of a file: of one that only grew, what is new. */
  readonly open: (stamp: FileStamp) => GrowingFile;
  /** Its text is not what it was: it is read from its start. */
  readonly openAnew: (stamp: FileStamp) => GrowingFile;
  readonly put: (stamp: FileStamp, read: SourceFile) => void;
  /** In the order of their names. */
  readonly all: () => readonly SourceFile[];
}

const isSame = (a: FileStamp, b: FileStamp): boolean => a.size === b.size && a.modifiedAt === b.modifiedAt;

/** Files without times get one when they are joined with others, so they are read again each time. */
const isTimeless = ({ calls }: SourceFile): boolean => calls.some((call) => call.isTimeless === true);

export const createWatchedFiles = (): WatchedFiles => {
  const known = new Map<string, { readonly stamp: FileStamp; readonly read: SourceFile }>();
  const growing = new Map<string, GrowingFile>();
  const shared = createSharedValues();
  const openAnew = ({ file }: FileStamp): GrowingFile => {
    const made = createGrowingFile(file, shared);
    growing.set(file, made);
    return made;
  };
  return {
    open: (stamp) => {
      const before = growing.get(stamp.file);
      return before && before.from > 0 && stamp.size > before.size ? before : openAnew(stamp);
    },
    openAnew,
    stale: (listing) => {
      const names = new Set(listing.map(({ file }) => file));
      let isGone = false;
      for (const file of known.keys()) {
        if (names.has(file)) continue;
        isGone = known.delete(file) || isGone;
        growing.delete(file);
      }
      const changed = listing.filter((stamp) => {
        const old = known.get(stamp.file);
        return !old || !isSame(old.stamp, stamp);
      });
      if (changed.length === 0 && !isGone) return [];
      const again = listing.filter((stamp) => {
        const old = known.get(stamp.file);
        return old !== undefined && isSame(old.stamp, stamp) && isTimeless(old.read);
      });
      return [...changed, ...again];
    },
    put: (stamp, read) => void known.set(stamp.file, { stamp, read }),
    all: () => [...known.values()].toSorted((a, b) => (a.stamp.file < b.stamp.file ? -1 : 1)).map(({ read }) => read),
  };
};

/** The same call in every reading of a folder. */
export const callKey = ({ source, id }: Call): string => (source ? `${source.file}:${source.line}` : (id ?? ''));

/** Its answer may still be in progress: nobody has billed it, and nothing says that it failed. */
export const isOpen = ({ usage, failed, endedAt, known }: Call): boolean =>
  usage === undefined && failed !== true && endedAt === undefined && known !== 'absent';
