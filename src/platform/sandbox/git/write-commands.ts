/** `git add`, `commit` and `init`. */
import { quotePath, shortOid, shortStat, splitMessage, type Signature } from '../../../model/sandbox/git-text.ts';
import { byteText, countLines, isBinary } from '../../../model/sandbox/unified-diff.ts';
import { fromTop, pathFilter, readArguments } from './arguments.ts';
import { compareLeaves } from './changes.ts';
import { asBytes, stagedLeaves, type GitContext, type GitOutput } from './read-commands.ts';
import { GitFailure, type Repository } from './repository.ts';
import { status } from './status.ts';

/** Who commits when the repository does not say. */
const NOBODY = { name: 'Lathe sandbox', email: 'sandbox@lathe.invalid' } as const;

const stage = async (
  repository: Repository,
  isWanted: (path: string) => boolean,
  onlyTracked: boolean,
): Promise<number> => {
  const work = await repository.workFiles({ all: true, untracked: !onlyTracked });
  const changed = [...work.changed].filter(([path]) => isWanted(path));
  const added = [
    ...changed.filter(([, leaf]) => leaf).map(([path]) => path),
    ...work.untracked.filter((path) => isWanted(path) && !path.endsWith('/')),
  ];
  const gone = changed.filter(([, leaf]) => !leaf).map(([path]) => path);
  if (added.length > 0) await repository.add(added);
  if (gone.length > 0) await repository.unstage(gone);
  return added.length + gone.length;
};

export const add = async ({ repository, cwd }: GitContext, args: readonly string[]): Promise<GitOutput> => {
  const given = readArguments('add', args, {
    flags: ['-A', '-u', '-v', '-f', '-n'],
    same: { '--all': '-A', '--update': '-u', '--verbose': '-v', '--force': '-f', '--dry-run': '-n' },
  });
  const paths = [...given.words, ...(given.paths ?? [])];
  const isAll = given.flags.has('-A') || given.flags.has('-u');
  if (paths.length === 0 && !isAll)
    return {
      stdout:
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
  }
  await stage(repository, pathFilter(repository, cwd, paths), given.flags.has('-u'));
  return { stdout: '' };
};

const parseAuthor = (text: string, when: Pick<Signature, 'timestamp' | 'timezoneOffset'>): Signature => {
  const [, name, email] = /^\s*(.*?)\s*<([^>]*)>\s*$/.exec(text) ?? [];
  if (name === undefined || email === undefined)
    throw new GitFailure(`fatal: --author '${text}' is not 'Name <email>' and matches no existing author`);
  return { name, email, ...when };
};

const summary = async (repository: Repository, oid: string, root: boolean): Promise<string> => {
  const commit = await repository.commit(oid);
  const [parent] = commit.parents;
  const before = parent === undefined ? new Map() : await repository.leaves((await repository.commit(parent)).oid);
  const changes = compareLeaves(before, await repository.leaves(oid), () => true);
  const counts = [];
  for (const { path, before: old, after } of changes) {
    const [one, two] = [
      old ? await repository.blob(old.oid) : new Uint8Array(),
      after ? await repository.blob(after.oid) : new Uint8Array(),
    ];
    const isText = !isBinary(one) && !isBinary(two);
    counts.push({ path, ...(isText ? countLines(byteText(one), byteText(two)) : { added: 0, removed: 0 }) });
  }
  const branch = (await repository.branch()) ?? 'detached HEAD';
  const modes = changes.flatMap(({ status: kind, path, from, before: old, after }) =>
    kind === 'A'
      ? [` create mode ${(after?.mode ?? 0).toString(8)} ${quotePath(path)}\n`]
      : kind === 'D'
        ? [` delete mode ${(old?.mode ?? 0).toString(8)} ${quotePath(path)}\n`]
        : kind === 'R'
          ? [` rename ${quotePath(from ?? '')} => ${quotePath(path)} (100%)\n`]
          : [],
  );
  const { subject } = splitMessage(commit.message);
  return `${asBytes(`[${branch}${root ? ' (root-commit)' : ''} ${shortOid(oid)}] ${subject}\n`)}${changes.length > 0 ? shortStat(counts) : ''}${modes.join('')}`;
};

export const commit = async (context: GitContext, args: readonly string[]): Promise<GitOutput> => {
  const { repository, now } = context;
  const messages: string[] = [];
  const rest: string[] = [];
  // `-m` may come several times: each is a paragraph.
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    const bundle = /^-([aqs]*)m(.*)$/s.exec(word);
    if (bundle) {
      for (const letter of bundle[1] ?? '') rest.push(`-${letter}`);
      messages.push(bundle[2] === '' ? (args[++at] ?? '') : (bundle[2] ?? ''));
    } else if (word === '--message') messages.push(args[++at] ?? '');
    else if (word.startsWith('--message=')) messages.push(word.slice(10));
    else rest.push(word);
  }
  const given = readArguments('commit', rest, {
    flags: ['-a', '-q', '--allow-empty', '--amend', '--no-edit', '-n', '--no-verify', '--no-gpg-sign'],
    values: ['--author', '--date'],
    same: { '--all': '-a', '--quiet': '-q' },
  });
  const paths = [...given.words, ...(given.paths ?? [])];
  if (given.flags.has('-a') || paths.length > 0)
    await stage(repository, pathFilter(repository, context.cwd, paths), true);
  const head = await repository.head();
  const isAmend = given.flags.has('--amend');
  if (isAmend && head === undefined) throw new GitFailure('fatal: You have nothing yet to amend.');
  const last = head === undefined ? undefined : await repository.commit(head);
  const staged = compareLeaves(await repository.leaves(head), await stagedLeaves(repository), () => true);
  if (staged.length === 0 && !given.flags.has('--allow-empty') && !isAmend)
    return { stdout: (await status(context, [])).stdout, exitCode: 1 };
  const message =
    messages.length > 0 ? messages.map((one) => one.trim()).join('\n\n') : isAmend ? (last?.message ?? '') : '';
  if (message.trim() === '') {
    if (messages.length > 0) throw new GitFailure('Aborting commit due to empty commit message.', 1);
    throw new GitFailure(
      'error: there is no editor in the sandbox; give the message with -m\nPlease supply the message using either -m or -F option.',
      1,
    );
  }
  const name = (await repository.config('user.name')) ?? NOBODY.name;
  const email = (await repository.config('user.email')) ?? NOBODY.email;
  const when = { timestamp: Math.floor(now), timezoneOffset: 0 };
  const committer = { name, email, ...when };
  const author = given.values.has('--author')
    ? parseAuthor(given.values.get('--author') ?? '', when)
    : isAmend && last
      ? last.author
      : committer;
  const oid = await repository.writeCommit({ message: `${message.trim()}\n`, author, committer, amend: isAmend });
  return {
    stdout: given.flags.has('-q')
      ? ''
      : await summary(repository, oid, (await repository.commit(oid)).parents.length === 0),
  };
};
