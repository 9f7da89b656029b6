/** Programs whose effects are known by their names: what they read, send, decode, keep and delete. */
import { decodeBase64, decodeHex, reverseText, rot13 } from './decode.ts';
import { isCredentialPath } from './places.ts';
import type { Place } from './types.ts';
import {
  allMarks,
  asLogin,
  concat,
  HOLE,
  joinMarks,
  marksOf,
  NOTHING,
  textValue,
  withMarks,
  type Value,
} from './value.ts';
import type { World } from './world.ts';

export interface ScanScope {
  readonly world: World;
  readonly depth: number;
}

export interface Command extends ScanScope {
  readonly name: string;
  readonly args: readonly Value[];
  readonly place: Place;
  readonly stdin: Value;
}

export const text = (value: Value | undefined): string => value?.texts[0] ?? '';
export const isFlag = (value: Value): boolean => text(value).startsWith('-');

/** The value of an option, in any of its spellings: `-d X`, `-dX`, `--data X`, `--data=X`. */
const options = (args: readonly Value[], short: RegExp | undefined, long: RegExp): Value[] =>
  args.flatMap((arg, index) => {
    const word = text(arg);
    if (long.test(word.replace(/=.*/s, ''))) {
      const equals = word.indexOf('=');
      return equals === -1
        ? (args[index + 1] ?? [])
        : [{ ...arg, texts: arg.texts.map((item) => item.slice(item.indexOf('=') + 1)) }];
    }
    if (!short || word.startsWith('--') || !short.test(word)) return [];
    return word.length === 2 || /[a-zA-Z]$/.test(word) ? (args[index + 1] ?? []) : [{ ...arg, texts: [word.slice(2)] }];
  });

/** Files that are named in arguments, in so far as their names matter. */
export const namedFiles = ({ world, place }: Command, args: readonly Value[], what: string): Value => ({
  marks: marksOf(
    args
      .filter(
        (arg) =>
          !isFlag(arg) && arg.texts.some((word) => isCredentialPath(word) || word.includes('/') || /\.\w+$/.test(word)),
      )
      .map((arg) => world.readFile(place, arg, what)),
  ),
  texts: [],
});

