/** Programs that are called by name, from a shell script or from another language: interpreters, wrappers and the rest. */
import { decodeBase64, decodeBase64Utf16 } from './decode.ts';
import { isFlag, knownProgram, namedFiles, text, type Command, type ScanScope } from './shell-programs.ts';
import { hostOf, isForeignPackage, isForeignRegistry } from './places.ts';
import type { Place } from './types.ts';
import { allMarks, concat, HOLE, joinMarks, knownText, NOTHING, textValue, type Value } from './value.ts';
import type { CodeLanguage } from './world.ts';

/** Programs that only start another one, and how many words of their own come first. */
const WRAPPERS = new Set([
  'sudo',
  'doas',
  'nohup',
  'time',
  'exec',
  'command',
  'builtin',
  'nice',
  'ionice',
  'setsid',
  'stdbuf',
  'busybox',
  'unbuffer',
  'caffeinate',
  'then',
  'do',
]);

const INTERPRETERS: Readonly<Record<string, CodeLanguage>> = {
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  dash: 'shell',
  ksh: 'shell',
  ash: 'shell',
  fish: 'shell',
  python: 'python',
  python3: 'python',
  python2: 'python',
  pypy: 'python',
  pypy3: 'python',
  node: 'javascript',
  deno: 'javascript',
  bun: 'javascript',
  tsx: 'javascript',
  'ts-node': 'javascript',
  perl: 'other',
  ruby: 'other',
  php: 'other',
  lua: 'other',
  osascript: 'other',
  tclsh: 'other',
  rscript: 'other',
  pwsh: 'powershell',
  powershell: 'powershell',
  'powershell.exe': 'powershell',
  'pwsh.exe': 'powershell',
};

const PASS = new Set([
  'head',
  'tail',
  'grep',
  'egrep',
  'rg',
  'sed',
  'awk',
  'gawk',
  'sort',
  'uniq',
  'cut',
  'jq',
  'yq',
  'tee',
  'nl',
  'fold',
  'paste',
  'column',
  'iconv',
  'less',
  'more',
  'tac',
  'strings',
  'od',
  'hexdump',
  'xargs',
  'shuf',
]);
const QUIET = new Set([
  'echo',
  'printf',
  'cd',
  'test',
  '[',
  '[[',
  'true',
  'false',
  ':',
  'exit',
  'return',
  'set',
  'shift',
  'local',
  'declare',
  'export',
  'readonly',
  'unset',
  'read',
  'trap',
  'break',
  'continue',
  'pwd',
  'wait',
  'sleep',
  'dirname',
  'basename',
  'type',
  'which',
  'getopts',
  'shopt',
  'alias',
  'let',
  'date',
  'wc',
  'mapfile',
  'readarray',
  'hash',
  'umask',
  'times',
  'ls',
  'seq',
  'expr',
  'tput',
  'clear',
  'mktemp',
  'uname',
  'whoami',
  'hostname',
  'id',
  'realpath',
  'readlink',
  'cmp',
  'diff',
  'tr',
  'rev',
  'cat',
  'base64',
  'xxd',
  'env',
  'printenv',
  'stat',
  'file',
  'du',
  'df',
  'touch',
  'mkdir',
  'chmod',
  'chown',
  'ln',
  'dir',
  'pushd',
  'popd',
]);

/** A file that is only another name of the input. */
const isStdin = (path: Value): boolean => /^\/dev\/(?:stdin|fd\/0)$|^\/proc\/self\/fd\/0$/.test(text(path));

