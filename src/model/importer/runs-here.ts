/** Whether an executor can run in the sandbox, told before anything is signed; for each reason, where it stands. */
import type { Capability } from '../scan/types.ts';

/** What Python in the sandbox has without a package: tried one by one in the Pyodide that Lathe ships. */
const STANDARD = new Set(
  (
    'abc annotationlib argparse array ast asyncio atexit base64 bdb binascii bisect builtins bz2 cProfile ' +
    'calendar cmath cmd code codecs codeop collections colorsys compileall compression concurrent configparser contextlib contextvars ' +
    'copy copyreg csv ctypes dataclasses datetime decimal difflib dis doctest email encodings enum errno ' +
    'faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob ' +
    'graphlib gzip hashlib heapq hmac html http imaplib importlib inspect io ipaddress itertools json ' +
    'keyword linecache locale logging lzma mailbox marshal math mimetypes mmap modulefinder multiprocessing netrc ntpath ' +
    'nturl2path numbers opcode operator optparse os pathlib pdb pickle pickletools pkgutil platform plistlib poplib ' +
    'posix posixpath pprint profile pstats pty py_compile pyclbr pydoc pyexpat queue quopri random re ' +
    'reprlib rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtplib socket ' +
    'socketserver sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess symtable sys ' +
    'sysconfig tabnanny tarfile tempfile termios textwrap this threading time timeit token tokenize tomllib trace ' +
    'traceback tracemalloc tty types typing unicodedata unittest urllib uuid warnings wave weakref webbrowser wsgiref ' +
    'xml xmlrpc zipapp zipfile zipimport zlib zoneinfo __future__ '
  ).split(' '),
);
/** Modules of one system only. */
const OF_A_SYSTEM: Readonly<Record<string, string>> = {
  winreg: 'Windows',
  winsound: 'Windows',
  msvcrt: 'Windows',
  win32com: 'Windows',
  win32api: 'Windows',
  pythoncom: 'Windows',
  AppKit: 'macOS',
  Foundation: 'macOS',
  Quartz: 'macOS',
  pwd: 'Unix',
  grp: 'Unix',
  resource: 'Unix',
  syslog: 'Unix',
  curses: 'a terminal',
  readline: 'a terminal',
  tkinter: 'a desktop',
  turtle: 'a desktop',
};
/** Wheels that lie in the page, and are loaded when something imports them. */
const WHEELS = new Set(['iniconfig', 'packaging', 'pluggy', 'pygments', 'pytest', '_pytest']);

interface Import {
  readonly module: string;
  readonly line: number;
}

const MOST_ROWS = 20;