const urlOf = (args: readonly Value[]): Value =>
  args.find((arg) => arg.texts.some((word) => /^['"]?(?:https?|ftp|wss?):\/\//i.test(word))) ??
  args.find(
    (arg) =>
      !isFlag(arg) &&
      arg.texts.some(
        (word) =>
          /^[\w\uFFFC-]+(?:\.[\w\uFFFC-]+)+(?:[:/]|$)/.test(word) &&
          !/\.(?:json|txt|sh|py|md|zip|gz|tgz|pem|crt)$/.test(word),
      ),
  ) ??
  NOTHING;

const curl = (command: Command): Value => {
  const { name, args, world, place, stdin } = command;
  const url = urlOf(args);
  const data = options(
    args,
    /^-[a-zA-Z]*[dFT]/,
    /^--(?:data\S*|form\S*|upload-file|json|post-data|post-file|body-data|body-file)$/,
  );
  const sent = data.map((value) => {
    const file = /(?:^|=)@(.+)$/s.exec(text(value))?.[1];
    const isUpload = args.some(
      (arg, index) =>
        (/^(?:-T|--upload-file|--post-file|--body-file)$/.test(text(arg)) && args[index + 1] === value) ||
        (/^--(?:upload|post|body)-file=/.test(text(arg)) && text(arg).endsWith(`=${text(value)}`)),
    );
    if (file === '-' || text(value) === '-') return withMarks(stdin, value.marks);
    if (file !== undefined) return withMarks(world.readFile(place, textValue(file), 'reads'), value.marks);
    return isUpload ? world.readFile(place, value, 'reads') : value;
  });
  const headers = options(args, /^-[a-zA-Z]*[HAbeu]$/, /^--(?:header|user|user-agent|cookie|referer)$/);
  world.sendNetwork(
    place,
    url,
    [
      ...sent,
      ...headers.map(asLogin),
      ...args.filter((arg) => !isFlag(arg) && !data.includes(arg) && !headers.includes(arg)),
    ],
    name,
  );
  const answer = world.readNetwork(place, url, name);
  const targets =
    name === 'wget'
      ? options(args, /^-[a-zA-Z]*O/, /^--output-document$/)
      : options(args, /^-[a-zA-Z]*o/, /^--output$/);
  const isStdout =
    targets.length === 0 || targets.some((target) => text(target) === '-' || text(target) === '/dev/stdout');
  for (const target of targets) world.writeFile(place, target, answer, 'downloads to');
  const takesName =
    name === 'wget'
      ? targets.length === 0
      : args.some((arg) => /^-[a-zA-Z]*O/.test(text(arg)) || text(arg) === '--remote-name');
  const last =
    text(url)
      .replace(/[?#].*$/, '')
      .split('/')
      .at(-1) ?? '';
  const folders = name === 'wget' ? options(args, /^-[a-zA-Z]*P/, /^--directory-prefix$/) : [];
  const under = folders.flatMap(({ texts }) => texts.map((folder) => `${folder.replace(/(?<!\/)\/+$/, '')}/${last}`));
  if (takesName && last !== '')
    world.writeFile(place, under.length === 0 ? textValue(last) : { marks: [], texts: under }, answer, 'downloads to');
  return isStdout || name === 'wget' ? answer : NOTHING;
};

const decoders = (command: Command): Value | undefined => {
  const { name, args, world, place, stdin } = command;
  const flags = args.map(text);
  const source =
    args.some((arg) => !isFlag(arg) && !/^(?:enc|base64|aes\S*|-?\d+)$/.test(text(arg))) && stdin === NOTHING
      ? namedFiles(command, args, 'reads')
      : stdin;
  const as = (by: (word: string) => string | undefined, what: string): Value =>
    world.decoded(
      place,
      what,
      source,
      source.texts.map(by).filter((item) => item !== undefined),
    );
  switch (name) {
    case 'base64':
    case 'gbase64':
      return flags.some((flag) => /^(?:-[a-zA-Z]*[dD]|--decode)$/.test(flag))
        ? as(decodeBase64, 'base64 -d')
        : withMarks(source, []);
    case 'base32':
      return flags.some((flag) => /^-d|--decode$/.test(flag)) ? as(() => undefined, 'base32 -d') : source;
    case 'openssl':
      if (flags.includes('-d')) return as(decodeBase64, 'openssl -d');
      if (flags[0] === 's_client') {
        world.sendNetwork(place, urlOf(args), [stdin], 'openssl s_client');
        return world.readNetwork(place, urlOf(args), 'openssl s_client');
      }
      return source;
    case 'xxd':
      return flags.some((flag) => /^-\w*r/.test(flag)) ? as(decodeHex, 'xxd -r') : source;
    case 'gunzip':
    case 'zcat':
    case 'unxz':
    case 'bunzip2':
    case 'uudecode':
      return as(() => undefined, name);
    case 'gzip':
      return flags.some((flag) => /^-\w*d/.test(flag)) ? as(() => undefined, 'gzip -d') : source;
    case 'rev':
      return as(reverseText, 'rev');
    case 'tr': {
      const [from = '', to = ''] = args.filter((arg) => !isFlag(arg)).map(text);
      if (/A-Z.*a-z|a-z.*A-Z|a-z/i.test(from) && /n-z|N-Z/.test(to)) return as(rot13, 'tr (rot13)');
      return /[a-zA-Z]-[a-zA-Z]/.test(from) && /[a-zA-Z]/.test(to) && !/^[[:a-z\-\]]+$/i.test(to)
        ? as(() => undefined, 'tr')
        : {
            ...source,
            texts: source.texts.map((item) => (flags.includes('-d') && from !== '' ? item.replaceAll(from, '') : item)),
          };
    }
    default:
      return undefined;
  }
};

/** Options of git whose value is the next word. */
const isGitValue = (word: string): boolean =>
  /^(?:-[bCcjou]|--(?:branch|depth|origin|config|reference|template|filter|jobs|recurse-submodules|git-dir|work-tree))$/.test(
    word,
  );

const SEND_FILES = new Set([
  'scp',
  'rsync',
  'sftp',
  'ftp',
  'lftp',
  'rclone',
  's3cmd',
  'gsutil',
  'mail',
  'mailx',
  'sendmail',
  'mutt',
  'ssh',
  'telnet',
  'nc',
  'ncat',
  'netcat',
  'socat',
  'httpie',
  'http',
]);

const network = (command: Command): Value | undefined => {
  const { name, args, world, place, stdin } = command;
  if (/^(?:curl|wget|wget2|aria2c|xh|https?|fetch)$/.test(name)) return curl(command);
  if (/^(?:dig|nslookup|host|ping)$/.test(name)) {
    world.sendNetwork(place, NOTHING, args, name);
    return world.readNetwork(place, NOTHING, name);
  }
  if (name === 'aws' && text(args[0]) === 's3') {
    world.sendNetwork(place, NOTHING, [namedFiles(command, args.slice(2), 'reads')], 'aws s3');
    return NOTHING;
  }
  const gitArgs =
    name === 'git' || name === 'gh'
      ? args.filter((arg, index) => !isFlag(arg) && !isGitValue(text(args[index - 1])))
      : [];
  if (name === 'gh' && text(gitArgs[0]) === 'gist') {
    world.sendNetwork(
      place,
      textValue('https://gist.github.com'),
      [stdin, namedFiles(command, gitArgs.slice(2), 'reads')],
      'gh gist',
    );
    return NOTHING;
  }
  const cloned =
    name === 'git' && text(gitArgs[0]) === 'clone'
      ? gitArgs.slice(1)
      : name === 'gh' && text(gitArgs[0]) === 'repo' && text(gitArgs[1]) === 'clone'
        ? gitArgs.slice(2)
        : undefined;
  if (cloned) {
    world.capability('network', place, `${name} clone`);
    if (cloned[0]) world.clone(place, cloned[0], cloned[1], `${name} clone`);
    return NOTHING;
  }
  if (name === 'git' && /^(?:clone|push|pull|fetch|submodule|ls-remote)$/.test(text(args[0]))) {
    world.capability('network', place, `git ${text(args[0])}`);
    return NOTHING;
  }
  // What was fetched under a name of its own.
  if (
    name === 'git' &&
    /^(?:show|cat-file|archive)$/.test(text(gitArgs[0])) &&
    /^(?:FETCH_HEAD|origin\/|upstream\/)/.test(text(gitArgs[1]))
  )
    return {
      marks: [
        { ...place, label: 'network', what: `git ${text(gitArgs[0])} ${text(gitArgs[1])}`, name: text(gitArgs[1]) },
      ],
      texts: [],
    };
  if (!SEND_FILES.has(name)) return undefined;
  // The key that opens the connection is not what is sent.
  const sent = args.filter((arg, index) => !isFlag(arg) && !/^-[iFIo]$/.test(text(args[index - 1])));
  const url = urlOf(args);
  const isShell =
    args.some(
      (arg, index) => /^-(?:e|c)$|^--(?:exec|sh-exec)$/.test(text(arg)) && /sh\b|cmd/.test(text(args[index + 1])),
    ) || args.some((arg) => /exec:.*sh/i.test(text(arg)));
  if (isShell && /^(?:nc|ncat|netcat|socat)$/.test(name))
    world.alarm('reverse-shell', place, `${name} gives a remote host a shell.`);
  const files = name === 'ssh' ? NOTHING : namedFiles(command, sent, 'reads');
  world.sendNetwork(place, url, [stdin, files, ...args], name);
  if (name === 'ssh' && sent.length > 1) world.capability('processes', place, 'ssh runs a remote command');
  return world.readNetwork(place, url, name);
};

const protectedArchive = ({ name, args, world, place }: Command): void => {
  const words = args.map(text);
  const has = (pattern: RegExp): boolean => words.some((word) => pattern.test(word));
  const isOpened =
    (name === 'unzip' && has(/^-[a-zA-Z]*P/)) ||
    (/^7z[ar]?$|^7zz$/.test(name) && has(/^[xe]$/) && has(/^-p./)) ||
    (name === 'unrar' && has(/^-(?:p|hp)./));
  if (isOpened) world.alarm('protected-archive', place, `${name} opens an archive with a password given here.`);
};

const persistence = (command: Command): Value | undefined => {
  const { name, args, world, place, stdin } = command;
  const words = args.map(text).join(' ');
  const isLasting =
    (name === 'crontab' && !/^-l\b/.test(words)) ||
    (name === 'launchctl' && /load|bootstrap|enable|submit/.test(words)) ||
    (name === 'systemctl' && /enable/.test(words)) ||
    name === 'at' ||
    name === 'batch' ||
    (/^schtasks/i.test(name) && /create/i.test(words)) ||
    (/^reg(?:\.exe)?$/i.test(name) && /add/i.test(words)) ||
    name === 'update-rc.d' ||
    name === 'chkconfig' ||
    (name === 'git' && /config.{0,500}(?:core\.hooksPath|alias\.)/.test(words)) ||
    (name === 'claude' && /mcp add/.test(words));
  const [, key = ''] =
    /^config\b.*?\s((?:core\.(?:sshCommand|fsmonitor|pager|editor|hooksPath)|credential\.helper|alias\.\S+|diff\.\S+\.(?:command|textconv)|filter\.\S+)\s)/i.exec(
      name === 'git' ? words : '',
    ) ?? [];
  const kept = key === '' ? undefined : args.at(-1);
  // What git is told to call is a command, whatever it is written in.
  if (kept && /[|;&`]|\$\(|\b(?:curl|wget|nc|sh -c|bash -c)\b/.test(text(kept)))
    world.runCode(
      place,
      { ...kept, texts: kept.texts.map((item) => item.replace(/^!/, '')) },
      'shell',
      `git config ${key.trim()}`,
      command.depth,
    );
  if (!isLasting) return undefined;
  if (name === 'git' && /--(?:global|system)\b/.test(words) && /core\.hooksPath|alias\.\S{1,200} !/.test(words))
    world.alarm('runs-by-itself', place, 'git runs this setting in every repository of this user.');
  world.capability('persistence', place, `${name} ${words}`.slice(0, 80));
  if (name === 'crontab' || name === 'at' || name === 'batch')
    world.writeFile(place, textValue('/var/spool/cron/user'), stdin, 'schedules');
  return NOTHING;
};

const remove = ({ name, args, world, place }: Command): Value | undefined => {
  if (name !== 'rm' && name !== 'unlink' && name !== 'rmdir' && name !== 'shred') return undefined;
  const isRecursive = args.some((arg) => /^-[a-zA-Z]*[rR]|^--recursive$/.test(text(arg)));
  for (const arg of args.filter((item) => !isFlag(item))) {
    if (isRecursive) world.deleteFile(place, arg, 'rm -r');
    else world.capability('files', place, `${name} ${text(arg).replaceAll(HOLE, '…')}`.slice(0, 80));
  }
  return NOTHING;
};

/** Strings that programs put out, where they are known. */
const printed = ({ name, args, world, place }: Command): Value | undefined => {
  if (name === 'echo') {
    const words = args.filter((arg) => !/^-[neE]+$/.test(text(arg)));
    const isEscaped = args.some((arg) => /^-[nE]*e/.test(text(arg)));
    const joined = concat(words.flatMap((word, index) => (index === 0 ? [word] : [textValue(' '), word])));
    return isEscaped && joined.texts.some((item) => /\\x[0-9a-f]{2}/i.test(item))
      ? escapes(world, place, joined)
      : joined;
  }
  // A name of its own, so that what goes into the file is known where it is run.
  if (name === 'mktemp') return textValue(`/tmp/tmp.line${place.line}`);
  if (name === 'printf') {
    const [format = NOTHING, ...rest] = args.filter((arg) => text(arg) !== '--');
    const whole: Value = {
      marks: joinMarks(args.map(allMarks)),
      texts: format.texts.map((item) => {
        let index = 0;
        return item.replace(/%[sbd]/g, () => text(rest[index++]) || HOLE);
      }),
    };
    return whole.texts.some((item) => /(?:\\x[0-9a-f]{2}|\\[0-7]{3}){2}/i.test(item))
      ? escapes(world, place, whole)
      : whole;
  }
  return undefined;
};

const escapes = (world: World, place: Place, value: Value): Value =>
  world.decoded(
    place,
    'escaped characters',
    value,
    value.texts.map((item) =>
      item.replace(/\\x([0-9a-fA-F]{2})|\\0?([0-7]{3})/g, (_, hex?: string, octal?: string) =>
        String.fromCharCode(hex === undefined ? Number.parseInt(octal ?? '0', 8) : Number.parseInt(hex, 16)),
      ),
    ),
  );

const environment = ({ name, args, world, place }: Command): Value | undefined => {
  const isDump =
    ((name === 'env' || name === 'printenv') && args.every(isFlag)) ||
    (name === 'set' && args.length === 0) ||
    (name === 'export' && args.every((arg) => text(arg) === '-p')) ||
    (name === 'declare' && text(args[0]) === '-x' && args.length === 1);
  if (isDump) {
    world.capability('environment', place, 'all variables');
    return world.environment(place);
  }
  if (name === 'printenv') return world.variable(place, args.map(text));
  if (name === 'gh' && text(args[0]) === 'auth' && text(args[1]) === 'token')
    return world.variable(place, ['GITHUB_TOKEN']);
  if (name === 'find') {
    return world.sweep(place, args.find((arg) => !isFlag(arg)) ?? NOTHING, 'find');
  }
  const words = args.map(text).join(' ');
  if (
    (name === 'kubectl' && /^get secrets?\b/.test(words)) ||
    (name === 'aws' && /^secretsmanager get-secret-value\b/.test(words)) ||
    (name === 'pass' && /^show\b/.test(words))
  ) {
    world.capability('environment', place, `${name} prints secrets`);
    return { marks: [{ ...place, label: 'secret', what: `${name} prints secrets` }], texts: [] };
  }
  if (/^(?:zenity|kdialog|yad)$/.test(name) && args.some((arg) => text(arg).startsWith('--password')))
    return { marks: [{ ...place, label: 'secret', what: 'asks for a password' }], texts: [] };
  if (name === 'security' && /find-(?:generic|internet)-password|dump-keychain|export/.test(args.map(text).join(' ')))
    return { marks: [{ ...place, label: 'secret', what: 'reads the keychain' }], texts: [] };
  return undefined;
};

/** What the program puts out; nothing if it is none of these. */
export const knownProgram = (command: Command): Value | undefined => {
  protectedArchive(command);
  return (
    printed(command) ??
    environment(command) ??
    decoders(command) ??
    persistence(command) ??
    network(command) ??
    remove(command)
  );
};
