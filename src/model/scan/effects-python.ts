/** What the names of Python do. Also of Starlark, whose only effects are `ask`, `command` and `trace`. */
import { decodeBase64, decodeHex, reverseText, rot13 } from './decode.ts';
import type { CallSite, LanguageEffects } from './language.ts';
import { textMethod } from './text-methods.ts';
import { allMarks, concat, HOLE, knownText, mapTexts, NOTHING, textValue, withMarks, type Value } from './value.ts';
import { runArgv } from './shell-commands.ts';

const SEND =
  /^(?:requests|httpx|aiohttp|urllib3|grequests|curl_cffi)(?:\..*)?\.(?:get|post|put|patch|delete|head|options|request|urlopen|send|stream)$|^(?:urllib\.request|urllib2|urllib)\.(?:urlopen|Request|urlretrieve)$|^http\.client\.HTTPS?Connection\(\)\.(?:request|send)$|^socket\.socket\(\)\.(?:send|sendall|sendto|connect|connect_ex)$|^socket\.(?:gethostbyname|gethostbyname_ex|getaddrinfo|create_connection)(?:\(\)\.\w+)?$|^smtplib\.\w+\(\)\.(?:sendmail|send_message)$|^ftplib\.\w+\(\)\.stor\w+$|^(?:websocket|websockets)\..*\.?(?:send|create_connection|connect)$|^dns\.resolver\.(?:query|resolve)$|^paramiko\..*\.(?:put|putfo|exec_command|connect)$|^telnetlib\.Telnet(?:\(\)\.write)?$|^boto3\..*\.(?:upload_file|upload_fileobj|put_object)$|^pycurl\..*|^xmlrpc\.client\..*|^(?:telegram|telebot|discord)\..*\.(?:send\w*)$/;
const RECEIVE =
  /^socket\.(?:socket|create_connection)\(\)\.(?:recv|recvfrom|makefile|recv_into)$|^websockets?\..*\.recv$/;
const CONNECTION =
  /^(?:requests\.(?:Session|session)|httpx\.(?:Client|AsyncClient)|aiohttp\.ClientSession|urllib3\.PoolManager|http\.client\.HTTPS?Connection|socket\.socket|smtplib\.\w+|ftplib\.\w+|paramiko\.\w+|urllib\.request\.build_opener)$/;
const RUN_SHELL =
  /^(?:os\.(?:system|popen)|subprocess\.(?:getoutput|getstatusoutput)|commands\.getoutput|asyncio\.create_subprocess_shell|pexpect\.(?:run|spawn))$/;
const RUN_ARGV =
  /^(?:subprocess\.(?:run|call|check_call|check_output|Popen)|asyncio\.create_subprocess_exec|os\.(?:execv|execve|execvp|execl|execlp|spawnv|spawnl|spawnlp|posix_spawn)|pty\.spawn)$/;
const RUN_CODE =
  /^(?:exec|eval|compile|execfile|code\.(?:interact|InteractiveInterpreter\(\)\.runsource)|types\.(?:FunctionType|CodeType)|runpy\.run_string)$/;
const UNPICKLE = /^(?:pickle|cPickle|dill|cloudpickle|marshal|shelve|joblib|torch)\.(?:loads|load|open)$/;
const DECODE =
  /^(?:base64\.\w*decode\w*|binascii\.(?:unhexlify|a2b_\w+)|bytes\.fromhex|bytearray\.fromhex|codecs\.(?:decode|getdecoder)|zlib\.decompress|gzip\.decompress|bz2\.decompress|lzma\.decompress|marshal\.loads|.*\.decrypt|urllib\.parse\.unquote\w*|quopri\.decodestring)$/;
const READ_FILE =
  /^(?:pathlib\.Path\(\)\.(?:read_text|read_bytes|open)|io\.open|codecs\.open|json\.load|linecache\.getlines|configparser\.ConfigParser\(\)\.read|dotenv\.dotenv_values)$/;
const WRITE_FILE = /^pathlib\.Path\(\)\.(?:write_text|write_bytes)$/;
const DELETE = /^(?:os\.(?:remove|unlink|rmdir|removedirs)|shutil\.rmtree|pathlib\.Path\(\)\.(?:unlink|rmdir))$/;
const COPY = /^(?:shutil\.(?:copy\w*|move)|os\.(?:rename|replace|symlink|link))$/;
const SWEEP = /^(?:os\.(?:walk|listdir|scandir)|glob\.i?glob|pathlib\.Path\(\)\.(?:r?glob|iterdir))$/;
const STEAL =
  /^(?:browser_cookie3\.\w+|keyring\.get_password|pyperclip\.paste|win32crypt\.CryptUnprotectData|PIL\.ImageGrab\.grab|pyautogui\.screenshot|pynput\.keyboard\.Listener)$/;
