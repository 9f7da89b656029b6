/**
 * What a command starts besides itself. `find` that runs `sh` is a shell, `env rm` is `rm`: a list that allows `find` has not allowed
 * them. What cannot be read from the words (a script, a recipe, an alias) is said to be unknown, and is judged as the worst. SPEC.md TO37.
 */
import { baseName } from '../../base/paths.ts';
import { git } from './started-by-git.ts';
import { fromAwkText, fromPythonText, fromSedText, fromShellText } from './started-by-text.ts';
import { behindOwnWords, strange, wrapper } from './started-by-wrappers.ts';
import { both, hasOption, NOTHING, one, type Options, type Reader, type Started, unknown } from './started.ts';

/** Of a shell: those that only change how it works, and may stand with `c`. */
const SHELL_LETTERS = /^-[abefhkmnprtuvxBCEHPT]*c[abefhkmnprtuvxBCEHPT]*$/;

const shell: Reader = (words) => {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (SHELL_LETTERS.test(word)) return fromShellText(words[at + 1] ?? '');
    if (/^[-+]o$/.test(word)) at++;
    // A shell that reads its start files, or a script.
    else if (!/^(?:-[abefhkmnprtuvxBCEHPT]+|--(?:norc|noprofile|posix|restricted|verbose))$/.test(word)) break;
  }
  return unknown('a shell script');
};

/** Variables that name programs, what they load, or their options. */
const STEERING =
  /^(?:PATH|IFS|ENV|SHELL|HOME|BROWSER|EDITOR|VISUAL|PAGER|CDPATH|PS[0-4]|(?:LD|DYLD|GIT|BASH|ZSH|PYTHON|NODE|NPM|PERL|PERL5|RUBY|JAVA|JDK|LESS|MAKE|SSH|SUDO|GCONV|LUA|CARGO|RUSTC|RUSTUP|GO|CLASSPATH|PROMPT|XDG|UV|PIP|YARN|ELECTRON|TAR|RIPGREP|DOCKER|KUBE|AWS)(?:_|[A-Z0-9]*$).*|.*(?:OPTIONS?|OPTS|FLAGS|EDITOR|PAGER|ASKPASS|COMMAND|CMD|CONFIG|RC|STARTUP|PRELOAD|WRAPPER|HOOKS?|PLUGINS?|PROXY|PATH))=/i;

const env: Reader = (words) => {
  if (hasOption(words, { long: ['--split-string'], short: 'S', valued: 'uC' }))
    return unknown('an argument that env splits');
  const rest = behindOwnWords('env', words);
  if (!rest) return strange;
  const from = rest.findIndex((word) => !word.includes('=') && word !== '-');
  if (from === -1) return NOTHING;
  return rest.slice(0, from).some((word) => STEERING.test(word))
    ? unknown('a variable for programs')
    : one(rest.slice(from));
};

const find: Reader = (words) => {
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

const awk: Reader = (words) => {
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      at++;
      break;
    }
    if (!word.startsWith('-') || word === '-') break;
    if (/^(?:-[vF]|--assign|--field-separator)$/.test(word)) at++;
    // Others name a file with a program, or one to write to.
    else if (
      !/^(?:-[vF].+|--(?:assign|field-separator)=.*|--(?:posix|traditional|re-interval|version|csv))$/.test(word)
    )
      return unknown('an awk program');
  }
  return fromAwkText(words[at] ?? '');
};

const SED_LETTERS = /^-(?<own>[nErsuz]*)(?<last>[eil]?)(?<value>.*)$/s;
const SED_WORDS =
  /^--(?:quiet|silent|regexp-extended|separate|null-data|unbuffered|zero-terminated|posix|debug|version|in-place(?:=.*)?|line-length=.*|sandbox|follow-symlinks)$/;

