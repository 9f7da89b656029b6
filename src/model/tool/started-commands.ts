/**
 * What a command starts besides itself. `find` that runs `sh` is a shell, `env rm` is `rm`: a list that allows `find` has not allowed
 * them. What cannot be read from the words (a script, a recipe, an alias) is said to be unknown, and is judged as the worst. SPEC.md TO37.
 */
import { baseName } from '../../base/paths.ts';

export interface Started {
  /** Commands that are named in the words, each with its own. */
  readonly commands: readonly (readonly string[])[];
  /** What decides what else is started, such as `a makefile`; nothing if nothing else is. */
  readonly unknown?: string;
}

const NOTHING: Started = { commands: [] };
const one = (argv: readonly string[]): Started => (argv.length === 0 ? NOTHING : { commands: [argv] });
const unknown = (what: string): Started => ({ commands: [], unknown: what });
const both = (a: Started, b: Started): Started => {
  const what = a.unknown ?? b.unknown;
  return { commands: [...a.commands, ...b.commands], ...(what !== undefined && { unknown: what }) };
};

/** Words of a shell that have no other meaning than themselves, in quotes or bare; nothing where there is more to it. */
const plainShellCommands = (text: string): readonly (readonly string[])[] | undefined => {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | undefined;
  const endWord = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === "'" || char === '"') {
      const end = text.indexOf(char, at + 1);
      const inner = text.slice(at + 1, end);
      if (end === -1 || (char === '"' && /[$`\\!]/.test(inner))) return undefined;
      word = (word ?? '') + inner;
      at = end;
    } else if (char === ' ' || char === '\t') endWord();
    else if (char === '\n' || char === ';' || char === '|' || char === '&') endCommand();
    else if (/[\w@%+=:,./~^-]/.test(char)) word = (word ?? '') + char;
    else return undefined;
  }
  endCommand();
  return commands;
};

/** Words that steer a shell, or change what the next words mean. */
const SHELL_WORDS: ReadonlySet<string> = new Set(
  'if then else elif fi for while until do done case esac function select in time coproc alias unalias source . eval exec trap set shopt export declare local readonly hash enable builtin read let'.split(
    ' ',
  ),
);

const fromShellText = (text: string): Started => {
  const commands = plainShellCommands(text);
  const isPlain = commands?.every(([first = '']) => !SHELL_WORDS.has(first) && !first.includes('='));
  return commands && isPlain === true ? { commands } : unknown('a shell script');
};

/** What follows the options; `valued` are options whose value is the next word. */
const afterOptions = (words: readonly string[], valued: RegExp): readonly string[] => {
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') return words.slice(at + 1);
    if (!word.startsWith('-') || word === '-') break;
    if (valued.test(word)) at++;
  }
  return words.slice(at);
};

const shell = (words: readonly string[]): Started => {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (/^-[a-z]*c[a-z]*$/i.test(word)) return fromShellText(words[at + 1] ?? '');
    if (!word.startsWith('-') && !word.startsWith('+')) return unknown('a shell script');
    if (/^[-+]o$|^--(?:rcfile|init-file)$/.test(word)) at++;
  }
  return unknown('a shell script');
};

const env = (words: readonly string[]): Started => {
  if (words.some((word) => /^(?:-[a-zA-Z]*S|--split-string)/.test(word))) return unknown('a text that env splits');
  const rest = afterOptions(words, /^(?:-[iv0]*[uC]|--unset|--chdir)$/);
  return one(rest.slice(rest.findIndex((word) => !word.includes('=')) >>> 0));
};

const find = (words: readonly string[]): Started => {
  let found: Started = NOTHING;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (/^-(?:exec|execdir|ok|okdir)$/.test(word)) {
      const behind = words.slice(at + 1);
      const length = behind.findIndex((item, index) => item === ';' || (item === '+' && behind[index - 1] === '{}'));
      const inner = length === -1 ? behind : behind.slice(0, length);
      found = both(found, one(inner));
      at += inner.length + 1;
    } else if (word === '-delete') found = both(found, one(['rm']));
    else if (/^-(?:fprint|fprint0|fprintf|fls)$/.test(word)) found = both(found, one(['tee']));
  }
  return found;
};

const git = (words: readonly string[]): Started => {
  const [first = '', ...rest] = words;
  if (first.startsWith('-') && !/^--(?:version|help|no-pager|paginate|bare|literal-pathspecs)$/.test(first))
    return unknown('a setting of git');
  const isHook = ['bisect', 'rebase', 'submodule', 'filter-branch', 'difftool', 'mergetool', 'for-each-repo'].includes(
    first,
  );
  const isStarter = rest.some((word) =>
    /^(?:-x|--exec|--ext-diff|--textconv|--upload-pack|--receive-pack|--extcmd|-u)(?:=|$)/.test(word),
  );
  if (isHook || isStarter) return unknown('a setting of git');
  if (
    first === 'config' &&
    rest.some((word) =>
      /^(?:alias\.|core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass))|\.(?:cmd|command|textconv|driver|process|clean|smudge)$/i.test(
        word,
      ),
    )
  )
    return unknown('a setting of git');
  return NOTHING;
};

/** Whether the text of an awk program starts others: `system(…)`, `"cmd" | getline`, `print | "cmd"`. */
const awk = (words: readonly string[]): Started => {
  if (words.some((word) => /^(?:-f|--file|-l|--load|-i|--include|-E|--exec|-e|--source)/.test(word)))
    return unknown('an awk program');
  const program = afterOptions(words, /^-[vF]$/)[0] ?? '';
  return /\bsystem\b|@load|@include|\||getline/.test(program.replaceAll('||', ''))
    ? unknown('an awk program')
    : NOTHING;
};

/** Whether a sed script has the command `e` or the flag `e` of `s`; what cannot be told counts. */
const isStartingSed = (script: string): boolean => {
  let at = 0;
  const skipTo = (mark: string): void => {
    for (; at < script.length && script[at] !== mark; at++) if (script[at] === '\\') at++;
    at++;
  };
  while (at < script.length) {
    const char = script[at++] ?? '';
    if (char === '/') skipTo('/');
    else if (char === '\\') skipTo(script[at++] ?? '');
    else if (char === 's' || char === 'y') {
      const mark = script[at++] ?? '';
      skipTo(mark);
      skipTo(mark);
      const flags = /^[a-zA-Z0-9]*/.exec(script.slice(at, at + 20))?.[0] ?? '';
      if (char === 's' && flags.includes('e')) return true;
      at += flags.length;
    } else if (char === 'e') return true;
    else if (/[aicbtTrRwW:#]/.test(char)) {
      const end = script.indexOf('\n', at);
      at = end === -1 ? script.length : end;
    }
  }
  return false;
};

const sed = (words: readonly string[]): Started => {
  if (words.some((word) => /^(?:-[a-zA-Z]*f|--file)/.test(word))) return unknown('a sed script');
  const scripts = words.flatMap((word, index) => {
    if (/^(?:-[nErsuz]*e|--expression)$/.test(word)) return [words[index + 1] ?? ''];
    return word.startsWith('--expression=') ? [word.slice('--expression='.length)] : [];
  });
  const all = scripts.length > 0 ? scripts : afterOptions(words, /^-l$/).slice(0, 1);
  return all.some(isStartingSed) ? unknown('a sed script') : NOTHING;
};

/** Options of tar that name a program; any beginning of a long option stands for it. */
const TAR_STARTERS = [
  '--to-command',
  '--checkpoint-action',
  '--use-compress-program',
  '--rsh-command',
  '--rmt-command',
  '--info-script',
  '--new-volume-script',
];

const tar = (words: readonly string[]): Started => {
  const isStarter = (word: string): boolean => {
    const option = word.split('=')[0] ?? '';
    return (option.length > 3 && TAR_STARTERS.some((name) => name.startsWith(option))) || /^-[a-zA-Z]*[IF]/.test(word);
  };
  return words.some(isStarter) ? unknown('an option of tar') : NOTHING;
};

const timed =
  (valued: RegExp, own: number) =>
  (words: readonly string[]): Started =>
    one(afterOptions(words, valued).slice(own));

type Reader = (words: readonly string[]) => Started;
const makefile: Reader = () => unknown('a file of recipes');
const remote: Reader = () => unknown('another machine');

const STARTERS: Readonly<Record<string, Reader>> = {
  sh: shell,
  bash: shell,
  zsh: shell,
  dash: shell,
  ksh: shell,
  env,
  find,
  git,
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  sed,
  tar,
  xargs: timed(/^(?:-[IELnPsda]|--(?:replace|max-args|max-procs|max-lines|max-chars|delimiter|arg-file|eof))$/, 0),
  parallel: () => unknown('a template of parallel'),
  timeout: timed(/^(?:-[ks]|--(?:kill-after|signal))$/, 1),
  nice: timed(/^(?:-n|--adjustment)$/, 0),
  ionice: timed(/^-[cnp]$/, 0),
  nohup: timed(/^$/, 0),
  setsid: timed(/^$/, 0),
  time: timed(/^-[fo]$/, 0),
  stdbuf: timed(/^-[ioe]$/, 0),
  busybox: timed(/^$/, 0),
  command: (words) => (/^-[vV]+$/.test(words[0] ?? '') ? NOTHING : timed(/^$/, 0)(words)),
  exec: timed(/^-a$/, 0),
  builtin: timed(/^$/, 0),
  sudo: timed(/^-[ugpCrtTUhD]$/, 0),
  doas: timed(/^-[uC]$/, 0),
  eval: (words) => fromShellText(words.join(' ')),
  watch: (words) => fromShellText(afterOptions(words, /^-n$/).join(' ')),
  source: () => unknown('a shell script'),
  '.': () => unknown('a shell script'),
  make: makefile,
  gmake: makefile,
  just: makefile,
  ninja: makefile,
  rake: makefile,
  task: makefile,
  ssh: remote,
  rsync: (words) => (words.some((word) => /^(?:-e|--rsh|--rsync-path)/.test(word)) ? remote(words) : NOTHING),
  vi: () => unknown('an editor'),
  vim: () => unknown('an editor'),
  ed: () => unknown('an editor'),
  less: () => unknown('a pager'),
  more: () => unknown('a pager'),
  man: () => unknown('a pager'),
};

export const startedBy = (argv: readonly string[]): Started => {
  const [program = '', ...words] = argv;
  const name = baseName(program);
  return (Object.hasOwn(STARTERS, name) ? STARTERS[name]?.(words) : undefined) ?? NOTHING;
};
