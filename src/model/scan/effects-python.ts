/** What the names of Python do. Also of Starlark, whose only effects are `ask`, `command` and `trace`. */
import { decodeBase64, decodeHex, reverseText, rot13 } from './decode.ts';
import { argument, type CallSite, type LanguageEffects } from './language.ts';
import { archives, files, handle, paths, temporary } from './python-files.ts';
import { textMethod } from './text-methods.ts';
import {
  allMarks,
  asLogin,
  concat,
  HOLE,
  knownText,
  mapTexts,
  NOTHING,
  textValue,
  withMarks,
  type Value,
} from './value.ts';
import { runArgv } from './shell-commands.ts';

const SEND =
  /^(?:requests|httpx|aiohttp|urllib3|grequests|curl_cffi)(?:\..*)?\.(?:get|post|put|patch|delete|head|options|request|urlopen|send|stream)$|^(?:urllib\.request|urllib2|urllib)\.(?:urlopen|Request|urlretrieve)$|^urllib\.request\.build_opener\(\)\.open$|^webbrowser\.open\w*$|^http\.client\.HTTPS?Connection\(\)\.(?:request|send)$|^socket\.socket\(\)\.(?:send|sendall|sendto|connect|connect_ex)$|^socket\.(?:gethostbyname|gethostbyname_ex|getaddrinfo|create_connection)(?:\(\)\.\w+)?$|(?:^|\.)wrap_socket\(\)\.(?:send|sendall|write)$|^smtplib\.\w+\(\)\.(?:sendmail|send_message)$|^ftplib\.\w+\(\)\.stor\w+$|^(?:websocket|websockets)\..*\.?(?:send|create_connection|connect)$|^dns\.resolver\.(?:query|resolve)$|^paramiko\..*\.(?:put|putfo|exec_command|connect)$|^telnetlib\.Telnet(?:\(\)\.write)?$|^boto3\..*\.(?:upload_file|upload_fileobj|put_object)$|^pycurl\..*|^xmlrpc\.client\..*|^(?:telegram|telebot|discord)\..*\.(?:send\w*)$/;
const RECEIVE =
  /^http\.client\.HTTPS?Connection\(\)\.getresponse$|^socket\.(?:socket|create_connection)\(\)\.(?:recv|recvfrom|makefile|recv_into)$|^websockets?\..*\.recv$|(?:^|\.)rfile\.read\w*$|^(?:flask\.)?request\.get_(?:data|json)$/;
const CONNECTION =
  /^(?:requests\.(?:Session|session)|httpx\.(?:Client|AsyncClient)|aiohttp\.ClientSession|urllib3\.PoolManager|http\.client\.HTTPS?Connection|socket\.socket|smtplib\.\w+|ftplib\.\w+|paramiko\.\w+|urllib\.request\.build_opener|logging\.handlers\.(?:HTTP|Socket|Datagram|SMTP|SysLog)Handler|poplib\.\w+|imaplib\.\w+|nntplib\.\w+|asyncssh\.\w+|aiosmtplib\.\w+|pika\.\w+|redis\.\w+|pymongo\.MongoClient|paho\.mqtt\.client\.Client)$/;
const RUN_SHELL =
  /^(?:os\.(?:system|popen)|subprocess\.(?:getoutput|getstatusoutput)|commands\.getoutput|asyncio\.create_subprocess_shell|pexpect\.(?:run|spawn))$|^ctypes\.\w+(?:\.\w+)*(?:\(\))?(?:\.\w+)?\.(?:system|popen|WinExec)$|^\?(?:\.\w+)*\.(?:system|popen|getoutput|getstatusoutput|check_output|check_call)$/;
const RUN_ARGV =
  /^(?:subprocess\.(?:run|call|check_call|check_output|Popen)|asyncio\.create_subprocess_exec|os\.(?:execv|execve|execvp|execl|execlp|spawnv|spawnl|spawnlp|posix_spawn)|pty\.spawn)$/;
const RUN_CODE =
  /^(?:exec|eval|compile|execfile|code\.(?:interact|InteractiveInterpreter\(\)\.runsource)|types\.(?:FunctionType|CodeType)|runpy\.run_string)$/;
