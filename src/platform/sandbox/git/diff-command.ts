/** `git diff`. */
import { fromTop, pathFilter, readArguments, splitWords } from './arguments.ts';
import { combinedPatch, compareLeaves, showChanges, type Change, type Contents } from './changes.ts';
import { fromObjects, intoFolder, stagedLeaves, type GitContext, type GitOutput } from './context.ts';
import {
  DIFF_FLAGS,
  DIFF_OPTIONAL,
  DIFF_SAME,
  DIFF_VALUES,
  relativeFolder,
  selectChanges,
  showOptionsOf,
} from './diff-options.ts';
import { mergeBase } from './history.ts';
import { GitFailure } from './git-failure.ts';
import type { Leaf, Leaves, Repository } from './repository.ts';

const RANGE = /^(.*?)(\.\.\.?)(.*)$/s;
const isRange = (word: string): boolean => RANGE.test(word) && !/^\.\.(?:$|\/)/.test(word);

/** The folder as it is, with what is staged for the files that are not looked at. */
const folderLeaves = async (
  repository: Repository,
  staged: Leaves,
): Promise<{ readonly now: Map<string, Leaf>; readonly conflicts: readonly string[] }> => {
  const { changed } = await repository.workFiles({ all: false, untracked: false });
  const now = new Map(staged);
  for (const [path, leaf] of changed) {
    if (leaf) now.set(path, leaf);
    else now.delete(path);
  }
  const conflicts = await repository.conflicts();
  for (const [path, [base, ours, theirs]] of conflicts) {
    const bytes = await repository.workBlob(path);
    const mode = (ours ?? theirs ?? base)?.mode ?? 0o100644;
    if (bytes) now.set(path, { oid: await repository.hash(bytes), mode });
  }
  return { now, conflicts: [...conflicts.keys()] };
};

/** Files that wait for a decision, beside both sides. */
const showConflicts = async (
  repository: Repository,
  isWanted: (path: string) => boolean,
  context: number,
): Promise<{ readonly text: string; readonly left: readonly Change[] }> => {
  const left: Change[] = [];
  const parts: string[] = [];
  for (const [path, [, ours, theirs]] of await repository.conflicts()) {
    if (!isWanted(path)) continue;
    const bytes = await repository.workBlob(path);
    if (ours && theirs && bytes)
      parts.push(
        await combinedPatch(
          { path, parents: [ours, theirs], after: undefined },
          ({ oid }) => repository.blob(oid),
          bytes,
          true,
          context,
        ),
      );
    else left.push({ status: 'U', path, before: undefined, after: undefined });
  }
  return { text: parts.join(''), left };
};

/** `--no-index`: two files, whether they are tracked or not. */
const compareFiles = async ({ repository, cwd }: GitContext, words: readonly string[]): Promise<[Change, Contents]> => {
  const [from, to] = words;
  if (from === undefined || to === undefined || words.length > 2)
    throw new GitFailure('usage: git diff --no-index [<options>] <path> <path>', 129);
  const read = async (given: string): Promise<{ readonly path: string; readonly bytes: Uint8Array }> => {
    const path = fromTop(repository, cwd, given);
    const bytes = await repository.workBlob(path);
    if (!bytes) throw new GitFailure(`error: Could not access '${given}'`, 1);
    return { path: given, bytes };
  };
  const [before, after] = [await read(from), await read(to)];
  const leaf = async ({ bytes }: { readonly bytes: Uint8Array }): Promise<Leaf> => ({
    oid: await repository.hash(bytes),
    mode: 0o100644,
  });
  const change: Change = {
    status: 'M',
    path: after.path,
    from: before.path,
    before: await leaf(before),
    after: await leaf(after),
  };
  return [change, { before: async () => before.bytes, after: async () => after.bytes }];
};