const interpret = (command: Command, language: CodeLanguage): Value => {
  const { name, args, world, place, stdin, depth } = command;
  const encoded =
    language === 'powershell' ? args.findIndex((arg) => /^-e(?:nc(?:odedcommand)?|c)?$/i.test(text(arg))) : -1;
  if (encoded !== -1) {
    const given = args[encoded + 1] ?? NOTHING;
    const texts = given.texts
      .map((item) => decodeBase64Utf16(item) ?? decodeBase64(item))
      .filter((item) => item !== undefined);
    world.runCode(place, world.decoded(place, `${name} -EncodedCommand`, given, texts), language, name, depth);
    return NOTHING;
  }
  const inline = args.findIndex(
    (arg) => /^-[a-zA-Z]*c$|^-e$|^--eval$|^-p$|^-r$|^-Command$/i.test(text(arg)) && !/^--?(?:no|norc)/.test(text(arg)),
  );
  if (inline !== -1 && args[inline + 1]) {
    const code = args[inline + 1] ?? NOTHING;
    const out = world.runCode(place, code, language, `${name} ${text(args[inline])}`, depth);
    return {
      marks: joinMarks([
        allMarks(out),
        allMarks(code).filter(({ label }) => label === 'environment' || label === 'secret' || label === 'network'),
      ]),
      texts: [],
    };
  }
  if (language === 'python' && text(args[0]) === '-m') {
    world.capability('processes', place, `${name} -m ${text(args[1])}`);
    if (/^(?:pip|uv|pipx)$/.test(text(args[1])))
      return dispatch({ ...command, name: text(args[1]), args: args.slice(2) });
    if (text(args[1]) === 'base64' && args.some((arg) => text(arg) === '-d'))
      return world.decoded(place, 'python -m base64 -d', stdin);
    return namedFiles(command, args.slice(2), 'reads');
  }
  const script = args.find((arg) => !isFlag(arg) && text(arg) !== 'run');
  if (script) {
    // `bash <(curl …)`: what is run is the output of another command.
    if (script.ref === 'process-substitution') world.runCode(place, script, language, name, depth);
    else if (isStdin(script) && stdin !== NOTHING) world.runCode(place, stdin, language, name, depth);
    else world.runFile(place, script, name, language);
    return NOTHING;
  }
  return stdin === NOTHING ? NOTHING : world.runCode(place, stdin, language, name, depth);
};

const ARCHIVE = /\.(?:tgz|tbz2?|txz|zip|7z|rar|tar(?:\.\w+)?)$/;

const unpackArchive = ({ args, world, place, stdin }: Command): void => {
  const folder = args[args.findIndex((arg) => /^-[Cd]$|^--directory$/.test(text(arg))) + 1] ?? NOTHING;
  const archive = args.find((arg) => ARCHIVE.test(text(arg))) ?? stdin;
  const isSaid = args.some((arg) => /^-[Cd]$|^--directory$/.test(text(arg)));
  world.unpack(place, archive, isSaid ? folder : NOTHING);
};

/** Who serves the packages, in the arguments of an installer. */
const packageIndex = ({ name, args, world, place }: Command): void => {
  const words = args.map(text);
  const set = words.indexOf('set');
  for (const [index, word] of words.entries()) {
    const [, own] = /^(?:--(?:index-url|extra-index-url|index|default-index|registry)|registry)=(.+)$/.exec(word) ?? [];
    const isNext =
      /^(?:-i|--index-url|--extra-index-url|--index|--default-index|--registry)$/.test(word) ||
      (set !== -1 &&
        index > set &&
        /^(?:global\.)?(?:registry|index-url|extra-index-url|npmRegistryServer)$/.test(word));
    const url = own ?? (isNext ? words[index + 1] : undefined);
    if (url !== undefined && isForeignRegistry(url))
      world.alarm(
        'download-and-run',
        place,
        `${name} installs packages from ${hostOf(url) ?? url} instead of the usual registry, and runs them.`,
      );
  }
};

