/** A folder while it is read as a whole: each folder is listed once and each file is read once, however many ask. SPEC.md RDO. */
import type { FileTree } from './file-tree.ts';

export interface ReadOnce {
  /** Writes go to the tree below; what was read stays as it was until `end`. */
  readonly tree: FileTree;
  /** From now on everything is asked of the tree below again. */
  readonly end: () => void;
}

export const createReadOnce = (below: FileTree): ReadOnce => {
  let isOver = false;
  const kept = <Answer>(ask: (path: string) => Promise<Answer>) => {
    const answers = new Map<string, Promise<Answer>>();
    return {
      answers,
      of: (path: string): Promise<Answer> => {
        if (isOver) return ask(path);
        const answer = answers.get(path) ?? ask(path);
        answers.set(path, answer);
        return answer;
      },
    };
  };
  const lists = kept((path) => below.list(path));
  const sizes = kept((path) => below.size(path));
  const reads = kept((path) => below.read(path));
  return {
    tree: {
      ...below,
      list: lists.of,
      size: async (path) => (await reads.answers.get(path))?.length ?? sizes.of(path),
      read: async (path, limit) => {
        // A part of what may be large is not kept: it may be asked for whole later.
        if (limit !== undefined && !reads.answers.has(path)) return below.read(path, limit);
        const content = await reads.of(path);
        return content && limit !== undefined && content.length > limit ? undefined : content;
      },
    },
    end: () => {
      isOver = true;
      for (const { answers } of [lists, sizes, reads]) answers.clear();
    },
  };
};
