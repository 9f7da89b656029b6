/** `git add`, `commit` and `init`. */
import { dateText, shortOid, splitMessage, type Signature } from '../../../model/sandbox/git-text.ts';
import { fromTop, pathFilter, readArguments } from './arguments.ts';
import { compareLeaves, showChanges, summaryOf } from './changes.ts';
import { asBytes, fromObjects, stagedLeaves, type GitContext, type GitOutput } from './context.ts';
import { findRenames } from './renames.ts';
import { GitFailure } from './git-failure.ts';
import type { Repository } from './repository.ts';
import { status } from './status.ts';

/** Who commits when the repository does not say. */
const NOBODY = { name: 'Lathe sandbox', email: 'sandbox@lathe.invalid' } as const;

interface Staged {
  readonly added: readonly string[];
  readonly gone: readonly string[];
}

const stage = async (
  repository: Repository,
  isWanted: (path: string) => boolean,
  onlyTracked: boolean,
  isDry = false,
): Promise<Staged> => {
  const work = await repository.workFiles({ all: true, untracked: !onlyTracked });
  const changed = [...work.changed].filter(([path]) => isWanted(path));
  // A file that waits for a decision is decided by what is in the folder.
  const open = [...(await repository.conflicts()).keys()].filter(isWanted);
  const isThere = await Promise.all(open.map(async (path) => (await repository.exists(path)) === 'file'));
  const added = [
    ...changed.filter(([, leaf]) => leaf).map(([path]) => path),
    ...open.filter((_path, at) => isThere[at] === true),
    ...work.untracked.filter((path) => isWanted(path) && !path.endsWith('/')),
  ];
  const gone = [
    ...changed.filter(([, leaf]) => !leaf).map(([path]) => path),
    ...open.filter((_path, at) => isThere[at] !== true),
  ];
  if (!isDry && added.length > 0) await repository.add(added);
  if (!isDry && gone.length > 0) await repository.unstage(gone);
  return { added, gone };
};

