/** Finds the folders of a tree that hold a skill. */
import { compareCodePoints } from '../../base/text.ts';
import { joinPath, type FileTree, type TreeEntry } from './file-tree.ts';

export interface SkillFolder {
  readonly path: string;
  /** What is in it, sorted by name. */
  readonly entries: readonly TreeEntry[];
}

export interface FoundFolders {
  readonly skills: readonly SkillFolder[];
  /** Folders that look like a skill but are none, with the reason. */
  readonly skipped: readonly SkippedFolder[];
}

export interface SkippedFolder {
  readonly path: string;
  readonly reason: string;
  /** The file that is nearly a SKILL.md. */
  readonly misspelled?: string;
}

export interface SearchLimits {
  /** Levels below the root. */
  readonly depth: number;
  /** Folders that are not skills themselves; skills are never cut off. */
  readonly folders: number;
}

export const DEFAULT_LIMITS: SearchLimits = { depth: 6, folders: 2000 };

const NEVER = new Set(['.git', 'node_modules']);

/** Folders are listed this many at a time: enough to hide latency, few enough to stay in order cheaply. */
const AT_ONCE = 32;

const isSkillFile = (entry: TreeEntry): boolean => entry.kind === 'file' && entry.name === 'SKILL.md';

interface Pending {
  readonly path: string;
  /** The path without links: the same folder is the same folder. */
  readonly real: string;
  readonly depth: number;
}

/**
 * All skill folders at or below `root`, sorted by path. A skill is not descended into. `seen` holds the real paths that
 * were read before, so that a folder which can be reached twice counts once.
 */
export const findSkillFolders = async (
  tree: FileTree,
  root: string,
  limits: SearchLimits,
  seen: Set<string>,
  options: { readonly dotFolders?: ReadonlySet<string>; readonly signal?: AbortSignal } = {},
): Promise<FoundFolders> => {
  const skills: SkillFolder[] = [];
  const skipped: SkippedFolder[] = [];
  let visited = 0;
  let isFull = false;
  let level: Pending[] = [{ path: root, real: root, depth: 0 }];
  while (level.length > 0) {
    const next: Pending[] = [];
    for (let start = 0; start < level.length; start += AT_ONCE) {
      options.signal?.throwIfAborted();
      const chunk = level.slice(start, start + AT_ONCE);
      const lists = await Promise.all(chunk.map(({ path }) => tree.list(path)));
      chunk.forEach(({ path, real, depth }, index) => {
        const listed = lists[index];
        if (!listed || seen.has(real)) return;
        seen.add(real);
        const entries = listed.toSorted((a, b) => compareCodePoints(a.name, b.name));
        const file = entries.find(isSkillFile);
        if (file) {
          if (file.escapes) skipped.push({ path, reason: 'its SKILL.md is a link that leaves the folder' });
          else skills.push({ path, entries });
          return;
        }
        const misspelled = entries.find((entry) => entry.kind === 'file' && /^skill\.md$/i.test(entry.name));
        if (misspelled) skipped.push({ path, reason: `its file is called ${misspelled.name}, not SKILL.md`, misspelled: misspelled.name });
        // The folders of a root are free: what counts is how far the search has to go.
        if (++visited > limits.folders) {
          isFull = true;
          return;
        }
        for (const entry of entries) {
          if (entry.kind !== 'folder' || NEVER.has(entry.name)) continue;
          if (entry.name.startsWith('.') && options.dotFolders?.has(entry.name) !== true) continue;
          const child = joinPath(path, entry.name);
          if (entry.escapes) skipped.push({ path: child, reason: 'it is a link that leaves the folder' });
          else if (depth < limits.depth) next.push({ path: child, real: entry.target ?? joinPath(real, entry.name), depth: depth + 1 });
        }
      });
    }
    level = isFull ? [] : next;
  }
  if (isFull) skipped.push({ path: root, reason: `the search stopped after ${limits.folders} folders` });
  const byPath = (a: { path: string }, b: { path: string }): number => compareCodePoints(a.path, b.path);
  return { skills: skills.toSorted(byPath), skipped: skipped.toSorted(byPath) };
};
