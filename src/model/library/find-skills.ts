/** Finds the folders of a tree that hold a skill. */
import { errorMessage } from '../../base/errors.ts';
import { joinPath } from '../../base/paths.ts';
import { compareCodePoints } from '../../base/text.ts';
import type { FileTree, TreeEntry } from '../files/file-tree.ts';
import { locate } from './locate.ts';
import type { Pace } from './pace.ts';

export interface SkillFolder {
  readonly path: string;
  /** The path without links: the same folder is the same folder. */
  readonly real: string;
  /** What is in it, sorted by name. */
  readonly entries: readonly TreeEntry[];
  /** By name: what was read along with the listing. */
  readonly contents?: ReadonlyMap<string, Uint8Array>;
}

export interface SkippedFolder {
  readonly path: string;
  readonly real: string;
  readonly reason: string;
  /** The file that is nearly a SKILL.md. */
  readonly misspelled?: string;
}

export interface FoundFolders {
  /** Whether there is a folder of this path at all. */
  readonly exists: boolean;
  /** Sorted by path. */
  readonly skills: readonly SkillFolder[];
  /** What could be a skill and is none, and where the search ended, with the reason. Sorted by path. */
  readonly skipped: readonly SkippedFolder[];
}

export interface SearchLimits {
  /** Levels below the root. */
  readonly depth: number;
  /** Folders that are not skills; skills do not count. */
  readonly folders: number;
}

const DEFAULT_LIMITS: SearchLimits = { depth: 6, folders: 2000 };

export interface SearchOptions extends Pace {
  readonly limits?: SearchLimits;
  /** All dot-folders are searched. */
  readonly dotFolders?: true;
  /** Whether to look for more skills below the one in this folder. */
  readonly isSearchedBelow?: (path: string) => boolean;
  /** Files of a skill that are wanted next: read along where that is cheaper. */
  readonly alongWith?: { readonly names: ReadonlySet<string>; readonly limit: number };
  /** Called for each skill when it is found, long before the search ends. */
  readonly onFound?: (folder: SkillFolder) => void;
}

export interface FolderSearch {
  readonly search: (root: string, depth?: number) => Promise<FoundFolders>;
  /** What was found there was of no use: a later root may find it under its own name. */
  readonly forget: (real: string) => void;
}

const NEVER = new Set(['.git', 'node_modules']);

/** Folders are listed this many at a time: enough to hide latency, few enough to stay in order cheaply. */
const AT_ONCE = 32;

const isSkillFile = (entry: TreeEntry): boolean => entry.kind === 'file' && entry.name === 'SKILL.md';

const byName = (entries: readonly TreeEntry[]): readonly TreeEntry[] =>
  entries.length < 2 ? entries : entries.toSorted((a, b) => compareCodePoints(a.name, b.name));

const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  compareCodePoints(a.path, b.path);

interface Pending {
  readonly path: string;
  readonly real: string;
  readonly depth: number;
  /** It is in a folder called `skills`, so it is looked at first: the limit then cuts off what hardly matters. */
  readonly isLikely: boolean;
}

interface Listing {
  readonly entries?: readonly TreeEntry[] | undefined;
  readonly contents?: ReadonlyMap<string, Uint8Array>;
  /** Why the folder could not be listed. */
  readonly fault?: string;
}

/**
 * Searches one tree, root after root. A skill is not descended into. A folder that can be reached twice, by links or from
 * two roots, is read once.
 */