/** Of the paths that were named, those that a rule ignores; a name of many files stands for none. */
const ignoredPaths = async (
  { repository, cwd }: GitContext,
  paths: readonly string[],
  tracked: ReadonlyMap<string, unknown>,
): Promise<readonly string[]> => {
  const { untracked: ignored } = await repository.workFiles({ all: false, untracked: true, ignored: true });
  return paths.filter((path) => {
    if (/[*?[]/.test(path)) return false;
    const top = fromTop(repository, cwd, path);
    if (top === '' || tracked.has(top)) return false;
    return ignored.some((one) => one === top || one === `${top}/` || (one.endsWith('/') && top.startsWith(one)));
  });
};

export const add = async (context: GitContext, args: readonly string[]): Promise<GitOutput> => {
  const { repository, cwd } = context;
  const given = readArguments('add', args, {
    flags: ['-A', '-u', '-v', '-f', '-n'],
    same: { '--all': '-A', '--update': '-u', '--verbose': '-v', '--force': '-f', '--dry-run': '-n' },
  });
  const paths = [...given.words, ...(given.paths ?? [])];
  const isAll = given.flags.has('-A') || given.flags.has('-u');
  if (paths.length === 0 && !isAll)
    return {
      stdout: '',
      stderr:
        'Nothing specified, nothing added.\nhint: Maybe you wanted to say \'git add .\'?\nhint: Turn this message off by running\nhint: "git config advice.addEmptyPathspec false"\n',
    };
  const tracked = await stagedLeaves(repository);
  for (const path of paths) {
    const top = fromTop(repository, cwd, path);
    const isKnown =
      /[*?[]/.test(path) ||
      (await repository.exists(top)) !== undefined ||
      tracked.has(top) ||
      [...tracked.keys()].some((one) => one.startsWith(`${top}/`));
    if (!isKnown) throw new GitFailure(`fatal: pathspec '${path}' did not match any files`);
  }
  if (given.flags.has('-f')) {
    const files = [];
    for (const path of paths) {
      const top = fromTop(repository, cwd, path);
      if ((await repository.exists(top)) === 'file') files.push(top);
    }
    if (files.length > 0) await repository.add(files);
  } else {
    const ignored = await ignoredPaths(context, paths, tracked);
    if (ignored.length > 0)
      throw new GitFailure(
        `The following paths are ignored by one of your .gitignore files:\n${ignored.join('\n')}\nhint: Use -f if you really want to add them.\nhint: Turn this message off by running\nhint: "git config advice.addIgnoredFile false"`,
        1,
      );
  }
  const isDry = given.flags.has('-n');
  const { added, gone } = await stage(repository, pathFilter(repository, cwd, paths), given.flags.has('-u'), isDry);
  if (!isDry && !given.flags.has('-v')) return { stdout: '' };
  const lines = [...added.map((path) => [path, 'add'] as const), ...gone.map((path) => [path, 'remove'] as const)];
  return {
    stdout: asBytes(
      lines
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([path, what]) => `${what} '${path}'\n`)
        .join(''),
    ),
  };
};

const parseAuthor = (text: string, when: Pick<Signature, 'timestamp' | 'timezoneOffset'>): Signature => {
  const [, name, email] = /^([^<]*)<([^>]*)>\s*$/.exec(text) ?? [];
  if (name === undefined || email === undefined)
    throw new GitFailure(`fatal: --author '${text}' is not 'Name <email>' and matches no existing author`);
  return { name: name.trim(), email, ...when };
};

const isSame = (one: Signature, another: Signature): boolean =>
  one.name === another.name && one.email === another.email;

const summary = async (
  repository: Repository,
  oid: string,
  { isRoot, showsDate }: { readonly isRoot: boolean; readonly showsDate: boolean },
): Promise<string> => {
  const commit = await repository.commit(oid);
  const [parent] = commit.parents;
  const before = parent === undefined ? new Map() : await repository.leaves((await repository.commit(parent)).oid);
  const contents = fromObjects(repository);
  const changes = await findRenames(
    compareLeaves(before, await repository.leaves(oid), () => true),
    contents,
  );
  const branch = (await repository.branch()) ?? 'detached HEAD';
  const { subject } = splitMessage(commit.message);
  const { author, committer } = commit;
  const lines = [
    `[${branch}${isRoot ? ' (root-commit)' : ''} ${shortOid(oid)}] ${subject}\n`,
    ...(isSame(author, committer) ? [] : [` Author: ${author.name} <${author.email}>\n`]),
    ...(showsDate ? [` Date: ${dateText(author)}\n`] : []),
  ];
  // What a merge changed is told by its parents.
  const counts = commit.parents.length > 1 ? '' : await showChanges(changes, contents, { forms: ['shortstat'] });
  const kinds = commit.parents.length > 1 ? [] : changes.map(summaryOf);
  return asBytes(lines.join('')) + counts + kinds.join('');
};

const readDate = (text: string): Pick<Signature, 'timestamp' | 'timezoneOffset'> => {
  const [, seconds, sign, hours, minutes] = /^@?(\d{6,})(?:\s+([+-])(\d\d)(\d\d))?$/.exec(text) ?? [];
  const zone = /([+-])(\d\d):?(\d\d)$/.exec(text);
  const offset = (mark = '+', h = '0', m = '0'): number => (mark === '-' ? 1 : -1) * (Number(h) * 60 + Number(m)) || 0;
  if (seconds !== undefined) return { timestamp: Number(seconds), timezoneOffset: offset(sign, hours, minutes) };
  const parsed = Date.parse(/\dT?\d|:/.test(text) && !zone && !text.endsWith('Z') ? `${text}Z` : text);
  const time = Number.isNaN(parsed) ? Date.parse(text) : parsed;
  if (Number.isNaN(time)) throw new GitFailure(`fatal: invalid date format: ${text}`);
  return { timestamp: Math.floor(time / 1000), timezoneOffset: zone ? offset(zone[1], zone[2], zone[3]) : 0 };
};

interface CommitWords {
  readonly messages: readonly string[];
  readonly rest: readonly string[];
}

/** `-m` may come several times: each is a paragraph. */
const takeMessages = (args: readonly string[]): CommitWords => {
  const messages: string[] = [];
  const rest: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    const next = (): string => {
      const value = args[++at];
      if (value === undefined) throw new GitFailure("error: switch `m' requires a value", 129);
      return value;
    };
    const bundle = /^-([aqsn]*)m(.*)$/s.exec(word);
    if (word === '--') {
      rest.push(...args.slice(at));
      break;
    } else if (bundle) {
      for (const letter of bundle[1] ?? '') rest.push(`-${letter}`);
      messages.push(bundle[2] === '' ? next() : (bundle[2] ?? ''));
    } else if (word === '--message') messages.push(next());
    else if (word.startsWith('--message=')) messages.push(word.slice(10));
    else rest.push(word);
  }
  return { messages, rest };
};

/** As git tidies a message: no blanks at the ends of lines, no lines of comment, one empty line at most. */
const tidied = (message: string, hasComments: boolean): string =>
  message
    .split('\n')
    .filter((line) => !hasComments || !line.startsWith('#'))
    .map((line) => line.replace(/(?<!\s)\s+$/, ''))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');