const sed: Reader = (words) => {
  const scripts: string[] = [];
  let first: string | undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      first ??= words[at + 1];
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      first ??= word;
      continue;
    }
    if (SED_WORDS.test(word)) continue;
    if (word === '--expression') scripts.push(words[++at] ?? '');
    else if (word.startsWith('--expression=')) scripts.push(word.slice('--expression='.length));
    else {
      const { last, value = '' } = SED_LETTERS.exec(word)?.groups ?? {};
      // A file with a script, the beginning of a long option, or what a later version has.
      if (word.startsWith('--') || last === undefined || (last === '' && value !== '')) return unknown('a sed script');
      if (last === 'e') scripts.push(value === '' ? (words[++at] ?? '') : value);
      if (last === 'l' && value === '') at++;
    }
  }
  const all = scripts.length > 0 ? scripts : [first ?? ''];
  return fromSedText(all.join('\n'));
};

/** Options of tar that name a program. */
const TAR: Options = {
  long: [
    '--to-command',
    '--checkpoint-action',
    '--use-compress-program',
    '--rsh-command',
    '--rmt-command',
    '--info-script',
    '--new-volume-script',
  ],
  short: 'IF',
  valued: 'fbCgHKLNTVX',
};

const tar: Reader = (words) => {
  const [first = ''] = words;
  // The old style has its letters without a dash, and their values in the words behind.
  const isOld = !first.startsWith('-') && /[IF]/.test(first);
  // `host:file` is fetched by another program.
  const isRemote = words.some((word) => /^(?:--file=)?[\w.@-]+:/.test(word));
  if (isOld || isRemote || hasOption(words, TAR)) return unknown('a tar option');
  return hasOption(words, { long: ['--remove-files'] }) ? one(['rm']) : NOTHING;
};

const always =
  (what: string): Reader =>
  () =>
    unknown(what);

/** Starts something only with one of these. */
const byOption =
  (options: Options, what = 'one of its options'): Reader =>
  (words) =>
    hasOption(words, options) ? unknown(what) : NOTHING;

/** Its last words come from its input: what is started must be harmless with any words. */
const xargs: Reader = (words) => {
  const inner = behindOwnWords('xargs', words);
  if (!inner) return strange;
  const [program = ''] = inner;
  const started = one(inner);
  return isStarter(program) ? both(started, unknown('the input of xargs')) : started;
};

/** With `-s`, `-i` or nothing it is a shell. */
const sudo = (program: string): Reader => {
  const behind = wrapper(program);
  return (words) => {
    const found = behind(words);
    return hasOption(words, { long: ['--shell', '--login', '--edit'], short: 'sie' }) || found.commands.length === 0
      ? both(found, unknown('a shell script'))
      : found;
  };
};

const fromText = (text: string | undefined): Started => (text === undefined ? strange : fromShellText(text));

/** A script is what the list allowed; a string among the words can be read. */
const python: Reader = (words) => {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (!word.startsWith('-') || /^(?:-|--|-[bBdEhiIOPqsSuvVx]*m.*)$/.test(word)) break;
    const { text } = /^-[bBdEhiIOPqsSuvVx]*c(?<text>.*)$/s.exec(word)?.groups ?? {};
    if (text !== undefined) return fromPythonText(text === '' ? (words[at + 1] ?? '') : text);
    if (/^(?:-[bBdEhiIOPqsSuvVx]*[WX]|--check-hash-based-pycs)$/.test(word)) at++;
  }
  return NOTHING;
};

/** Those of a group start in the same way. */
const group = (names: string, reader: Reader): Readonly<Record<string, Reader>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, reader]));

