/** `git show`: commits, tags, trees and files. */
import { dateText, isSeparated } from '../../../model/sandbox/git-text.ts';
import { byteText } from '../../../model/sandbox/unified-diff.ts';
import { fromTop, pathFilter, readArguments, splitWords } from './arguments.ts';
import { asBytes, stagedLeaves, type GitContext, type GitOutput } from './context.ts';
import { createShower, LOG_KNOWN, parentChanges } from './log-options.ts';
import { GitFailure } from './git-failure.ts';
import type { Leaf, Repository } from './repository.ts';

const showTree = (leaves: ReadonlyMap<string, Leaf>, name: string, path: string): string => {
  const names = new Set<string>();
  const prefix = path === '' ? '' : `${path}/`;
  for (const leaf of leaves.keys()) {
    if (!leaf.startsWith(prefix)) continue;
    const [first = '', ...rest] = leaf.slice(prefix.length).split('/');
    names.add(rest.length > 0 ? `${first}/` : first);
  }
  return asBytes(`tree ${name}\n\n${[...names].join('\n')}\n`);
};

/** `HEAD:a.txt`, `:a.txt` (what is staged), `HEAD:` (all of it). */
const showPath = async (
  { repository, cwd }: GitContext,
  word: string,
  revision: string,
  given: string,
): Promise<string> => {
  // `:0:a.txt` is the long form of `:a.txt`.
  const [, stage = '0', path] =
    revision === '' ? (/^([0-3]):(.*)$/s.exec(given) ?? ['', '0', given]) : ['', '0', given];
  const top = (path ?? '').startsWith('./') ? fromTop(repository, cwd, path ?? '') : (path ?? '').replace(/\/$/, '');
  const leaves = await leavesAt(repository, revision, Number(stage));
  const leaf = leaves.get(top);
  if (leaf) return byteText(await repository.blob(leaf.oid));
  if (top === '' || [...leaves.keys()].some((one) => one.startsWith(`${top}/`))) return showTree(leaves, word, top);
  const exists = (await repository.exists(top)) !== undefined;
  if (revision === '')
    throw new GitFailure(
      exists
        ? `fatal: path '${path}' exists on disk, but not in the index`
        : `fatal: path '${path}' does not exist (neither on disk nor in the index)`,
    );
  throw new GitFailure(
    `fatal: path '${path}' ${exists ? 'exists on disk, but not' : 'does not exist'} in '${revision}'`,
  );
};

const leavesAt = async (
  repository: Repository,
  revision: string,
  stage: number,
): Promise<ReadonlyMap<string, Leaf>> => {
  if (revision === '') {
    if (stage === 0) return stagedLeaves(repository);
    const found = [...(await repository.conflicts())].flatMap(([path, stages]): [string, Leaf][] => {
      const leaf = stages[stage - 1];
      return leaf ? [[path, leaf]] : [];
    });
    return new Map(found);
  }
  const tree = await repository.object(`${revision}^{tree}`);
  return repository.leaves(tree ? tree.oid : await repository.resolve(revision));
};

export const show = async (context: GitContext, args: readonly string[]): Promise<GitOutput> => {
  const { repository, cwd, now } = context;
  const given = readArguments('show', args, LOG_KNOWN);
  const { revisions, paths } = await splitWords(
    repository,
    cwd,
    given,
    async (word) => /^[^:]*:/.test(word) || repository.isRevision(word),
  );
  const isWanted = pathFilter(repository, cwd, paths);
  if (revisions.length === 0 && (await repository.head()) === undefined)
    throw new GitFailure(
      `fatal: your current branch '${(await repository.branch()) ?? 'HEAD'}' does not have any commits yet`,
    );
  const shower = await createShower(repository, given, 'patch', isWanted, now);
  const parts: string[] = [];
  const showObject = async (word: string): Promise<void> => {
    const found = await repository.object(word);
    if (found?.type === 'tag') {
      const { name, target, tagger, message } = await repository.tag(found.oid);
      const who = tagger
        ? `Tagger: ${tagger.name} <${tagger.email}>\nDate:   ${dateText(tagger, shower.pretty.date, now)}\n`
        : '';
      parts.push(asBytes(`tag ${name}\n${who}\n${message.replace(/\n*$/, '\n')}`));
      await showObject(target);
    } else if (found?.type === 'tree') parts.push(showTree(await repository.leaves(found.oid), word, ''));
    else if (found?.type === 'blob') parts.push(byteText(await repository.blob(found.oid)));
    else {
      const commit = await repository.commit(await repository.resolve(word));
      // One that changed none of the paths is not shown.
      if (paths.length > 0 && (await parentChanges(repository, commit, isWanted)).length === 0) return;
      parts.push(await shower.show(commit));
    }
  };
  for (const word of revisions.length === 0 ? ['HEAD'] : revisions) {
    const [, revision, path] = /^([^:]*):(.*)$/s.exec(word) ?? [];
    if (revision !== undefined && path !== undefined) parts.push(await showPath(context, word, revision, path));
    else await showObject(word);
  }
  const isOpen = shower.pretty.format.startsWith('format:') && shower.forms.includes('none');
  const between = shower.isBare || !isSeparated(shower.pretty) ? '' : '\n';
  return { stdout: isOpen ? parts.join('').replace(/\n$/, '') : parts.join(between) };
};