const PERSIST = /^(?:winreg\.SetValueEx\w*|crontab\.CronTab.*\.(?:new|write)|atexit\.register)$/;

const argument = ({ args, named }: CallSite, index: number, ...names: readonly string[]): Value =>
  names.map((name) => named.get(name)).find((value) => value !== undefined) ?? args[index] ?? NOTHING;

const everything = ({ args, named }: CallSite): Value[] => [...args, ...named.values()];

const send = (site: CallSite): Value => {
  const { ref, world, place, receiver } = site;
  const isRequest = /\.request$|\.send$/.test(ref) && !ref.startsWith('http.client');
  const first = argument(site, 0, 'url');
  const url =
    isRequest && site.args.length > 1 ? (site.args[1] ?? first) : ref.startsWith('http.client') ? receiver : first;
  const address = url.items?.[0] ?? url;
  const target = address.texts.length > 0 ? address : (receiver.fields?.get('#address') ?? address);
  world.sendNetwork(place, target, everything(site), ref.replace(/\(\)/g, ''));
  // What was sent does not come back.
  const answer = world.readNetwork(place, target, ref.replace(/\(\)/g, ''));
  if (ref.endsWith('urlretrieve')) world.writeFile(place, argument(site, 1, 'filename'), answer, ref);
  return { ...answer, ref: `${ref}()` };
};

const open = (site: CallSite, path: Value, mode: string): Value => {
  const { world, place } = site;
  const fields = new Map<string, Value>([['#path', path]]);
  if (/[wax+]/.test(mode)) {
    world.writeFile(place, path, NOTHING, 'writes');
    return { marks: [], texts: [], ref: 'open()', fields };
  }
  return { ...world.readFile(place, path, 'reads'), ref: 'open()', fields };
};