const UNPICKLE = /^(?:pickle|cPickle|dill|cloudpickle|marshal|shelve|joblib|torch)\.(?:loads|load|open)$/;
/** Programs and libraries that are loaded from a file: which argument names it. */
const LOAD_FILE: readonly (readonly [RegExp, number, string])[] = [
  [/^runpy\.run_path$/, 0, 'path_name'],
  [/^importlib\.util\.spec_from_file_location$/, 1, 'location'],
  [/^importlib\.machinery\.\w+Loader$/, 1, 'path'],
  [/^imp\.load_(?:source|dynamic|compiled)$/, 1, 'pathname'],
  [/^ctypes\.(?:CDLL|PyDLL|WinDLL|cdll\.LoadLibrary|windll\.LoadLibrary)$/, 0, 'name'],
];
const DECODE =
  /^(?:base64\.\w*decode\w*|binascii\.(?:unhexlify|a2b_\w+)|bytes\.fromhex|bytearray\.fromhex|codecs\.(?:decode|getdecoder)|zlib\.decompress|gzip\.decompress|bz2\.decompress|lzma\.decompress|marshal\.loads|.*\.decrypt|urllib\.parse\.unquote\w*|quopri\.decodestring)$/;
const STEAL =
  /^(?:browser_cookie3\.\w+|keyring\.get_password|pyperclip\.paste|win32crypt\.CryptUnprotectData|PIL\.ImageGrab\.grab|pyautogui\.screenshot|pynput\.keyboard\.Listener)$/;
const PERSIST = /^(?:winreg\.SetValueEx\w*|crontab\.CronTab.*\.(?:new|write)|atexit\.register)$/;