/** A package that comes from an address and not from the registry. */
const packageAddress = ({ name, args, world, place }: Command): void => {
  const address = args.map(text).find((word) => /^(?:git\+)?https?:\/\//.test(word));
  const isIndex = args.some((arg) => /^-i$|index-url|--registry|--find-links/.test(text(arg)));
  if (address === undefined || isIndex) return;
  world.capability('network', place, `${name} ${address}`.slice(0, 80));
  // A program that does it by itself asks nobody.
  const isProgram = !/\.(?:md|mdx|markdown|txt)$/i.test(place.file);
  if (isProgram && (/^git\+|\.git\b/.test(address) || isForeignPackage(address))) {
    world.alarm(
      'download-and-run',
      place,
      `${name} installs a package from ${hostOf(address.replace(/^git\+/, '')) ?? 'a URL'}.`,
    );
    return;
  }
  world.note('package-from-address', place, `${name} installs or runs a package from a URL, not from a registry.`);
};

/** Programs that run what the folder says: `make`, `npm install`, `pip install .` in a repository that was cloned. */
const builds = ({ name, args, world, place }: Command): void => {
  const words = args.map(text);
  const at = words.findIndex((word) => /^(?:-C|--directory|--prefix|--manifest-path)$/.test(word));
  const isMake = /^(?:make|gmake|just|task|rake)$/.test(name);
  if (!isMake) return;
  if (at === -1) {
    const [first] = world.inClone();
    if (first) world.runFile(place, textValue('./Makefile'), name);
  } else world.runFile(place, concat([args[at + 1] ?? NOTHING, textValue('/Makefile')]), name);
};

/** The whole disk, to be written to, in a container that may do everything. */
const mounts = ({ name, args, world, place }: Command): void => {
  if (!/^(?:docker|podman|nerdctl)$/.test(name)) return;
  const words = args.map(text);
  const isRoot = words.some((word, index) =>
    /^(?:-v|--volume)$/.test(words[index - 1] ?? '')
      ? /^\/:\/[^:]*(?::(?!ro)|$)/.test(word)
      : /^--volume=\/:\/[^:]*(?::(?!ro)|$)|^(?:--mount=)?type=bind,(?:src|source)=\/,(?!.*readonly)/.test(word),
  );
  if (isRoot) world.alarm('opens-machine', place, `${name} lets a container write to the whole disk.`);
};

/** Where git, packages, and the network go from now on, set for everything that this person does. */
const redirects = ({ name, args, world, place }: Command): void => {
  const words = args.map(text).join(' ');
  const isRewritten =
    name === 'git' &&
    !/\s--(?:unset|get|list)/.test(words) &&
    /^config\b.*--(?:global|system)\b.*\burl\.(?!\S*(?:github\.com|gitlab\.com|bitbucket\.org))\S+\.(?:pushI|i)nsteadOf\b/.test(
      words,
    );
  const isProxied =
    name === 'git' &&
    /^config\b.*--(?:global|system)\b.*\bhttps?\.proxy\s+https?:\/\/(?!localhost|127\.|\S*[<{$])/.test(words);
  const isSystem =
    (name === 'networksetup' && /-set\w*proxy\w*\s+\S+\s+(?!localhost|127\.)[\w-]+\.[\w.-]+/.test(words)) ||
    (name === 'gsettings' && /\bset org\.gnome\.system\.proxy/.test(words)) ||
    (name === 'netsh' && /\bset proxy\b/.test(words));
  if (isSystem)
    world.alarm('redirects-traffic', place, 'The network of the machine goes through another host from now on.');
  if (isRewritten || isProxied)
    world.alarm(
      'redirects-traffic',
      place,
      'git goes through another host from now on, in every repository of this person.',
    );
};

/** Agents that are started from a shell: what they are told is what they do. */
const AGENTS = /^(?:claude|codex|gemini|cursor-agent|opencode|aider|goose|openclaw|clawdbot|amp|qwen)$/;

const instructs = ({ name, args, world, place, stdin }: Command): void => {
  if (!AGENTS.test(name)) return;
  const told = [stdin, ...args].flatMap(allMarks).filter(({ label }) => label === 'network' || label === 'decoded');
  if (told.length > 0) world.runCode(place, { marks: told, texts: [] }, 'other', name, 0);
};

const dispatch = (command: Command): Value => {
  const { name, args, world, place, stdin, depth } = command;
  mounts(command);
  const words = args.map(text);
  if (name === 'chmod' && words.some((word) => /^[ugoa]*\+[rwx]*s|^[46]\d{3}$/.test(word)))
    world.alarm(
      'opens-machine',
      place,
      'chmod makes a program run with its owner’s permissions, no matter who starts it.',
    );
  if (name === 'useradd' && words.some((word, index) => /^(?:-u|--uid)$/.test(words[index - 1] ?? '') && word === '0'))
    world.alarm('opens-machine', place, 'useradd creates another root user.');
  if (name === 'osascript' && args.some((arg) => /\bhidden answer\b/i.test(text(arg)))) {
    world.capability('processes', place, 'osascript asks for a password');
    world.alarm('opens-machine', place, 'A dialog that looks like one of the system asks for a password.');
    return { marks: [{ ...place, label: 'secret', what: 'asks for a password' }], texts: [] };
  }
  const language =
    INTERPRETERS[name.replace(/(?<=python)[\d.]+$/, '').toLowerCase()] ??
    (/^python[\d.]*$/.test(name) ? 'python' : undefined);
  if (language) return interpret(command, language);
  if (name === 'source' || name === '.') {
    const [script = NOTHING] = args;
    if (script.ref === 'process-substitution') world.runCode(place, script, 'shell', name, depth);
    else if (isStdin(script)) world.runCode(place, stdin, 'shell', name, depth);
    else world.runFile(place, script, name, 'shell');
    return NOTHING;
  }
  if (name === 'eval' || name === 'iex' || name === 'Invoke-Expression') {
    world.runCode(
      place,
      concat(args.flatMap((arg, index) => (index === 0 ? [arg] : [textValue(' '), arg]))),
      'shell',
      name,
      depth,
    );
    return NOTHING;
  }
  if (/^(?:unzip|7z|7za|unrar|bsdtar)$/.test(name)) unpackArchive(command);
  const started = name === 'find' ? args.findIndex((arg) => /^-(?:exec|execdir|ok)$/.test(text(arg))) : -1;
  if (started !== -1) runArgv(command, place, args.slice(started + 1), NOTHING, '');
  if (name === 'cd' || name === 'pushd') {
    world.enter(args.find((arg) => !isFlag(arg)) ?? NOTHING);
    return NOTHING;
  }
  if (name === 'popd') world.enter(NOTHING);
  builds(command);
  redirects(command);
  instructs(command);
  const known = knownProgram(command);
  if (known) return known;
  if (
    name === 'cat' ||
    PASS.has(name) ||
    /^(?:tar|zip|gpg|7z|cp|mv|dd|openssl|split|pbcopy|xclip|install)$/.test(name)
  ) {
    if (/^[gmn]?awk$/.test(name) && args.some((arg) => /\/inet[46]?\/(?:tcp|udp)\//.test(text(arg))))
      world.alarm('reverse-shell', place, 'awk opens a network connection.');
    const systems = /^g?awk$/.test(name)
      ? [...text(args.find((arg) => !isFlag(arg))).matchAll(/\bsystem\("([^"]+)"\)/g)]
      : [];
    for (const [, code = ''] of systems) world.runCode(place, textValue(code), 'shell', `${name} system()`, depth);
    const input = joinMarks([allMarks(stdin), namedFiles(command, args, 'reads').marks, ...args.map(allMarks)]);
    const out: Value = { marks: input, texts: name === 'cat' && args.length === 0 ? stdin.texts : [] };
    if (name === 'tar' && /^-{0,2}[a-z]*x/.test(text(args[0]))) unpackArchive(command);
    // An archive or a copy is as good as what is in it.
    const target = /^(?:cp|mv|install)$/.test(name)
      ? args.at(-1)
      : name === 'tee'
        ? args.find((arg) => !isFlag(arg))
        : /^(?:tar|zip|7z)$/.test(name)
          ? args.find((arg) => /\.(?:tgz|zip|7z|tar(?:\.\w+)?)$/.test(text(arg)))
          : undefined;
    if (target) world.writeFile(place, target, out, 'writes');
    return out;
  }
  if (/[/\\]/.test(name)) {
    world.runFile(
      place,
      textValue(name),
      'runs',
      name.endsWith('.py')
        ? 'python'
        : /\.(?:m|c)?js$/.test(name)
          ? 'javascript'
          : /\.(?:ba|z)?sh$/.test(name)
            ? 'shell'
            : undefined,
    );
    return NOTHING;
  }
  // `docker run … sh -c "…"`, `su -c "…"`: a shell among the words of another program.
  const shell = args.findIndex((arg, index) => isShellName(arg) && /^-[a-z]*c$/.test(text(args[index + 1])));
  if (shell !== -1) runArgv(command, place, args.slice(shell), NOTHING, '');
  const order = name === 'su' || name === 'runuser' ? args.findIndex((arg) => text(arg) === '-c') : -1;
  if (order !== -1) world.runCode(place, args[order + 1] ?? NOTHING, 'shell', name, depth);
  if (/^(?:pip3?|uvx?|pipx|npm|npx|pnpm|yarn|bunx?|cargo|go|gem)$/.test(name)) {
    packageIndex(command);
    packageAddress(command);
  }
  const shown = /^(?:open|xdg-open|start)$/.test(name) ? (args.find((arg) => !isFlag(arg)) ?? NOTHING) : undefined;
  // A page or a picture is looked at.
  if (shown && !shown.texts.some((path) => /\.(?:html?|md|txt|pdf|png|jpe?g|gif|svg|csv|mp[34])$/i.test(path)))
    world.runFile(place, shown, name);
  else if (!QUIET.has(name) && name !== '' && !name.includes(HOLE)) world.capability('processes', place, name);
  return { marks: joinMarks([allMarks(stdin), ...args.map(allMarks)]), texts: [] };
};

/** What stands for the input in the words of `xargs -I{} …`. */
const placeholderOf = (args: readonly Value[]): string | undefined => {
  const at = args.findIndex((arg) => /^-[Ii]|^--replace/.test(text(arg)));
  if (at === -1) return undefined;
  const own = text(args[at]).replace(/^-[Ii]|^--replace=?/, '');
  return own === '' ? (text(args[at]) === '-I' ? text(args[at + 1]) : '{}') : own;
};

const fill = (arg: Value, mark: string, stdin: Value): Value =>
  mark !== '' && text(arg) === mark
    ? stdin
    : mark !== '' && text(arg).includes(mark)
      ? { marks: joinMarks([arg.marks, allMarks(stdin)]), texts: arg.texts.map((item) => item.replaceAll(mark, HOLE)) }
      : arg;

/** One call of a program. Gives what it puts out. */
export const runArgv = (host: ScanScope, place: Place, argv: readonly Value[], stdin: Value, what: string): Value => {
  const [first, ...args] = argv;
  if (!first) return NOTHING;
  const { world, depth } = host;
  if (first.texts.length === 0 || first.texts[0] === HOLE) {
    world.capability('processes', place, what === '' ? 'a program with an unknown name' : what);
    if (first.marks.length > 0) world.runCode(place, first, 'shell', what, depth);
    const fed = allMarks(stdin).filter(({ label }) => label === 'decoded' || label === 'network');
    if (fed.length > 0)
      world.runCode(
        place,
        { ...stdin, marks: fed },
        'shell',
        what === '' ? 'a program whose name is not known' : what,
        depth,
      );
    if (first.ref !== undefined) world.runFile(place, first, what);
    return { marks: joinMarks([...argv.map(allMarks), allMarks(stdin)]), texts: [] };
  }
  const full = text(first);
  const name = full.replace(/^(?:\/usr)?(?:\/local)?\/s?bin\/|^\/opt\/homebrew\/bin\//, '').replace(/^\\/, '');
  if (what !== '') world.capability('processes', place, `${what} ${full}`.replaceAll(HOLE, '…').slice(0, 80));
  const rest = [...args];
  if (
    WRAPPERS.has(name) ||
    (name === 'env' && rest.some((arg) => !isFlag(arg) && !/^\w+=/.test(text(arg)))) ||
    name === 'timeout' ||
    name === 'watch' ||
    name === 'xargs'
  ) {
    if (name === 'sudo' || name === 'doas') world.capability('processes', place, name);
    while (
      rest[0] &&
      (isFlag(rest[0]) || /^\w+=/.test(text(rest[0])) || (name === 'timeout' && /^[\d.]+[smhd]?$/.test(text(rest[0]))))
    ) {
      // Of these, the next word is the value.
      const takesNext = name === 'xargs' && /^-[IEdLnPs]$/.test(text(rest[0]));
      rest.shift();
      if (takesNext) rest.shift();
    }
    if (rest.length === 0) return stdin;
    if (name !== 'xargs') return runArgv(host, place, rest, stdin, '');
    const mark = placeholderOf(args);
    const words = mark === undefined ? [...rest, stdin] : rest.map((arg) => fill(arg, mark, stdin));
    return runArgv(host, place, words, NOTHING, '');
  }
  const isDecodedName = first.marks.some(({ label }) => label === 'decoded' || label === 'network');
  if (isDecodedName) world.runCode(place, { marks: first.marks, texts: [] }, 'shell', name, depth);
  return dispatch({ world, depth, name, args: rest, place, stdin });
};

export const isShellName = (value: Value): boolean =>
  INTERPRETERS[(knownText(value) ?? '').replace(/^.*\//, '')] === 'shell';
