/** What Python does with files, archives and paths. */
import { argument, type CallSite } from './language.ts';
import { runArgv } from './shell-commands.ts';
import { allMarks, concat, knownText, NOTHING, textValue, withMarks, type Value } from './value.ts';

const READ_FILE =
  /^(?:pathlib\.Path\(\)\.(?:read_text|read_bytes|open)|io\.open|codecs\.open|json\.load|linecache\.getlines|sqlite3\.connect|numpy\.fromfile|configparser\.ConfigParser\(\)\.read|dotenv\.dotenv_values)$/;
const WRITE_FILE = /^pathlib\.Path\(\)\.(?:write_text|write_bytes)$/;
const DELETE = /^(?:os\.(?:remove|unlink|rmdir|removedirs)|shutil\.rmtree|pathlib\.Path\(\)\.(?:unlink|rmdir))$/;
const COPY = /^(?:shutil\.(?:copy\w*|move)|os\.(?:rename|replace|symlink|link))$/;
const SWEEP = /^(?:os\.(?:walk|listdir|scandir)|glob\.i?glob|pathlib\.Path\(\)\.(?:r?glob|iterdir))$/;

const open = (site: CallSite, path: Value, mode: string): Value => {
  const { world, place } = site;
  const fields = new Map<string, Value>([['#path', path]]);
  if (/[wax+]/.test(mode)) {
    world.writeFile(place, path, NOTHING, 'writes');
    return { marks: [], texts: [], ref: 'open()', fields };
  }
  return { ...world.readFile(place, path, 'reads'), ref: 'open()', fields };
};

export const handle = (site: CallSite): Value | undefined => {
  const { receiver, method, world, place, args } = site;
  const program = receiver.fields?.get('#program');
  if (program && method === 'communicate') {
    runArgv(site, place, [program], argument(site, 0, 'input'), '');
    return undefined;
  }
  const printed = site.ref === 'print' ? site.named.get('file')?.fields?.get('#path') : undefined;
  if (printed) world.writeFile(place, printed, concat(args), 'writes');
  const path = receiver.fields?.get('#path');
  if (!path) return undefined;
  const isArchive = /^(?:zipfile|tarfile)\./.test(receiver.ref ?? '');
  if (isArchive && (method === 'write' || method === 'add')) {
    const [member = NOTHING] = args;
    const held = withMarks(world.readFile(place, member, 'reads'), world.sweep(place, member, 'packs').marks);
    world.writeFile(place, path, held, 'packs');
    return NOTHING;
  }
  if (isArchive && /^extract(?:all)?$/.test(method)) world.unpack(place, path, argument(site, 0, 'path'));
  if (isArchive) return undefined;
  if (method === 'write' || method === 'writelines') {
    world.writeFile(place, path, args[0] ?? NOTHING, 'writes');
    return NOTHING;
  }
  return undefined;
};

export const paths = (site: CallSite): Value | undefined => {
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
    (method === 'joinpath' ||
      method === 'with_name' ||
      method === 'expanduser' ||
      method === 'resolve' ||
      method === 'absolute')
  )
    return {
      ...concat([receiver, ...args.flatMap((arg) => arg.items ?? [arg]).flatMap((arg) => [textValue('/'), arg])]),
      ref: 'pathlib.Path()',
    };
  return undefined;
};

export const files = (site: CallSite): Value | undefined => {
  const { ref, world, place, receiver, args } = site;
  if (ref === 'os.fdopen' && argument(site, 0).fields?.has('#path') === true) return argument(site, 0);
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
  if (ref === 'shutil.copyfileobj') {
    const [from = NOTHING, to = NOTHING] = args;
    const target = to.fields?.get('#path');
    if (target) world.writeFile(place, target, from, 'writes');
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
      world.alarm('protected-archive', place, 'Opens an archive with a password from the program.');
    world.capability('files', place, 'unpacks an archive');
  }
  return undefined;
};

/** Files that get their names when they are made: the same name for anyone who writes, runs or sends one. */
export const temporary = ({ ref, place }: CallSite): Value | undefined => {
  const path: Value = { marks: [], texts: [], ref: `${ref}@${place.file}:${place.line}` };
  if (ref === 'tempfile.mkstemp')
    return { marks: [], texts: [], items: [{ ...path, fields: new Map([['#path', path]]) }, path] };
  if (/^tempfile\.(?:Named|Spooled)?TemporaryFile$/.test(ref))
    return {
      marks: [],
      texts: [],
      ref: 'open()',
      fields: new Map([
        ['#path', path],
        ['name', path],
      ]),
    };
  return undefined;
};

export const archives = (site: CallSite): Value | undefined => {
  const { ref, world, place } = site;
  if (ref === 'shutil.make_archive') {
    const base = argument(site, 0, 'base_name');
    const root = argument(site, 2, 'root_dir');
    const content = withMarks(world.readFile(place, root, 'reads'), world.sweep(place, root, 'packs').marks);
    const kind = knownText(argument(site, 1, 'format')) ?? 'zip';
    world.writeFile(
      place,
      concat([base, textValue(kind === 'zip' ? '.zip' : `.tar.${kind.slice(0, 2)}`)]),
      content,
      'packs',
    );
    return concat([base, textValue('.zip')]);
  }
  if (ref === 'shutil.unpack_archive') {
    world.unpack(place, argument(site, 0, 'filename'), argument(site, 1, 'extract_dir'));
    return NOTHING;
  }
  if (!/^(?:zipfile\.ZipFile|pyzipper\.AESZipFile|tarfile\.open)$/.test(ref)) return undefined;
  const path = argument(site, 0, 'file');
  return { marks: path.marks, texts: [], ref: `${ref}()`, fields: new Map([['#path', path]]) };
};
