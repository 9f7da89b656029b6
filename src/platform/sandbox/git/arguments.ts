/** The words behind a command of git: options, revisions, paths. */
import { joinPath } from '../../../base/paths.ts';
import { GitFailure } from './git-failure.ts';
import type { Repository } from './repository.ts';

export interface GitArguments {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  /** Before `--`. */
  readonly words: readonly string[];
  /** Behind `--`; nothing if there was none. */
  readonly paths: readonly string[] | undefined;
}

export interface KnownOptions {
  readonly flags: readonly string[];
  /** Those that take a value, glued (`-n5`, `--max-count=5`) or as the next word. */
  readonly values?: readonly string[];
  /** Those whose value can only be glued. */
  readonly optional?: readonly string[];
  /** Other spellings. */
  readonly same?: Readonly<Record<string, string>>;
  /** `-5` is `-n 5`. */
  readonly digits?: boolean;
}

/** Decides nothing here, because there are no colors, pagers or terminals. */
const NOISE: ReadonlySet<string> = new Set([
  '--no-color',
  '--color',
  '--color=never',
  '--color=auto',
  '--no-pager',
  '--no-ext-diff',
  '--no-textconv',
  '--indent-heuristic',
  '--no-optional-locks',
  '--diff-algorithm=myers',
  '--diff-algorithm=default',
  '--diff-algorithm=minimal',
  '--diff-algorithm=patience',
  '--diff-algorithm=histogram',
  '--minimal',
  '--patience',
  '--histogram',
  '--ignore-submodules',
  '--no-color-moved',
  '--no-show-signature',
  '--no-notes',
  '--no-mailmap',
]);

export const readArguments = (command: string, args: readonly string[], known: KnownOptions): GitArguments => {
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const words: string[] = [];
  let paths: string[] | undefined;
  const unknown = (word: string): never => {
    const isLong = word.startsWith('--');
    const shown = isLong ? `option \`${word.slice(2).split('=')[0] ?? ''}'` : `switch \`${word.slice(1, 2)}'`;
    throw new GitFailure(
      `error: unknown ${shown}\nusage: git ${command} is limited in the sandbox. Options: ${[...known.flags, ...(known.values ?? []), ...(known.optional ?? [])].join(' ')}`,
      129,
    );
  };
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (paths) {
      paths.push(word);
      continue;
    }
    if (word === '--') {
      paths = [];
      continue;
    }
    if (!word.startsWith('-') || word === '-') {
      words.push(word);
      continue;
    }
    if (NOISE.has(word)) continue;
    const name = known.same?.[word] ?? word;
    if (known.flags.includes(name)) {
      flags.add(name);
      continue;
    }
    if (known.digits === true && /^-\d+$/.test(word)) {
      values.set('-n', word.slice(1));
      continue;
    }
    const [long = '', glued] = word.startsWith('--')
      ? word.split(/=(.*)/s)
      : [word.slice(0, 2), word.length > 2 ? word.slice(2) : undefined];
    const option = known.same?.[long] ?? long;
    if (known.optional?.includes(option)) values.set(option, glued ?? '');
    else if (known.values?.includes(option)) {
      const value = glued ?? args[++at];
      if (value === undefined)
        throw new GitFailure(`error: option \`${option.replace(/^-+/, '')}' requires a value`, 129);
      values.set(option, value);
    } else if (!word.startsWith('--') && word.length > 2) {
      // A bundle: `-am`.
      const letters = word.slice(1).split('');
      for (const [position, letter] of letters.entries()) {
        const short = known.same?.[`-${letter}`] ?? `-${letter}`;
        if (known.flags.includes(short)) flags.add(short);
        else if (known.values?.includes(short)) {
          const rest = letters.slice(position + 1).join('');
          values.set(short, rest === '' ? (args[++at] ?? '') : rest);
          break;
        } else unknown(word);
      }
    } else unknown(word);
  }
  return { flags, values, words, paths };
};

/** A path as it was typed, from the top of the repository; the empty one is the top. */
export const fromTop = (repository: Repository, cwd: string, given: string): string => {
  const steps: string[] = [];
  for (const step of `${given.startsWith('/') ? '' : `${cwd}/`}${given}`.split('/')) {
    if (step === '' || step === '.') continue;
    if (step === '..') steps.pop();
    else steps.push(step);
  }
  const path = `/${steps.join('/')}`;
  if (path === repository.dir) return '';
  if (path.startsWith(`${repository.dir}/`)) return path.slice(repository.dir.length + 1);
  throw new GitFailure(`fatal: ${given}: '${given}' is outside repository at '${repository.dir}'`);
};

const EXCLUDED = /^:(?:[!^]|\(exclude\))/;
const TOP = /^:(?:\/|\(top\))/;

/** Whether a file is one of these, or below one of them. No paths: every file. */
export const pathFilter = (
  repository: Repository,
  cwd: string,
  paths: readonly string[],
): ((path: string) => boolean) => {
  if (paths.length === 0) return () => true;
  const tests = paths.filter((given) => !EXCLUDED.test(given)).map(testOf);
  const others = paths.filter((given) => EXCLUDED.test(given)).map((given) => testOf(given.replace(EXCLUDED, '')));
  return (path) => (tests.length === 0 || tests.some((test) => test(path))) && !others.some((test) => test(path));
  function testOf(word: string): (path: string) => boolean {
    // `:/` and `:(top)` start at the top, wherever the command runs.
    const isTop = TOP.test(word);
    const given = word.replace(TOP, '') || '.';
    const at = isTop ? repository.dir : cwd;
    if (/[*?[]/.test(given)) {
      const prefix = fromTop(repository, at, '.');
      const whole = joinPath(prefix, given);
      const source = whole
        .replace(/[.+^${}()|\\]/g, '\\$&')
        .replaceAll('*', '.*')
        .replaceAll('?', '.');
      const pattern = new RegExp(`^${source}(?:/.*)?$`, 's');
      return (path: string) => pattern.test(path);
    }
    const top = fromTop(repository, at, given);
    return (path: string) => top === '' || path === top || path.startsWith(`${top}/`);
  }
};

/** Words that are neither behind `--` nor revisions have to be paths that exist. */
export const splitWords = async (
  repository: Repository,
  cwd: string,
  { words, paths }: GitArguments,
  isRevision: (word: string) => Promise<boolean>,
): Promise<{ readonly revisions: readonly string[]; readonly paths: readonly string[] }> => {
  if (paths) return { revisions: words, paths };
  const revisions: string[] = [];
  for (const [position, word] of words.entries()) {
    if (await isRevision(word)) {
      revisions.push(word);
      continue;
    }
    const rest = words.slice(position);
    for (const path of rest)
      if (!/^:|[*?[]/.test(path) && (await repository.exists(fromTop(repository, cwd, path))) === undefined)
        throw new GitFailure(
          `fatal: ambiguous argument '${path}': unknown revision or path not in the working tree.\n` +
            "Use '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'",
        );
    return { revisions, paths: rest };
  }
  return { revisions, paths: [] };
};