export const commit = async (context: GitContext, args: readonly string[]): Promise<GitOutput> => {
  const { repository, now } = context;
  const { messages, rest } = takeMessages(args);
  const given = readArguments('commit', rest, {
    flags: [
      '-a',
      '-q',
      '-s',
      '--allow-empty',
      '--amend',
      '--no-edit',
      '-n',
      '--no-gpg-sign',
      '--dry-run',
      '--reset-author',
    ],
    values: ['--author', '--date', '-F', '-C'],
    same: {
      '--all': '-a',
      '--quiet': '-q',
      '--signoff': '-s',
      '--no-verify': '-n',
      '--file': '-F',
      '--reuse-message': '-C',
    },
  });
  const { flags, values } = given;
  const paths = [...given.words, ...(given.paths ?? [])];
  if (flags.has('-a') || paths.length > 0) await stage(repository, pathFilter(repository, context.cwd, paths), true);
  const open = [...(await repository.conflicts()).keys()];
  if (open.length > 0)
    throw new GitFailure(
      open.map((path) => `U\t${path}\n`).join('') +
        "error: Committing is not possible because you have unmerged files.\nhint: Fix them up in the work tree, and then use 'git add/rm <file>'\nhint: as appropriate to mark resolution and make a commit.\nfatal: Exiting because of an unresolved conflict.",
    );
  const head = await repository.head();
  const isAmend = flags.has('--amend');
  if (isAmend && head === undefined) throw new GitFailure('fatal: You have nothing yet to amend.');
  const last = head === undefined ? undefined : await repository.commit(head);
  const staged = compareLeaves(await repository.leaves(head), await stagedLeaves(repository), () => true);
  const merged = (await repository.note('MERGE_HEAD'))?.split('\n').filter((line) => line !== '');
  if (flags.has('--dry-run') || (staged.length === 0 && !merged && !flags.has('--allow-empty') && !isAmend))
    return { stdout: (await status(context, [])).stdout, exitCode: staged.length === 0 && !merged ? 1 : 0 };
  const reused = values.has('-C')
    ? await repository.commit(await repository.resolve(values.get('-C') ?? ''))
    : undefined;
  const file = values.get('-F');
  const fromFile = file === undefined ? undefined : await readMessage(context, file);
  const asGiven =
    messages.length > 0
      ? messages.map((one) => one.trim()).join('\n\n')
      : (fromFile ?? reused?.message ?? (isAmend ? last?.message : undefined));
  const note = asGiven === undefined && merged ? tidied((await repository.note('MERGE_MSG')) ?? '', true) : undefined;
  const message = tidied(asGiven ?? note ?? '', false);
  if (message === '') {
    if (asGiven !== undefined) throw new GitFailure('Aborting commit due to empty commit message.', 1);
    throw new GitFailure(
      'error: there is no editor in the sandbox; give the message with -m\nPlease supply the message using either -m or -F option.',
      1,
    );
  }
  const name = (await repository.config('user.name')) ?? NOBODY.name;
  const email = (await repository.config('user.email')) ?? NOBODY.email;
  const moment = { timestamp: Math.floor(now), timezoneOffset: 0 };
  const committer = { name, email, ...moment };
  const date = values.get('--date');
  const when = date === undefined ? moment : readDate(date);
  const kept = flags.has('--reset-author') ? undefined : (reused?.author ?? (isAmend ? last?.author : undefined));
  const who = values.get('--author');
  const author =
    who === undefined
      ? { ...(kept ?? committer), ...(date === undefined && kept ? {} : when) }
      : parseAuthor(who, date === undefined && kept ? kept : when);
  const signed = `Signed-off-by: ${name} <${email}>`;
  const gap = /\n[A-Za-z-]+: [^\n]*$/.test(message) ? '\n' : '\n\n';
  const whole = flags.has('-s') && !message.endsWith(signed) ? `${message}${gap}${signed}` : message;
  const oid = await repository.writeCommit({
    message: `${whole}\n`,
    author,
    committer,
    amend: isAmend,
    ...(merged && !isAmend && head !== undefined && { parents: [head, ...merged] }),
  });
  if (merged) for (const left of ['MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE']) await repository.forget(left);
  if (flags.has('-q')) return { stdout: '' };
  const showsDate = date !== undefined || kept !== undefined;
  return { stdout: await summary(repository, oid, { isRoot: head === undefined, showsDate }) };
};

const readMessage = async ({ repository, cwd, stdin }: GitContext, file: string): Promise<string> => {
  const bytes = file === '-' ? stdin : await repository.workBlob(fromTop(repository, cwd, file));
  if (!bytes) throw new GitFailure(`fatal: could not read log file '${file}': No such file or directory`);
  return new TextDecoder().decode(bytes);
};