const STARTERS: Readonly<Record<string, Reader>> = {
  ...group('sh bash zsh dash ksh ash mksh rbash', shell),
  ...group('csh tcsh fish pwsh powershell cmd nu xonsh elvish', always('a shell script')),
  ...group('awk gawk mawk nawk', awk),
  ...group('sed gsed', sed),
  ...group('tar gtar bsdtar', tar),
  ...group('env genv', env),
  ...group('find gfind', find),
  git,
  ...group('xargs gxargs', xargs),
  ...group('python python3 pypy pypy3', python),
  ...group('parallel sem', always('a parallel template')),
  ...group('timeout gtimeout', wrapper('timeout')),
  ...group('nice gnice', wrapper('nice')),
  ionice: wrapper('ionice'),
  setsid: wrapper('setsid'),
  ...group('nohup gnohup busybox toybox builtin', wrapper('')),
  ...group('time gtime', wrapper('time')),
  ...group('stdbuf gstdbuf', wrapper('stdbuf')),
  command: (words) => (/^-[vV]+$/.test(words[0] ?? '') ? NOTHING : wrapper('command')(words)),
  exec: wrapper('exec'),
  sudo: sudo('sudo'),
  doas: sudo('doas'),
  eval: (words) => fromShellText(words.join(' ')),
  watch: (words) => fromText(behindOwnWords('watch', words)?.join(' ')),
  trap: (words) => fromText(behindOwnWords('trap', words)?.[0] ?? (words.length === 0 ? '' : undefined)),
  ...group('source . alias enable bind complete compgen mapfile readarray fc hash', always('a shell script')),
  ...group(
    'make gmake bmake just ninja rake task cmake ctest meson scons ant mvn mvnw gradle gradlew sbt bazel bazelisk buck2 tox nox invoke fab grunt gulp nx turbo lerna latexmk msbuild',
    always('a recipe file'),
  ),
  ...group(
    'npm pnpm yarn bun npx pnpx bunx uvx pipx corepack composer bundle bundler gem dotnet brew apt apt-get aptitude dpkg rpm yum dnf apk pacman',
    always('a package script'),
  ),
  pip: (words) =>
    words.some((word) => /^(?:install|wheel|download)$/.test(word)) ? unknown('a package script') : NOTHING,
  ...group('ssh scp sftp mosh telnet rsh ssh-copy-id docker podman kubectl nc ncat socat', always('another machine')),
  rsync: (words) =>
    hasOption(words, { long: ['--rsh', '--rsync-path'], short: 'e', valued: 'fMTB' }) ||
    words.some((word) => /^[^-/][^/]*:/.test(word))
      ? unknown('another machine')
      : NOTHING,
  ...group(
    'vi vim nvim view ex rvim vimdiff gvim ed emacs emacsclient nano pico micro joe hx kak code subl',
    always('an editor'),
  ),
  ...group('less more most man info w3m lynx', always('a pager')),
  ...group('gdb lldb strace ltrace valgrind perf bpftrace', always('a debugger')),
  ...group(
    'script expect coproc arch caffeinate cgexec numactl chronic ifne pee vidir vipe rbenv pyenv nodenv cross-env env-cmd dotenvx screen tmux at batch crontab flock entr watchexec nodemon unshare nsenter chroot setarch linux32 linux64 runuser su chrt taskset prlimit setpriv systemd-run start-stop-daemon run-parts rlwrap unbuffer firejail bwrap proot fakeroot pkexec gosu hyperfine torsocks proxychains proxychains4 direnv mise asdf nix conda poetry pipenv uv rye pdm hatch cargo-watch foreman dotenv concurrently nix-shell nix-build guix capsh catchsegv ld.so ld-linux ld-linux-x86-64.so ld-linux-aarch64.so ip sudoedit systemctl dbus-run-session dbus-launch xvfb-run faketime wsl wine wine64 rundll32 regsvr32 mshta forfiles wscript cscript start open xdg-open gio mail mailx mutt lathe claude codex gemini opencode cursor-agent aider',
    always('a command that it builds itself'),
  ),
  ...group(
    'perl ruby php lua luajit tclsh wish guile sbcl julia rscript r osascript m4 dc mlr node nodejs deno tsx ts-node swift scala groovy jshell elixir iex erl ghci runghc racket octave gs gnuplot',
    always('a program'),
  ),
  ...group(
    'psql mysql mariadb sqlite3 redis-cli mongosh ftp lftp',
    byOption(
      { long: ['--command', '--execute', '--init-command', '--cmd', '--init'], short: 'ce' },
      'a prompt command',
    ),
  ),
  sqlite3: (words) =>
    words.some((word) => /^-{1,2}(?:cmd|init)\b|(?:^|\n)[^\S\n]*\.|load_extension|edit\s*\(/i.test(word))
      ? unknown('a prompt command')
      : NOTHING,
  ...group('sort gsort', byOption({ long: ['--compress-program'] })),
  'ssh-keygen': byOption({ short: 'DSw', valued: 'bfNCFItOPmRaEnYZ' }, 'a library'),
  ...group(
    'gpg gpg2',
    byOption({ long: ['--photo-viewer', '--exec-path', '--agent-program', '--dirmngr-program', '--options'] }),
  ),
  ...group('ctags uctags', byOption({ long: ['--options', '--options-maybe'] })),
  nmap: byOption({ long: ['--script', '--script-args-file', '--datadir'], short: 'A' }),
  ...group('split gsplit', byOption({ long: ['--filter'] })),
  ...group('rg', byOption({ long: ['--pre', '--hostname-bin', '--search-zip'], short: 'z', valued: 'ABCEMefgjmrtT' })),
  ...group('ag ack', byOption({ long: ['--pager'] })),
  ...group('bat batcat delta', byOption({ long: ['--pager'] })),
  ...group('fd fdfind', byOption({ long: ['--exec', '--exec-batch'], short: 'xX', valued: 'dEtecSjg' })),
  diff: (words) =>
    hasOption(words, { long: ['--paginate'], short: 'l', valued: 'CUDFILSWXx' }) ? one(['pr']) : NOTHING,
  ...group('sdiff diff3', byOption({ long: ['--diff-program', '--output'], short: 'o' })),
  zip: byOption({ long: ['--test', '--unzip-command'], short: 'T', valued: 'bntxi' }),
  cpio: byOption({ long: ['--rsh-command'] }),
  wget: byOption({ long: ['--use-askpass', '--execute', '--config'], short: 'e' }),
  curl: byOption({ long: ['--config'], short: 'K' }),
  pandoc: byOption({ long: ['--filter', '--lua-filter', '--pdf-engine', '--defaults', '--data-dir'], short: 'FLd' }),
  ...group('pdflatex xelatex lualatex latex tex pdftex xetex luatex', (words) =>
    words.some((word) => /^--?(?:shell-|enable-write18|output-|fmt|ini|lua)/.test(word))
      ? unknown('one of its options')
      : NOTHING,
  ),
  ...group('cc gcc g++ c++ clang clang++ ld gold lld tcc', (words) =>
    words.some((word) =>
      /^(?:-wrapper|-B|-fplugin|-fuse-ld|--?plugin|-specs|--config|-Xclang|-load|@|-T?ld)/.test(word),
    )
      ? unknown('one of its options')
      : NOTHING,
  ),
  hg: byOption({ long: ['--config', '--cwd', '--repository'], short: 'R' }),
  svn: byOption({ long: ['--diff-cmd', '--diff3-cmd', '--editor-cmd', '--config-option', '--config-dir'] }),
  gh: (words) =>
    /^(?:alias|extension|extensions|ext|config|repo|pr|codespace|cs)$/.test(words[0] ?? '')
      ? unknown('another gh program')
      : NOTHING,
  ...group('install ginstall', byOption({ long: ['--strip-program'] })),
  tcpdump: byOption({ short: 'z' }),
  openssl: (words) =>
    words.some((word) => /^(?:engine|-{1,2}(?:engine|provider)\b.*)/.test(word))
      ? unknown('one of its options')
      : NOTHING,
  go: (words) =>
    /^(?:run|generate|tool)$/.test(words[0] ?? '') || words.some((word) => /^--?(?:exec|toolexec|vettool)\b/.test(word))
      ? unknown('a program')
      : NOTHING,
  cargo: always('a program'),
};

/** The name in the table: without a path or an ending, and without a version (`python3.12`). */
const starterName = (program: string): string | undefined => {
  const name = baseName(program.replaceAll('\\', '/'))
    .replace(/\.(?:exe|cmd|bat|com)$/i, '')
    .toLowerCase();
  return [name, name.replace(/(?<![\d.])[-.]?\d[\d.]*$/, '')].find((candidate) => Object.hasOwn(STARTERS, candidate));
};
const isStarter = (program: string): boolean => starterName(program) !== undefined;

export const startedBy = (argv: readonly string[]): Started => {
  const [program = '', ...words] = argv;
  const name = starterName(program);
  return (name === undefined ? undefined : STARTERS[name]?.(words)) ?? NOTHING;
};