export const createFolderSearch = (tree: FileTree, options: SearchOptions = {}): FolderSearch => {
  const { limits = DEFAULT_LIMITS, alongWith } = options;
  /** By real path: how many levels below it have been searched. */
  const searched = new Map<string, number>();
  const listings = new Map<string, Promise<Listing>>();

  const list = async (path: string): Promise<Listing> => {
    try {
      if (tree.listAndRead && alongWith) return (await tree.listAndRead(path, alongWith.names, alongWith.limit)) ?? {};
      return { entries: await tree.list(path) };
    } catch (thrown) {
      return { fault: errorMessage(thrown) };
    }
  };
  /** For the folders above the roots, which several roots share. */
  const listOnce = (path: string): Promise<Listing> => {
    const listing = listings.get(path) ?? list(path);
    listings.set(path, listing);
    return listing;
  };
  const isSearchable = ({ name }: TreeEntry): boolean =>
    !NEVER.has(name) && (!name.startsWith('.') || options.dotFolders === true);

  const search = async (root: string, depth = limits.depth): Promise<FoundFolders> => {
    const skills: SkillFolder[] = [];
    const skipped: SkippedFolder[] = [];
    const tooDeep: string[] = [];
    const likely: Pending[] = [];
    const others: Pending[] = [];
    // Last, so that a folder goes by its own name where both are found.
    const links: Pending[] = [];
    let visited = 0;
    let isFull = false;

    const nextQueue = (): Pending[] | undefined => [likely, others, links].find(({ length }) => length > 0);

    const visit = (
      { path, real, depth: level, isLikely }: Pending,
      { entries: listed, contents, fault }: Listing,
    ): void => {
      const remaining = depth - level;
      const before = searched.get(real);
      if (isFull || (before !== undefined && before >= remaining)) return;
      const isNew = before === undefined;
      if (!listed) {
        if (fault !== undefined && isNew) skipped.push({ path, real, reason: `it cannot be read: ${fault}` });
        searched.set(real, Infinity);
        return;
      }
      const file = listed.find(isSkillFile);
      if (file) {
        searched.set(real, Infinity);
        if (file.escapes) skipped.push({ path, real, reason: 'its SKILL.md is a link that leaves the opened folder' });
        else {
          const folder = { path, real, entries: byName(listed), ...(contents && { contents }) };
          skills.push(folder);
          options.onFound?.(folder);
        }
        if (options.isSearchedBelow?.(path) !== true) return;
      }
      if (visited === limits.folders) {
        isFull = true;
        return;
      }
      visited++;
      searched.set(real, remaining);
      const entries = byName(listed);
      const misspelled = entries.find((entry) => entry.kind === 'file' && /^skill\.md$/i.test(entry.name))?.name;
      if (!file && misspelled !== undefined && isNew) {
        skipped.push({ path, real, reason: `its file is called ${misspelled}, not SKILL.md`, misspelled });
      }
      for (const entry of entries) {
        if (entry.kind !== 'folder' || !isSearchable(entry)) continue;
        const child = joinPath(path, entry.name);
        const childReal = entry.target ?? joinPath(real, entry.name);
        if (entry.escapes) {
          if (isNew)
            skipped.push({ path: child, real: childReal, reason: 'it is a link that leaves the opened folder' });
        } else if (level >= depth) tooDeep.push(child);
        else {
          const isLikelyChild = isLikely || entry.name === 'skills';
          const pending = { path: child, real: childReal, depth: level + 1, isLikely: isLikelyChild };
          (entry.target !== undefined ? links : isLikelyChild ? likely : others).push(pending);
        }
      }
    };

    const start = await locate(async (folder) => (await listOnce(folder)).entries, '', root);
    if (start?.kind === 'escapes') {
      const reason = 'it is a link that leaves the opened folder';
      return { exists: true, skills, skipped: [{ path: start.at, real: start.at, reason }] };
    }
    if (start?.kind !== 'folder') return { exists: false, skills, skipped };
    visit({ path: root, real: start.real, depth: 0, isLikely: false }, await listOnce(start.real));
    // Always so many on their way, and each is looked at in the order in which it was asked for.
    const asked: { readonly pending: Pending; readonly listing: Promise<Listing> }[] = [];
    for (;;) {
      options.signal?.throwIfAborted();
      for (let queue = nextQueue(); queue && asked.length < AT_ONCE; queue = nextQueue()) {
        for (const pending of queue.splice(0, AT_ONCE - asked.length))
          asked.push({ pending, listing: list(pending.path) });
      }
      const [first, ...rest] = asked.splice(0, AT_ONCE / 2);
      if (!first || isFull) break;
      for (const { pending, listing } of [first, ...rest]) visit(pending, await listing);
      await options.pause?.();
    }

    if (isFull) skipped.push({ path: root, real: root, reason: `the search stopped after ${limits.folders} folders` });
    const [deep] = tooDeep.toSorted(compareCodePoints);
    if (deep !== undefined && depth === limits.depth) {
      const like = tooDeep.length > 1 ? `, like ${tooDeep.length - 1} more` : '';
      const reason = `it is more than ${limits.depth} levels below ${root || tree.name} and was not searched${like}`;
      skipped.push({ path: deep, real: deep, reason });
    }
    return { exists: true, skills: skills.toSorted(byPath), skipped: skipped.toSorted(byPath) };
  };
  return { search, forget: (real) => void searched.delete(real) };
};