export const diff = async (context: GitContext, args: readonly string[]): Promise<GitOutput> => {
  const { repository, cwd } = context;
  const given = readArguments('diff', args, {
    flags: [...DIFF_FLAGS, '--cached', '--quiet', '--exit-code', '--merge-base', '--no-index'],
    values: DIFF_VALUES,
    optional: DIFF_OPTIONAL,
    same: { ...DIFF_SAME, '--staged': '--cached' },
  });
  const isQuiet = given.flags.has('--quiet');
  const isAsked = isQuiet || given.flags.has('--exit-code');
  if (given.flags.has('--no-index')) {
    const [change, contents] = await compareFiles(context, [...given.words, ...(given.paths ?? [])]);
    const isSame = change.before?.oid === change.after?.oid;
    const stdout = isSame || isQuiet ? '' : await showChanges([change], contents, showOptionsOf(given, 'patch'));
    return { stdout, exitCode: isSame ? 0 : 1 };
  }
  const { revisions, paths } = await splitWords(
    repository,
    cwd,
    given,
    async (word) => isRange(word) || repository.isRevision(word),
  );
  const folder = relativeFolder(repository, cwd, given);
  const isNamed = pathFilter(repository, cwd, paths);
  const isWanted = (path: string): boolean => isNamed(path) && (folder === undefined || path.startsWith(`${folder}/`));
  const commonOf = async (one: string, another: string): Promise<string> => {
    const found = await mergeBase(repository, await repository.resolve(one), await repository.resolve(another));
    if (found === undefined) throw new GitFailure(`fatal: ${one}...${another}: no merge base`);
    return found;
  };
  const ends: string[] = [];
  for (const word of revisions) {
    const [, from = '', dots, to = ''] = isRange(word) ? (RANGE.exec(word) ?? []) : [];
    if (dots === undefined) ends.push(word);
    else if (dots === '..') ends.push(from || 'HEAD', to || 'HEAD');
    else ends.push(await commonOf(from || 'HEAD', to || 'HEAD'), to || 'HEAD');
  }
  if (given.flags.has('--merge-base') && ends[0] !== undefined) ends[0] = await commonOf(ends[0], ends[1] ?? 'HEAD');
  const leavesAt = async (revision: string): Promise<Leaves> => {
    const found = await repository.object(`${revision}^{tree}`);
    return repository.leaves(found ? found.oid : await repository.resolve(revision));
  };
  let changes: readonly Change[];
  let contents = fromObjects(repository);
  let before = '';
  const isCached = given.flags.has('--cached');
  const isFolder = !isCached && ends.length < 2;
  const options = { ...showOptionsOf(given, 'patch', folder), isFolder };
  if (isCached) {
    const head = ends[0] === undefined ? await repository.head() : await repository.resolve(ends[0]);
    if (head !== undefined) await repository.commit(head);
    const open = await repository.conflicts();
    const decided = (path: string): boolean => isWanted(path) && !open.has(path);
    const unmerged = [...open.keys()].filter(isWanted);
    changes = [
      ...compareLeaves(await repository.leaves(head), await stagedLeaves(repository), decided),
      ...unmerged.map((path): Change => ({ status: 'U', path, before: undefined, after: undefined })),
    ].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  } else if (!isFolder) {
    changes = compareLeaves(await leavesAt(ends[0] ?? ''), await leavesAt(ends[1] ?? ''), isWanted);
  } else {
    contents = intoFolder(repository);
    const staged = await stagedLeaves(repository);
    const { now, conflicts } = await folderLeaves(repository, staged);
    if (ends[0] === undefined) {
      for (const path of conflicts) now.delete(path);
      const open = await showConflicts(repository, isWanted, options.context);
      before = options.forms.includes('patch') ? open.text : '';
      changes = [...compareLeaves(staged, now, isWanted), ...open.left];
    } else changes = compareLeaves(await leavesAt(ends[0]), now, isWanted);
  }
  changes = await selectChanges(changes, contents, given);
  const turned: Contents = {
    before: (change) => contents.after({ ...change, after: change.before }),
    after: (change) => contents.before({ ...change, before: change.after }),
  };
  const shown = given.flags.has('-R') ? turned : contents;
  const stdout = isQuiet ? '' : before + (await showChanges(changes, shown, options));
  return { stdout, exitCode: isAsked && (changes.length > 0 || before !== '') ? 1 : 0 };
};
