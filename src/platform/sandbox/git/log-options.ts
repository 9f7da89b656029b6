/** How commits are shown: the options that `log` and `show` share. */
import { prettyCommit, type CommitInfo, type PrettyOptions } from '../../../model/sandbox/git-text.ts';
import type { GitArguments, KnownOptions } from './arguments.ts';
import { combinedPatch, compareLeaves, showChanges, type Change, type DiffForm } from './changes.ts';
import { asBytes, fromObjects, NOTHING } from './context.ts';
import {
  DIFF_FLAGS,
  DIFF_OPTIONAL,
  DIFF_SAME,
  DIFF_VALUES,
  formsOf,
  selectChanges,
  showOptionsOf,
} from './diff-options.ts';
import { GitFailure } from './git-failure.ts';
import type { Leaf, Repository } from './repository.ts';

export const LOG_KNOWN: KnownOptions = {
  flags: [
    ...DIFF_FLAGS.filter((flag) => flag !== '-R'),
    '--oneline',
    '--reverse',
    '--no-merges',
    '--merges',
    '--first-parent',
    '--abbrev-commit',
    '--no-abbrev-commit',
    '--all',
    '--branches',
    '--tags',
    '--follow',
    '--topo-order',
    '--date-order',
    '--no-walk',
    '--no-decorate',
    '-i',
    '-F',
    '-E',
    '--invert-grep',
    '-m',
    '-c',
    '--cc',
  ],
  values: [
    ...DIFF_VALUES,
    '-n',
    '--skip',
    '--format',
    '--date',
    '--author',
    '--committer',
    '--grep',
    '--since',
    '--until',
  ],
  optional: [...DIFF_OPTIONAL, '--decorate'],
  same: {
    ...DIFF_SAME,
    '--max-count': '-n',
    '--pretty': '--format',
    '--after': '--since',
    '--before': '--until',
    '--regexp-ignore-case': '-i',
    '--fixed-strings': '-F',
    '--extended-regexp': '-E',
  },
  digits: true,
};

const NAMED_FORMATS = new Set(['oneline', 'short', 'medium', 'full', 'fuller', 'raw', 'reference']);

/** No text, and a place for it. */
const EMPTY = '\0';

