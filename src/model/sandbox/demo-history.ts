/**
 * The past of the demo. A repository cannot be shipped as a folder `.git`, so its commits are reported in a file, and git makes
 * them when they are first asked for. The same file and the same demo give the same commits, hashes included.
 */
import { walkTree } from '../files/walk-tree.ts';
import type { FileTree } from '../files/file-tree.ts';
import { z } from '../zod.ts';
import type { Signature } from './git-text.ts';

const historySchema = z.object({
  version: z.literal(1),
  branch: z.string(),
  author: z.object({ name: z.string(), email: z.string() }),
  commits: z.array(
    z.object({
      message: z.string(),
      /** ISO 8601 with a zone. */
      date: z.string(),
      /** As they were then. */
      files: z.record(z.string(), z.string()),
      /** As they are in the demo. */
      shipped: z.array(z.string()),
      /** All other files of the demo that are in no commit yet. */
      rest: z.boolean().exactOptional(),
    }),
  ),
  /** In no commit at all. */
  untracked: z.array(z.string()),
});

export interface PlannedCommit {
  readonly message: string;
  readonly author: Signature;
  readonly files: readonly (readonly [path: string, content: Uint8Array])[];
}

export interface RepositoryPlan {
  readonly branch: string;
  readonly commits: readonly PlannedCommit[];
}

const encoder = new TextEncoder();

const signatureAt = (who: { readonly name: string; readonly email: string }, date: string): Signature => {
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)$/.exec(date) ?? [];
  const minutesOff = Number(hours) * 60 + Number(minutes);
  // Never minus zero.
  const timezoneOffset = minutesOff === 0 ? 0 : sign === '+' ? -minutesOff : minutesOff;
  return { ...who, timestamp: Date.parse(date) / 1000, timezoneOffset };
};

/** `shipped` is the demo as it is served, not the copy that somebody may have changed. */
export const planDemoRepository = async (text: string, shipped: FileTree): Promise<RepositoryPlan> => {
  const history = historySchema.parse(JSON.parse(text));
  const { files: paths } = await walkTree(shipped);
  const seen = new Set(history.untracked);
  const read = async (path: string): Promise<readonly [string, Uint8Array]> => {
    const content = await shipped.read(path);
    if (!content) throw new Error(`the demo has no ${path}`);
    return [path, content];
  };
  const commits: PlannedCommit[] = [];
  for (const { message, date, files, shipped: named, rest } of history.commits) {
    const written = Object.entries(files).map(([path, content]) => [path, encoder.encode(content)] as const);
    for (const path of [...Object.keys(files), ...named]) seen.add(path);
    const others = rest === true ? paths.filter((path) => !seen.has(path)) : [];
    for (const path of others) seen.add(path);
    const taken = await Promise.all([...named, ...others].map(read));
    commits.push({ message, author: signatureAt(history.author, date), files: [...written, ...taken] });
  }
  return { branch: history.branch, commits };
};
