/** What can be said of a command without running it. argv is never a shell's text. */
import { baseName } from '../../base/paths.ts';
import { startedBy } from './started-commands.ts';

/** As a person would type it; only for reading. */
export const commandText = (argv: readonly string[]): string =>
  argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');

const READERS: ReadonlySet<string> = new Set(['ls', 'cat', 'grep', 'find', 'head', 'tail', 'wc', 'diff']);
const GIT_READERS: ReadonlySet<string> = new Set(['status', 'diff', 'log', 'show']);
/** Options of git that write a file or start a program. Git takes any beginning of a long option for the whole. */
const GIT_WRITERS = ['--output', '--ext-diff', '--textconv'];

const isGitWriter = (word: string): boolean => {
  const option = word.split('=')[0] ?? '';
  return option.length > 2 && GIT_WRITERS.some((writer) => writer.startsWith(option));
};

const isStarting = (argv: readonly string[]): boolean => {
  const { commands, unknown } = startedBy(argv);
  return commands.length > 0 || unknown !== undefined;
};

/** Whether it is on the list of commands that only read (D21), options included. */
export const isReadOnly = (argv: readonly string[]): boolean => {
  const [program = '', ...rest] = argv;
  // With an option in front (`-c`, `-C`, `--exec-path`) git may be made to do anything.
  if (program === 'git') return GIT_READERS.has(rest[0] ?? '') && !rest.slice(1).some(isGitWriter);
  return READERS.has(program) && !isStarting(argv);
};

/** Programs whose first argument says what they do. */
const WITH_COMMANDS: ReadonlySet<string> = new Set(
  'git npm pnpm yarn bun deno npx cargo go make just docker kubectl gh pip pip3 uv poetry'.split(' '),
);
/** Programs that run whatever they are given. */
const INTERPRETERS: ReadonlySet<string> = new Set('python python3 pypy node bash sh zsh ruby perl'.split(' '));
/** With a version after the name too: `python3.12`. */
const isInterpreter = (program: string): boolean =>
  INTERPRETERS.has(program) || INTERPRETERS.has(program.replace(/(?<![\d.])[-.]?\d[\d.]*$/, ''));
/** Programs that run the command after them. */
const WRAPPERS: ReadonlySet<string> = new Set(
  'env xargs timeout time nohup nice busybox sudo watch awk gawk mawk eval exec command'.split(' '),
);
/** Their first words say what is covered. */
const SAYS_WHAT: readonly ReadonlySet<string>[] = [WITH_COMMANDS, INTERPRETERS];
const RUNS_ANOTHER: ReadonlySet<string> = new Set(['run', 'exec', 'x', 'dlx']);

/** `/bin/bash` is `bash`. */
const isKnownByPath = (program: string): boolean => {
  const name = baseName(program);
  return name !== program && [READERS, WITH_COMMANDS, INTERPRETERS, WRAPPERS].some((known) => known.has(name));
};

/**
 * What an approval for "this session" or "always" covers: the program with its sub-command, such as `git commit`,
 * `npm run test`, `python3 -m unittest`, `python3 build.py`. Where that would cover too much, exactly this command.
 */
export const commandKey = (argv: readonly string[]): string => {
  const [program = '', first, second] = argv;
  const exactly = JSON.stringify(argv);
  const isPlain = (word: string | undefined): word is string => word !== undefined && /^[^-\s"[][^\s"]*$/.test(word);
  if (!isPlain(program) || isKnownByPath(program) || WRAPPERS.has(program)) return exactly;
  if ((program === 'git' || !SAYS_WHAT.some((known) => known.has(program))) && isStarting(argv)) return exactly;
  if (program === 'git' ? GIT_READERS.has(first ?? '') : READERS.has(program)) return exactly;
  if (isInterpreter(program)) {
    if (first === '-m' && isPlain(second)) return `${program} -m ${second}`;
    return isPlain(first) ? `${program} ${first}` : exactly;
  }
  if (!WITH_COMMANDS.has(program) || argv.length === 1) return program;
  if (!isPlain(first)) return exactly;
  if (RUNS_ANOTHER.has(first)) {
    const isOpen = !isPlain(second) || isInterpreter(second) || WRAPPERS.has(second) || isKnownByPath(second);
    return isOpen ? exactly : `${program} ${first} ${second}`;
  }
  return `${program} ${first}`;
};