/** Modules that can start a program: an unknown name in another one is a note. */
const STARTERS =
  /^(?:os|posix|nt|subprocess|builtins|__builtins__|sys|importlib|ctypes|pty|commands|shutil|asyncio|socket|\?)(?:$|\.|\()/;

const everything = ({ args, named }: CallSite): Value[] => [...args, ...named.values()];

const send = (site: CallSite): Value => {
  const { ref, world, place, receiver } = site;
  const isRequest = /\.request$|\.send$/.test(ref) && !ref.startsWith('http.client');
  const first = argument(site, 0, 'url');
  const url =
    isRequest && site.args.length > 1 ? (site.args[1] ?? first) : ref.startsWith('http.client') ? receiver : first;
  const address = url.items?.[0] ?? url;
  const target = address.texts.length > 0 ? address : (receiver.fields?.get('#address') ?? address);
  // Headers that a session was given go with every request.
  const uploaded = ref.endsWith('.upload_file') ? [world.readFile(place, argument(site, 0, 'Filename'), 'reads')] : [];
  const logins = [...site.named].map(([key, value]) => (/^(?:headers|auth|cert)$/.test(key) ? asLogin(value) : value));
  world.sendNetwork(place, target, [...site.args, ...logins, ...uploaded, receiver], ref.replace(/\(\)/g, ''));
  // What was sent does not come back.
  const answer = world.readNetwork(place, target, ref.replace(/\(\)/g, ''));
  if (ref.endsWith('urlretrieve')) {
    const given = argument(site, 1, 'filename');
    const path: Value =
      given.texts.length > 0 || given.ref !== undefined
        ? given
        : { marks: [], texts: [], ref: `${ref}@${place.file}:${place.line}` };
    world.writeFile(place, path, answer, ref);
    return { ...answer, items: [path, NOTHING] };
  }
  return { ...answer, ref: `${ref}()` };
};

const runArguments = (site: CallSite): Value => {
  const { ref, world, place, depth, named } = site;
  const what = ref;
  let command = argument(site, 0, 'args');
  const shell = knownText(named.get('shell'));
  const stdin = named.get('input') ?? named.get('stdin') ?? NOTHING;
  if (ref === 'asyncio.create_subprocess_exec' || /^os\.(?:execl|execlp|spawnl|spawnlp)$/.test(ref))
    command = { marks: [], texts: [], items: site.args };
  if (/^os\.(?:execve?|execvpe?|posix_spawn)$/.test(ref) || /^os\.spawnvp?e?$/.test(ref)) {
    const program = /spawnv/.test(ref) ? argument(site, 1) : command;
    const list = /spawnv/.test(ref) ? argument(site, 2) : argument(site, 1);
    command = { marks: [], texts: [], items: [program, ...(list.items ?? []).slice(1)] };
  }
  if ([named.get('stdin'), named.get('stdout')].some((value) => value?.ref?.startsWith('socket.') === true))
    world.alarm('reverse-shell', place, 'Connects a program’s input and output to the network.');
  const fields = new Map<string, Value>(command.items ? [['#program', command.items[0] ?? NOTHING]] : []);
  if (command.items && shell !== 'True')
    return { ...runArgv({ world, depth }, place, command.items, stdin, what), ref: `${ref}()`, fields };
  const out = world.runCode(place, command.items ? concat(command.items) : command, 'shell', what, depth);
  return { ...out, texts: [], ref: `${ref}()` };
};

const decode = (site: CallSite): Value => {
  const { ref, world, place } = site;
  const given = argument(site, 0);
  const kind = knownText(argument(site, 1, 'encoding')) ?? '';
  const by = (text: string): string | undefined => {
    if (ref.includes('64')) return decodeBase64(text);
    if (ref.includes('hex') || kind.startsWith('hex')) return decodeHex(text);
    if (/rot/.test(kind)) return rot13(text);
    if (kind.startsWith('base64')) return decodeBase64(text);
    return undefined;
  };
  return world.decoded(
    place,
    `${ref}()`,
    given,
    given.texts.map(by).filter((text) => text !== undefined),
  );
};

const environment = (site: CallSite): Value | undefined => {
  const { ref, world, place, args } = site;
  if (/^(?:os\.getenv|os\.environ(?:\.(?:get|pop|setdefault)|\[\])|os\.environb\[\])$/.test(ref)) {
    const fallback = args[1] ?? NOTHING;
    const [key = NOTHING] = args;
    // One name after the other is all of them.
    const all = key.marks.filter(({ label }) => label === 'environment');
    if (all.length > 0) return { marks: all, texts: [] };
    return {
      ...withMarks(
        world.variable(
          place,
          key.texts.filter((text) => !text.includes(HOLE)),
        ),
        fallback.marks,
      ),
      texts: fallback.texts,
    };
  }
  return undefined;
};

/** As a shell would part them: blanks, and quotes that keep together. */
const shellWords = (text: string): readonly string[] =>
  [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );

const build = (site: CallSite): Value | undefined => {
  const { ref, world, place, args } = site;
  switch (ref) {
    case 'getattr': {
      const [object = NOTHING, name] = args;
      const key = knownText(name);
      if (key === undefined) {
        if (object.ref !== undefined) {
          world.note(
            'computed-name',
            place,
            `The name of what is called in ${object.ref} is put together while the program runs.`,
          );
          if (
            /^(?:builtins|__builtins__|os|subprocess)$/.test(object.ref) &&
            (name === undefined ? [] : allMarks(name)).some(({ label }) => label === 'decoded')
          )
            world.alarm(
              'concealed-code',
              place,
              `The name of what is called in ${object.ref} is put together from numbers or encoded text.`,
            );
          if (STARTERS.test(object.ref)) world.capability('processes', place, `getattr(${object.ref}, …)`);
        }
        return { marks: allMarks(object), texts: [] };
      }
      const named = python.normalRef(`${object.ref ?? '?'}.${key}`);
      return (
        object.fields?.get(key) ?? {
          ...(python.member(world, place, named) ?? { marks: object.marks, texts: [] }),
          ref: named,
        }
      );
    }
    case 'chr': {
      const code = Number(knownText(args[0]) ?? Number.NaN);
      const text = Number.isInteger(code) && code >= 0 && code < 0x110000 ? [String.fromCodePoint(code)] : [];
      return world.decoded(place, 'chr()', args[0] ?? NOTHING, text);
    }
    case 'map': {
      const [maker, list] = args;
      if (maker?.ref === 'chr' && list?.items) {
        const texts = list.items.map((item) => Number(knownText(item) ?? Number.NaN));
        const items = texts.map((code) =>
          textValue(Number.isInteger(code) && code >= 0 && code < 0x110000 ? String.fromCodePoint(code) : HOLE),
        );
        return { ...world.decoded(place, 'map(chr, …)', NOTHING, []), items };
      }
      return undefined;
    }
    case 'bytes':
    case 'bytearray': {
      const [list] = args;
      if (!list?.items) return list && list.texts.length > 0 ? list : undefined;
      const codes = list.items.map((item) => Number(knownText(item) ?? Number.NaN));
      const text = codes.every((code) => Number.isInteger(code) && code >= 0 && code < 256)
        ? [String.fromCharCode(...codes.slice(0, 50_000))]
        : [];
      return world.decoded(place, `${ref}() of numbers`, list, text);
    }
    case 'reversed': {
      const [given = NOTHING] = args;
      return given.items
        ? { ...given, items: given.items.toReversed() }
        : {
            ...world.decoded(place, 'reversed()', given, []),
            items: given.texts.map((text) => textValue(reverseText(text))),
          };
    }
    case 'shlex.split':
      return args[0]
        ? { marks: allMarks(args[0]), texts: [], items: shellWords(knownText(args[0]) ?? '').map(textValue) }
        : undefined;
    case 'str':
    case 'repr':
    case 'int':
      return args[0] && args[0].texts.length > 0 ? mapTexts(args[0], (text) => text) : undefined;
    case 'list':
    case 'tuple':
    case 'sorted':
      return args[0]?.items ? { marks: args[0].marks, texts: [], items: args[0].items } : undefined;
    case 'globals':
    case 'locals':
    case 'vars':
      return { marks: [], texts: [], ref: '__builtins__' };
    case 'sys.modules[]':
    case '__builtins__[]':
    case '__builtins__.__dict__[]': {
      const key = knownText(args[0]);
      return key === undefined ? undefined : { marks: [], texts: [], ref: python.normalRef(key) };
    }
    case '__builtins__.get':
    case '__builtins__.__getattribute__': {
      const key = knownText(args[0]);
      return key === undefined ? undefined : { marks: [], texts: [], ref: key };
    }
    default:
      return undefined;
  }
};

/** A loader that makes any object makes any call. */
const isUnsafeYaml = (site: CallSite): boolean => {
  const { ref, named, args } = site;
  const loader = named.get('Loader')?.ref ?? args[1]?.ref ?? '';
  const isUnsafe = ref === 'yaml.unsafe_load' || (ref === 'yaml.load' && /^yaml\.(?:Unsafe|Full)?Loader$/.test(loader));
  return isUnsafe && allMarks(argument(site, 0)).some(({ label }) => label === 'network');
};

const starlark = (site: CallSite): Value | undefined => {
  const { ref, world, place, depth } = site;
  if (ref !== 'command') return undefined;
  const argv = argument(site, 0, 'argv');
  world.capability(
    'processes',
    place,
    `command ${(argv.items ?? [argv]).map((item) => (item.texts[0] ?? '…').replaceAll(HOLE, '…')).join(' ')}`,
  );
  return runArgv({ world, depth }, place, argv.items ?? [argv], NOTHING, 'command');
};

const OUTSIDE = new Map([['Path', 'pathlib.Path']]);

export const python: LanguageEffects = {
  isEnvironment: (ref) => ref === 'os.environ' || ref === 'os.environb',
  isRunner: (ref) => RUN_SHELL.test(ref) || RUN_ARGV.test(ref) || /^(?:exec|eval)$/.test(ref),
  bindsThis: false,
  normalRef: (ref) =>
    (OUTSIDE.get(ref) ?? ref)
      .replace(/^(?:builtins|__builtins__)\.__dict__\.(?=.)/, '')
      .replace(/^(?:builtins|__builtins__)\.(?!__dict__$|get$|__getattribute__$)/, '')
      .replace(/\.__getattribute__$/, '.__getattribute__'),
  resolve: () => undefined,
  member: (world, place, ref) => {
    if (ref === 'os.environ' || ref === 'os.environb') return world.environment(place);
    return ref === 'sys.executable' ? textValue('python3') : undefined;
  },
  call: (site) => {
    const { ref, method, world, place, depth } = site;
    const early =
      environment(site) ??
      handle(site) ??
      temporary(site) ??
      archives(site) ??
      paths(site) ??
      build(site) ??
      starlark(site) ??
      textMethod(site);
    if (early) return early;
    if (SEND.test(ref)) return send(site);
    if (RECEIVE.test(ref))
      return world.readNetwork(place, site.receiver.fields?.get('#address') ?? NOTHING, ref.replace(/\(\)/g, ''));
    if (CONNECTION.test(ref)) {
      world.capability('network', place, ref);
      world.contact(place, argument(site, 0, 'host'));
      return {
        marks: [],
        texts: site.args[0]?.texts ?? [],
        ref: `${ref}()`,
        fields: new Map([['#address', argument(site, 0)]]),
      };
    }
    if (RUN_SHELL.test(ref)) {
      const out = world.runCode(place, argument(site, 0), 'shell', ref, depth);
      return { marks: out.marks, texts: [], ref: `${ref}()` };
    }
    if (RUN_ARGV.test(ref)) return runArguments(site);
    if (RUN_CODE.test(ref)) {
      const code = argument(site, 0, 'source');
      world.runCode(place, code, 'python', `${ref}()`, depth);
      return { marks: allMarks(code), texts: code.texts };
    }
    const stored = [...allMarks(argument(site, 0)), ...world.writtenFrom(argument(site, 0))];
    if (UNPICKLE.test(ref) && stored.some(({ label }) => label === 'network')) {
      world.runCode(place, { marks: stored, texts: [] }, 'other', `${ref}()`, depth);
    }
    if (isUnsafeYaml(site))
      world.runCode(place, { marks: allMarks(argument(site, 0)), texts: [] }, 'other', `${ref}()`, depth);
    if (/(?:^|\.)clone_from$|^dulwich\.porcelain\.clone$|^pygit2\.clone_repository$/.test(ref)) {
      world.capability('network', place, ref);
      world.clone(place, argument(site, 0, 'url', 'source'), argument(site, 1, 'to_path', 'target', 'path'), ref);
    }
    // Where modules come from: a folder that was filled from outside, or an archive of the skill.
    if (/^sys\.path\.(?:insert|append)$/.test(ref)) {
      const folder = argument(site, ref.endsWith('insert') ? 1 : 0);
      if (folder.texts.some((text) => /\.(?:zip|egg|whl|pyz)$/.test(text)))
        world.alarm(
          'decoded-and-run',
          place,
          `Imports modules from an archive, ${folder.texts[0]?.replaceAll(HOLE, '…') ?? ''}. Lathe can’t read it.`,
        );
      else if (folder.ref !== undefined || folder.texts.length > 0)
        world.runFile(place, concat([folder, textValue('/__init__.py')]), 'imports from', 'python');
    }
    const load = LOAD_FILE.find(([pattern]) => pattern.test(ref));
    if (load)
      world.runFile(place, argument(site, load[1], load[2]), ref, ref.startsWith('ctypes') ? undefined : 'python');
    if (DECODE.test(ref)) return decode(site);
    if (STEAL.test(ref)) {
      world.capability('environment', place, ref);
      return { marks: [{ ...place, label: 'secret', what: `${ref}()` }], texts: [] };
    }
    if (PERSIST.test(ref) && ref !== 'atexit.register') world.capability('persistence', place, ref);
    const file = files(site);
    if (file) return file;
    if (
      method === 'dup2' &&
      ref === 'os.dup2' &&
      everything(site).some((value) => value.ref?.startsWith('socket.') === true)
    )
      world.alarm('reverse-shell', place, 'Connects the program’s input and output to the network.', {
        trail: [],
      });
    if (ref.startsWith('ctypes.')) world.capability('processes', place, ref);
    return undefined;
  },
};

/** Marks of a value that continue where its text does not. */
export const pythonModulePath = (from: string, path: string): readonly string[] => {
  const dots = /^\.*/.exec(path)?.[0].length ?? 0;
  const folder = from.split('/').slice(0, -Math.max(1, dots));
  const rest = path
    .slice(dots)
    .split('.')
    .filter((part) => part !== '');
  const full = [...folder, ...rest].join('/');
  return [
    `${full}.py`,
    `${full}/__init__.py`,
    ...(dots === 0 ? [`${rest.join('/')}.py`, `scripts/${rest.join('/')}.py`] : []),
  ];
};
