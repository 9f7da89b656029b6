/** Small questions about a repository: `rev-parse`, `branch`, `ls-files`. */
import { quotePath, shortOid } from '../../../model/sandbox/git-text.ts';
import { fromTop, pathFilter, readArguments } from './arguments.ts';
import { asBytes, type GitContext, type GitOutput } from './context.ts';
import { GitFailure } from './git-failure.ts';

export const revParse = async ({ repository, cwd }: GitContext, args: readonly string[]): Promise<GitOutput> => {
  const given = readArguments('rev-parse', args, {
    flags: [
      '--show-toplevel',
      '--abbrev-ref',
      '--is-inside-work-tree',
      '--git-dir',
      '--show-prefix',
      '--show-cdup',
      '--is-bare-repository',
      '--verify',
      '-q',
    ],
    optional: ['--short'],
    same: { '--quiet': '-q' },
  });
  const lines: string[] = [];
  if (given.flags.has('--show-toplevel')) lines.push(repository.dir);
  if (given.flags.has('--is-inside-work-tree')) lines.push('true');
  if (given.flags.has('--git-dir')) lines.push(cwd === repository.dir ? '.git' : repository.gitdir);
  if (given.flags.has('--show-prefix')) lines.push(cwd === repository.dir ? '' : `${fromTop(repository, cwd, '.')}/`);
  if (given.flags.has('--is-bare-repository')) lines.push('false');
  if (given.flags.has('--show-cdup')) {
    const below = fromTop(repository, cwd, '.');
    lines.push(below === '' ? '' : '../'.repeat(below.split('/').length));
  }
  for (const word of given.words) {
    if (given.flags.has('--abbrev-ref') && word === 'HEAD') lines.push((await repository.branch()) ?? 'HEAD');
    else {
      const oid = (await repository.object(word))?.oid;
      if (oid === undefined) {
        if (given.flags.has('--verify') || given.values.has('--short')) {
          if (given.flags.has('-q')) return { stdout: '', exitCode: 1 };
          throw new GitFailure('fatal: Needed a single revision');
        }
        return {
          stdout: asBytes(`${[...lines, word].join('\n')}\n`),
          stderr: `fatal: ambiguous argument '${word}': unknown revision or path not in the working tree.\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'\n`,
          exitCode: 128,
        };
      }
      const digits = Number(given.values.get('--short') || 7);
      lines.push(given.flags.has('--abbrev-ref') ? word : given.values.has('--short') ? oid.slice(0, digits) : oid);
    }
  }
  return { stdout: lines.map((line) => `${line}\n`).join('') };
};

export const branch = async ({ repository }: GitContext, args: readonly string[]): Promise<GitOutput> => {
  const given = readArguments('branch', args, { flags: ['--show-current', '--list', '-a', '-l'] });
  const current = await repository.branch();
  if (given.flags.has('--show-current')) return { stdout: current === undefined ? '' : asBytes(`${current}\n`) };
  const isListing = given.flags.has('--list') || given.flags.has('-l');
  if (given.words.length > 0 && !isListing)
    throw new GitFailure('fatal: git branch only lists branches in the sandbox', 128);
  const patterns = given.words.map(
    (word) =>
      new RegExp(
        `^${word
          .replace(/[.+^${}()|[\]\\]/g, '\\$&')
          .replaceAll('*', '.*')
          .replaceAll('?', '.')}$`,
      ),
  );
  const names = (await repository.branches())
    .filter((name) => patterns.length === 0 || patterns.some((pattern) => pattern.test(name)))
    .toSorted();
  const head =
    current === undefined && patterns.length === 0
      ? [`* (HEAD detached at ${shortOid((await repository.head()) ?? '')})\n`]
      : [];
  return { stdout: asBytes([...head, ...names.map((name) => `${name === current ? '*' : ' '} ${name}\n`)].join('')) };
};

export const listFiles = async ({ repository, cwd }: GitContext, args: readonly string[]): Promise<GitOutput> => {
  const given = readArguments('ls-files', args, {
    flags: ['-o', '--exclude-standard', '-c', '-m', '-d', '-s', '-i', '-z', '--full-name', '--error-unmatch'],
    same: {
      '--others': '-o',
      '--cached': '-c',
      '--modified': '-m',
      '--deleted': '-d',
      '--stage': '-s',
      '--ignored': '-i',
    },
  });
  const { flags } = given;
  const words = [...given.words, ...(given.paths ?? [])];
  const isWanted = pathFilter(repository, cwd, words);
  const prefix = fromTop(repository, cwd, '.');
  const index = await repository.index();
  const listed: string[] = [];
  if (flags.has('-o')) {
    const { untracked } = await repository.workFiles({ all: true, untracked: true, ignored: flags.has('-i') });
    listed.push(...untracked);
    // Without the rules everything that is not tracked is listed.
    if (!flags.has('--exclude-standard') && !flags.has('-i'))
      listed.push(...(await repository.workFiles({ all: true, untracked: true, ignored: true })).untracked);
    listed.sort((a, b) => (a < b ? -1 : 1));
  }
  if (flags.has('-m') || flags.has('-d')) {
    const { changed } = await repository.workFiles({ all: false, untracked: false });
    for (const [path, leaf] of changed) if (flags.has('-m') || leaf === undefined) listed.push(path);
    listed.sort((a, b) => (a < b ? -1 : 1));
  }
  const isIndex = flags.has('-c') || flags.has('-s') || !(flags.has('-o') || flags.has('-m') || flags.has('-d'));
  if (isIndex) listed.push(...index.map(({ path }) => path));
  const end = flags.has('-z') ? '\0' : '\n';
  const name = (path: string): string => {
    const shown = prefix === '' || flags.has('--full-name') ? path : path.slice(prefix.length + 1);
    return flags.has('-z') ? asBytes(shown) : quotePath(shown);
  };
  const isInside = (path: string): boolean => isWanted(path) && (prefix === '' || path.startsWith(`${prefix}/`));
  if (flags.has('--error-unmatch'))
    for (const word of words) {
      const isWord = pathFilter(repository, cwd, [word]);
      if (!listed.some(isWord))
        throw new GitFailure(
          `error: pathspec '${word}' did not match any file(s) known to git\nDid you forget to 'git add'?`,
          1,
        );
    }
  if (flags.has('-s'))
    return {
      stdout: index
        .filter(({ path }) => isInside(path))
        .map(({ path, oid, mode, stage }) => `${mode.toString(8)} ${oid} ${stage}\t${name(path)}${end}`)
        .join(''),
    };
  return {
    stdout: listed
      .filter(isInside)
      .map((path) => `${name(path)}${end}`)
      .join(''),
  };
};