const runArguments = (site: CallSite): Value => {
  const { ref, world, place, depth, named } = site;
  const what = ref;
  let command = argument(site, 0, 'args');
  const shell = knownText(named.get('shell'));
  const stdin = named.get('input') ?? NOTHING;
  if (ref === 'asyncio.create_subprocess_exec' || /^os\.(?:execl|execlp|spawnl|spawnlp)$/.test(ref))
    command = { marks: [], texts: [], items: site.args };
  if (command.items && shell !== 'True') return runArgv({ world, depth }, place, command.items, stdin, what);
  world.runCode(place, command.items ? concat(command.items) : command, 'shell', what, depth);
  return { marks: [], texts: [] };
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

const handle = (site: CallSite): Value | undefined => {
  const { receiver, method, world, place, args } = site;
  const path = receiver.fields?.get('#path');
  if (!path) return undefined;
  if (method === 'write' || method === 'writelines') {
    world.writeFile(place, path, args[0] ?? NOTHING, 'writes');
    return NOTHING;
  }
  return undefined;
};

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
          world.capability('processes', place, `getattr(${object.ref}, …)`);
        }
        return { marks: allMarks(object), texts: [] };
      }
      return (
        object.fields?.get(key) ?? {
          marks: object.marks,
          texts: [],
          ref: python.normalRef(`${object.ref ?? '?'}.${key}`),
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

const paths = (site: CallSite): Value | undefined => {
  const { ref, args, receiver, method } = site;
  if (
    ref === 'os.path.expanduser' ||
    ref === 'os.path.abspath' ||
    ref === 'os.path.realpath' ||
    ref === 'os.path.expandvars' ||
    ref === 'os.fspath'
  )
    return args[0];
  if (ref === 'os.path.join')
    return concat(args.flatMap((arg, index) => (index === 0 ? [arg] : [textValue('/'), arg])));
  if (ref === 'pathlib.Path' || ref === 'pathlib.PurePath')
    return {
      ...concat(args.flatMap((arg, index) => (index === 0 ? [arg] : [textValue('/'), arg]))),
      ref: 'pathlib.Path()',
    };
  if (ref === 'pathlib.Path.home') return { marks: [], texts: ['~'], ref: 'pathlib.Path()' };
  if (
    ref.startsWith('pathlib.Path()') &&
    (method === 'joinpath' || method === 'expanduser' || method === 'resolve' || method === 'absolute')
  )
    return { ...concat([receiver, ...args.flatMap((arg) => [textValue('/'), arg])]), ref: 'pathlib.Path()' };
  return undefined;
};

const files = (site: CallSite): Value | undefined => {
  const { ref, world, place, receiver, args } = site;
  if (ref === 'open' || ref === 'io.open' || ref === 'codecs.open' || ref === 'os.open')
    return open(site, argument(site, 0, 'file'), knownText(argument(site, 1, 'mode')) ?? 'r');
  if (ref === 'pathlib.Path().open') return open(site, receiver, knownText(argument(site, 0, 'mode')) ?? 'r');
  if (READ_FILE.test(ref)) {
    const path = ref.startsWith('pathlib') ? receiver : argument(site, 0);
    return path.fields?.has('#path') === true
      ? { marks: allMarks(path), texts: [] }
      : withMarks(world.readFile(place, path, 'reads'), path.marks);
  }
  if (WRITE_FILE.test(ref)) {
    world.writeFile(place, receiver, argument(site, 0), 'writes');
    return NOTHING;
  }
  if (DELETE.test(ref)) {
    world.deleteFile(
      place,
      ref.startsWith('pathlib') ? receiver : argument(site, 0),
      ref === 'shutil.rmtree' ? 'deletes all of' : 'deletes',
    );
    return NOTHING;
  }
  if (COPY.test(ref)) {
    world.writeFile(place, argument(site, 1), world.readFile(place, argument(site, 0), 'reads'), 'writes');
    return NOTHING;
  }
  if (SWEEP.test(ref))
    return world.sweep(place, ref.startsWith('pathlib') ? receiver : argument(site, 0), ref.replace(/\(\)/g, ''));
  if (/^(?:zipfile\.ZipFile\(\)|pyzipper\.AESZipFile\(\))\.(?:extractall|extract|setpassword|open|read)$/.test(ref)) {
    const password = site.named.get('pwd') ?? (ref.endsWith('setpassword') ? args[0] : undefined);
    if (password && password.texts.some((text) => text !== 'None'))
      world.alarm('protected-archive', place, 'Opens an archive with a password that the program knows.');
    world.capability('files', place, 'unpacks an archive');
  }
  return undefined;
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
  bindsThis: false,
  normalRef: (ref) =>
    (OUTSIDE.get(ref) ?? ref)
      .replace(/^(?:builtins|__builtins__)\.(?!__dict__$|get$|__getattribute__$)/, '')
      .replace(/\.__getattribute__$/, '.__getattribute__'),
  resolve: () => undefined,
  member: (world, place, ref) => {
    if (ref === 'os.environ' || ref === 'os.environb') return world.environment(place);
    return undefined;
  },
  call: (site) => {
    const { ref, method, world, place, depth } = site;
    const early = environment(site) ?? handle(site) ?? paths(site) ?? build(site) ?? starlark(site) ?? textMethod(site);
    if (early) return early;
    if (SEND.test(ref)) return send(site);
    if (RECEIVE.test(ref))
      return world.readNetwork(place, site.receiver.fields?.get('#address') ?? NOTHING, ref.replace(/\(\)/g, ''));
    if (CONNECTION.test(ref)) {
      world.capability('network', place, ref);
      return {
        marks: [],
        texts: site.args[0]?.texts ?? [],
        ref: `${ref}()`,
        fields: new Map([['#address', argument(site, 0)]]),
      };
    }
    if (RUN_SHELL.test(ref)) {
      world.runCode(place, argument(site, 0), 'shell', ref, depth);
      return { marks: [], texts: [], ref: `${ref}()` };
    }
    if (RUN_ARGV.test(ref)) return runArguments(site);
    if (RUN_CODE.test(ref)) {
      const code = argument(site, 0, 'source');
      world.runCode(place, code, 'python', `${ref}()`, depth);
      return { marks: allMarks(code), texts: code.texts };
    }
    if (UNPICKLE.test(ref) && allMarks(argument(site, 0)).some(({ label }) => label === 'network')) {
      world.runCode(place, { marks: allMarks(argument(site, 0)), texts: [] }, 'other', `${ref}()`, depth);
    }
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
      world.alarm('reverse-shell', place, 'A network connection becomes the input and output of the program.', {
        trail: [],
      });
    if (ref.startsWith('ctypes.')) world.capability('processes', place, ref);
    return undefined;
  },
};

/** Marks of a value that go on where its text does not. */
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
