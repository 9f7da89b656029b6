/** Finds out what changed behind our back where nobody tells us: by size and time of what is open. SPEC.md CH. */
import { statOf, type FileStat, type FileTree } from './file-tree.ts';

export interface ChangeCheck {
  /** From now on this is how the file is known. */
  readonly remember: (path: string) => Promise<void>;
  readonly forget: (path: string) => void;
  /** It could not be read: the next check tells it again. */
  readonly doubt: (path: string) => void;
  /** The paths whose file is another than remembered, or gone, or there again. Each is reported once. */
  readonly check: () => Promise<readonly string[]>;
}

const isSame = (a: FileStat | undefined, b: FileStat | undefined): boolean =>
  a?.size === b?.size && a?.modifiedAt === b?.modifiedAt;

export const createChangeCheck = (tree: FileTree): ChangeCheck => {
  const known = new Map<string, FileStat | undefined>();
  const doubted = new Set<string>();
  return {
    remember: async (path) => {
      known.set(path, await statOf(tree, path));
      doubted.delete(path);
    },
    forget: (path) => {
      known.delete(path);
      doubted.delete(path);
    },
    doubt: (path) => void doubted.add(path),
    check: async () => {
      const paths = [...known.keys()];
      const stats = await Promise.all(paths.map((path) => statOf(tree, path)));
      return paths.filter((path, index) => {
        const now = stats[index];
        // It may have been forgotten meanwhile.
        if (!known.has(path) || (isSame(known.get(path), now) && !doubted.delete(path))) return false;
        known.set(path, now);
        return true;
      });
    },
  };
};