/** An import that is tried, where the program ends if it fails. */
const hasNoWayOut = (rows: readonly string[], index: number): boolean => {
  const indent = /^\s*/.exec(rows[index] ?? '')?.[0].length ?? 0;
  const after = rows.slice(index + 1, index + MOST_ROWS);
  const handler = after.findIndex((row) =>
    /^\s*except(?:\s*:|(?!\w)\s*\(?(?:\w[\w, ]*)?(?<!\w)(?:ImportError|ModuleNotFoundError|Exception)\b)/.test(row),
  );
  const before = rows
    .slice(0, index)
    .findLast((row) => row.trim() !== '' && (/^\s*/.exec(row)?.[0].length ?? 0) < indent);
  if (handler === -1 || before?.trim() !== 'try:') return false;
  const body = after.slice(handler + 1);
  const end = body.findIndex((row) => /^\S/.test(row));
  return body.slice(0, end === -1 ? undefined : end).some((row) => /^\s+(?:sys\.exit|exit|quit|raise)\b/.test(row));
};

/** What a script of its own says that it needs (PEP 723): there is no way out then. */
const declaredIn = (text: string): boolean => {
  const block = /^# \/\/\/ script\n((?:#.*\n)*?)# \/\/\/$/m.exec(text)?.[1] ?? '';
  return /dependencies\s*=\s*\[[^\]]*["']/.test(block);
};

/** The function that an indented row is in, without a `try` around the row. */
const functionOf = (rows: readonly string[], index: number): string | undefined => {
  let indent = /^\s*/.exec(rows[index] ?? '')?.[0].length ?? 0;
  for (let at = index - 1; at >= 0 && indent > 0; at--) {
    const row = rows[at] ?? '';
    const own = /^\s*/.exec(row)?.[0].length ?? 0;
    if (row.trim() === '' || own >= indent) continue;
    indent = own;
    const text = row.trim();
    if (/^(?:try|if|elif|else|except|for|while|match|case)\b/.test(text)) return undefined;
    const name = /^(?:async\s+)?def\s+(\w+)/.exec(text)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
};

/** Modules that a file imports. Those that are indented may have a way out. */
const importsOf = (text: string): readonly (Import & { readonly isSure: boolean })[] => {
  const isDeclared = declaredIn(text);
  const isAlways = (name: string | undefined): boolean => name === 'main' || (name !== undefined && isDeclared);
  return text.split('\n').flatMap((whole, index, rows): readonly (Import & { readonly isSure: boolean })[] => {
    const row = whole.trimStart();
    const isSure =
      row === whole ||
      (/^(?:from|import)\s/.test(row) && (hasNoWayOut(rows, index) || isAlways(functionOf(rows, index))));
    const from = /^from\s+([.\w]+)\s+import\b/.exec(row)?.[1];
    if (from !== undefined) return [{ module: from, line: index + 1, isSure }];
    const list = /^import\s+([\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*)/.exec(row)?.[1];
    return (list ?? '')
      .split(',')
      .map((part) => part.trim().replace(/\s.*$/, ''))
      .filter((module) => module !== '')
      .map((module) => ({ module, line: index + 1, isSure }));
  });
};

const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/');

/** The files of the skill that a module can be. */
const ownFiles = (module: string, from: string, script: string, files: ReadonlySet<string>): readonly string[] => {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const parts = module
    .slice(dots)
    .split('.')
    .filter((part) => part !== '');
  const own = folderOf(from)
    .split('/')
    .filter((part) => part !== '');
  // Python looks beside the script that was started, whatever file imports.
  const beside = folderOf(script)
    .split('/')
    .filter((part) => part !== '');
  const starts = dots > 0 ? [own.slice(0, own.length - dots + 1)] : [beside, own, []];
  return starts.flatMap((start) =>
    parts.length === 0
      ? [`${[...start, '__init__'].join('/')}.py`].filter((path) => files.has(path))
      : parts.flatMap((_, index) => {
          const path = [...start, ...parts.slice(0, index + 1)].join('/');
          return [`${path}.py`, `${path}/__init__.py`].filter((file) => files.has(file));
        }),
  );
};

const isOwnFolder = (module: string, from: string, files: ReadonlySet<string>): boolean => {
  const [first = ''] = module.split('.');
  const folder = [folderOf(from), first].filter((part) => part !== '').join('/');
  return [...files].some((file) => file.startsWith(`${folder}/`) || file.startsWith(`${first}/`));
};

/** Without comments and strings that only describe: what a page of help names is not started. */
const codeOnly = (text: string): string =>
  text.replace(/^[ \t]*[rRuU]?("{3}|'{3})[\s\S]*?\1/gm, '').replace(/(?<=^|\s)#.*$/gm, '');

/** The scripts of the skill that a program names as they are called: `pack.py` is not in `unpack.py`. */
const namedIn = (text: string, names: ReadonlySet<string>): readonly string[] => {
  const said = new Set(codeOnly(text).match(/(?<![\w.-])[\w.-]+\.py\b/g));
  return [...names].filter((name) => said.has(name.replace(/^.*\//, '')));
};

interface Source {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly capabilities: readonly Capability[];
}

interface Reach {
  /** The script, and every file of the skill that it imports. */
  readonly reached: ReadonlySet<string>;
  readonly missing: readonly (Import & { readonly file: string })[];
}

const reachOf = (script: string, files: ReadonlyMap<string, Uint8Array>): Reach => {
  const names = new Set(files.keys());
  const reached = new Set<string>();
  const missing: (Import & { readonly file: string })[] = [];
  const open = [script];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const content = files.get(file);
    if (!content || reached.has(file) || !file.endsWith('.py')) continue;
    reached.add(file);
    const text = new TextDecoder().decode(content);
    // A script that is named in the text may be started by it.
    open.push(...namedIn(text, names));
    for (const { module, line, isSure } of importsOf(text)) {
      const own = ownFiles(module, file, script, names);
      open.push(...own);
      if (!isSure) continue;
      const [top = ''] = module.split('.');
      if (own.length > 0 || top === '' || STANDARD.has(top) || WHEELS.has(top) || isOwnFolder(module, file, names))
        continue;
      missing.push({ module: top, line, file });
    }
  }
  return { reached, missing };
};

/** The files that a script can reach by its imports. */
export const reachedFiles = (script: string, files: ReadonlyMap<string, Uint8Array>): ReadonlySet<string> =>
  reachOf(script, files).reached;

const where = ({ file, line }: { readonly file: string; readonly line: number }): string => `${file}:${line}`;

/** Why an executor of this script cannot run here; nothing where nothing speaks against it. */
export const whyNotHere = (script: string, { files, capabilities }: Source): readonly string[] => {
  const { reached, missing } = reachOf(script, files);
  const own = capabilities.filter(({ file }) => reached.has(file));
  const network = own.find(({ kind }) => kind === 'network');
  const program = own.find(
    ({ kind, detail }) =>
      kind === 'processes' && !/^(?:exec|eval|compile|getattr|__import__|importlib|runpy|ctypes)\b/.test(detail),
  );
  const modules = [...new Map(missing.map((item) => [item.module, item])).values()];
  return [
    ...(network ? [`needs the network: ${where(network)} ${network.detail}`] : []),
    ...modules.map((item) => {
      const system = Object.hasOwn(OF_A_SYSTEM, item.module) ? OF_A_SYSTEM[item.module] : undefined;
      return system === undefined
        ? `needs the Python module ${item.module}, which the sandbox doesn’t have: ${where(item)}`
        : `needs ${system}: ${where(item)} imports ${item.module}`;
    }),
    ...(program ? [`starts another program: ${where(program)} ${program.detail}`] : []),
  ];
};