/** Branches and tags by the commit that they are at, as git lists them. */
const namesByCommit = async (repository: Repository): Promise<ReadonlyMap<string, readonly string[]>> => {
  const names = new Map<string, string[]>();
  const add = (oid: string | undefined, name: string): void => {
    if (oid !== undefined) names.set(oid, [name, ...(names.get(oid) ?? [])]);
  };
  const [current, head] = [await repository.branch(), await repository.head()];
  for (const ref of await repository.refs()) {
    const found = await repository.object(`${ref}^{commit}`);
    const short = ref.replace(/^refs\/(?:heads|remotes|tags)\//, '');
    if (ref === `refs/heads/${current ?? ''}` && found?.oid === head) continue;
    add(found?.oid, ref.startsWith('refs/tags/') ? `tag: ${short}` : short);
  }
  add(head, current === undefined ? 'HEAD' : `HEAD -> ${current}`);
  return names;
};

export interface CommitShower {
  readonly pretty: PrettyOptions;
  readonly show: (commit: CommitInfo) => Promise<string>;
  /** No words at all, only differences. */
  readonly isBare: boolean;
  readonly forms: readonly DiffForm[];
}

export const parentChanges = async (
  repository: Repository,
  commit: CommitInfo,
  isWanted: (path: string) => boolean,
  parent = commit.parents[0],
): Promise<readonly Change[]> => {
  if (parent !== undefined) await repository.commit(parent);
  return compareLeaves(await repository.leaves(parent), await repository.leaves(commit.oid), isWanted);
};

export const createShower = async (
  repository: Repository,
  given: GitArguments,
  asked: DiffForm,
  isWanted: (path: string) => boolean,
  now: number,
): Promise<CommitShower> => {
  const { flags, values } = given;
  const usual = flags.has('--cc') || flags.has('-c') ? 'patch' : asked;
  const format = values.get('--format');
  const isOneLine = flags.has('--oneline');
  const isBare = format === '' || /^t?format:$/.test(format ?? '');
  if (format !== undefined && !isBare && !/%/.test(format) && !/^t?format:/.test(format) && !NAMED_FORMATS.has(format))
    throw new GitFailure(`fatal: invalid --pretty format: ${format}`);
  const chosen =
    format === undefined
      ? isOneLine
        ? 'oneline'
        : 'medium'
      : /%/.test(format) && !/^t?format:/.test(format)
        ? `tformat:${format}`
        : format;
  const decorate = flags.has('--no-decorate') ? 'no' : values.get('--decorate');
  const isDecorated = decorate !== undefined && decorate !== 'no' && decorate !== 'auto';
  const needsNames = isDecorated || /%d|%D/.test(chosen);
  const names = needsNames ? await namesByCommit(repository) : new Map<string, readonly string[]>();
  const digits = Number(values.get('--abbrev') || 7);
  const pretty: PrettyOptions = {
    format: chosen,
    abbreviate: isOneLine || (flags.has('--abbrev-commit') && !flags.has('--no-abbrev-commit')),
    date: values.get('--date') ?? 'default',
    now,
    isDecorated,
    digits,
  };
  const options = showOptionsOf(given, usual);
  const contents = fromObjects(repository);
  const forms = formsOf(given, usual);

  const headOf = (commit: CommitInfo, fromParent?: string): string =>
    isBare
      ? ''
      : asBytes(
          prettyCommit(commit, {
            ...pretty,
            names: names.get(commit.oid) ?? [],
            ...(fromParent !== undefined && { fromParent }),
          }),
        );
  const withHead = (head: string, shown: string): string => {
    if (isBare) return shown === EMPTY ? '' : shown;
    if (shown === '') return `${head}\n`;
    if (shown === EMPTY) return `${head}\n\n`;
    const isTight = pretty.format === 'oneline';
    return head === '' ? shown : `${head}\n${isTight ? '' : '\n'}${shown}`;
  };
  const against = async (commit: CommitInfo, parent: string | undefined): Promise<string> => {
    const changes = await selectChanges(await parentChanges(repository, commit, isWanted, parent), contents, given);
    return showChanges(changes, contents, options);
  };

  /** Files that are as in none of the parents. */
  const combined = async (commit: CommitInfo, isDense: boolean): Promise<string> => {
    const sides = await Promise.all(
      commit.parents.map(async (parent) => repository.leaves((await repository.commit(parent)).oid)),
    );
    const result = await repository.leaves(commit.oid);
    const parts: string[] = [];
    const paths = [...new Set([...result.keys(), ...sides.flatMap((side) => [...side.keys()])])]
      .filter((path) => isWanted(path) && sides.every((side) => side.get(path)?.oid !== result.get(path)?.oid))
      .toSorted((a, b) => (a < b ? -1 : 1));
    if (forms.includes('name-only')) parts.push(await namesOf(paths, sides, result, false));
    if (forms.includes('name-status')) parts.push(await namesOf(paths, sides, result, true));
    // How much changed is counted against the first parent alone.
    const counted = forms.filter(
      (form) => form === 'stat' || form === 'numstat' || form === 'shortstat' || form === 'summary',
    );
    if (counted.length > 0) {
      const changes = await selectChanges(await parentChanges(repository, commit, isWanted), contents, given);
      parts.push(await showChanges(changes, contents, { ...options, forms: counted }));
    }
    if (!forms.includes('patch')) return parts.join('');
    const patches: string[] = [];
    for (const path of paths) {
      const after = result.get(path);
      const parents = sides.flatMap((side): readonly Leaf[] => [side.get(path) ?? []].flat());
      if (!after || parents.length < sides.length) continue;
      const bytes = await contents.after({ status: 'M', path, before: undefined, after });
      const blob = (before: Leaf): Promise<Uint8Array> =>
        contents.before({ status: 'M', path, before, after: undefined });
      patches.push(await combinedPatch({ path, parents, after }, blob, bytes ?? NOTHING, isDense, options.context));
    }
    const shown = patches.join('');
    // Files that both sides changed, and nothing of it to show: the empty line before them stands alone.
    if (shown === '' && parts.length === 0 && paths.length > 0) return EMPTY;
    return parts.join('') + (parts.length > 0 && shown !== '' ? '\n' : '') + shown;
  };

  const namesOf = async (
    paths: readonly string[],
    sides: readonly ReadonlyMap<string, Leaf>[],
    result: ReadonlyMap<string, Leaf>,
    hasStatus: boolean,
  ): Promise<string> => {
    const changes = paths.map((path): Change => ({ status: 'M', path, before: undefined, after: undefined }));
    const lines = (await showChanges(changes, contents, { ...options, forms: ['name-only'] })).split(/(?<=[\n\0])/);
    if (!hasStatus) return lines.join('');
    const letters = (path: string): string =>
      sides.map((side) => (!side.has(path) ? 'A' : result.has(path) ? 'M' : 'D')).join('');
    return lines.map((name, at) => `${letters(paths[at] ?? '')}\t${name}`).join('');
  };

  const show = async (commit: CommitInfo): Promise<string> => {
    if (forms.includes('none')) return withHead(headOf(commit), '');
    const isMerge = commit.parents.length > 1;

    if (isMerge && flags.has('-m') && !flags.has('--first-parent')) {
      const parts: string[] = [];
      for (const parent of commit.parents) parts.push(withHead(headOf(commit, parent), await against(commit, parent)));
      return parts.join(pretty.format === 'oneline' ? '' : '\n');
    }
    if (isMerge && !flags.has('--first-parent'))
      return withHead(headOf(commit), usual === 'patch' ? await combined(commit, !flags.has('-c')) : '');
    return withHead(headOf(commit), await against(commit, commit.parents[0]));
  };

  return { pretty, show, isBare, forms };
};
