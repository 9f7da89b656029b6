/**
 * What runs inside a Python worker, in a browser and in Node alike. A worker runs one program and is then thrown away, so no
 * program finds what another has left. To start fast, the memory of a started Python is kept once by the host and given to
 * every later worker.
 */
import type { PyodideAPI, PyodideConfig } from 'pyodide';
import { dirName } from '../../../base/paths.ts';
import type { WorkerPort } from '../../worker/port.ts';
import { type ServedCall, serveRpc } from '../../worker/rpc-server.ts';
import {
  ENVIRONMENT,
  failedWith,
  NO_BYTES,
  type OutputEvent,
  type ProgramParams,
  type ProgramResult,
  type ProgressEvent,
} from '../protocol.ts';
import type { Snapshot } from '../sandbox-files.ts';
import { LAUNCH, SETUP } from './launcher.ts';
import { HELP, readPythonArgv } from './python-argv.ts';

export interface PythonInit {
  /** Where Pyodide's files are: an address in a browser, a folder in Node; ends with a slash. */
  readonly indexUrl: string;
  readonly memory: Uint8Array | undefined;
}

export interface PythonParams extends ProgramParams {
  readonly files: Snapshot;
  /** Pure Python packages, as they are distributed. */
  readonly wheels: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

export interface FileChange {
  readonly path: string;
  /** Nothing: it was removed. */
  readonly bytes: Uint8Array | null;
}

export interface PythonResult extends ProgramResult {
  readonly changes: readonly FileChange[];
  readonly madeFolders: readonly string[];
}

export interface PythonThreadDeps {
  readonly port: WorkerPort;
  readonly load: (options: PyodideConfig) => Promise<PyodideAPI>;
  /** Called when everything is loaded and before a line of the program runs. */
  readonly lock: () => void;
}

/** Not in the published types: keeping the memory of a started Python, and starting from it. */
type SnapshotConfig = PyodideConfig & { _makeSnapshot?: boolean; _loadSnapshot?: Uint8Array };
type SnapshotApi = PyodideAPI & { makeMemorySnapshot: () => Uint8Array };

interface FsNode {
  readonly mode: number;
}
interface Fs {
  readonly mkdirTree: (path: string) => void;
  readonly writeFile: (path: string, bytes: Uint8Array) => void;
  readonly readFile: (path: string) => Uint8Array;
  readonly chmod: (path: string, mode: number) => void;
  readonly readdir: (path: string) => string[];
  readonly lstat: (path: string) => FsNode & { readonly size: number };
  readonly isDir: (mode: number) => boolean;
  readonly isFile: (mode: number) => boolean;
  readonly filesystems?: Record<string, unknown>;
}

const ROOTS = ['/workspace', '/tmp'] as const;
/** Left by Python and its tools; nobody wants them among the changes. */
const LITTER = new Set(['__pycache__', '.pytest_cache']);

const PYTHON_ENVIRONMENT = {
  ...ENVIRONMENT,
  PYTHONDONTWRITEBYTECODE: '1',
  COLUMNS: '80',
} as const;

/** All that Python may see of JavaScript while it starts. */
const bareGlobals = (): object =>
  Object.assign(Object.create(null) as object, {
    Object,
    Array,
    Map,
    Set,
    Promise,
    Uint8Array,
    console,
    setTimeout,
    clearTimeout,
  });

const isSame = (a: Uint8Array, b: Uint8Array): boolean => {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
};

/** What has become of the files. */
const changesOf = (
  fs: Fs,
  given: ReadonlyMap<string, Uint8Array>,
  givenFolders: ReadonlySet<string>,
): Pick<PythonResult, 'changes' | 'madeFolders'> => {
  const changes: FileChange[] = [];
  const madeFolders: string[] = [];
  const seen = new Set<string>();
  const visit = (folder: string): void => {
    for (const name of fs.readdir(folder)) {
      if (name === '.' || name === '..' || LITTER.has(name)) continue;
      const path = `${folder}/${name}`;
      const { mode } = fs.lstat(path);
      if (fs.isDir(mode)) {
        if (!givenFolders.has(path)) madeFolders.push(path);
        visit(path);
      } else if (fs.isFile(mode)) {
        seen.add(path);
        const [bytes, before] = [fs.readFile(path), given.get(path)];
        if (!before || !isSame(bytes, before)) changes.push({ path, bytes: bytes.slice() });
      }
    }
  };
  for (const root of ROOTS) visit(root);
  for (const path of given.keys())
    if (!seen.has(path) && !path.split('/').some((step) => LITTER.has(step))) changes.push({ path, bytes: null });
  return { changes, madeFolders };
};

interface Thrown {
  readonly name?: string;
  readonly status?: number;
  readonly message?: string;
}

/** Why Python ended without saying so. */
const ended = (thrown: unknown): { readonly exitCode: number; readonly stderr: string } => {
  const { name = '', status, message = String(thrown) } = (thrown ?? {}) as Thrown;
  // `os._exit`.
  if (typeof status === 'number') return { exitCode: status & 0xff, stderr: '' };
  if (name === 'RangeError' || /call stack|recursion/i.test(message))
    return { exitCode: 139, stderr: 'python3: the program needed more stack than there is\n' };
  if (/memory/i.test(message))
    return { exitCode: 137, stderr: 'python3: the program needed more memory than there is\n' };
  const last = message.trim().split('\n').at(-1) ?? '';
  return { exitCode: 134, stderr: `python3: the interpreter failed: ${last.slice(0, 300)}\n` };
};

export const servePython = ({ port, load, lock }: PythonThreadDeps): void => {
  let python: PyodideAPI | undefined;

  const start = async ({ indexUrl, memory }: PythonInit, call: ServedCall): Promise<Uint8Array | undefined> => {
    const say = (progress: string): void => call.emit({ progress } satisfies ProgressEvent);
    say(memory ? 'Starting Python' : 'Loading Python (6 MB, once)');
    const common: SnapshotConfig = {
      indexURL: indexUrl,
      jsglobals: bareGlobals(),
      checkAPIVersion: false,
    };
    if (memory) {
      python = await load({ ...common, _loadSnapshot: memory });
      return undefined;
    }
    const { jsglobals: _real, ...making } = common;
    const made = (await load({ ...making, _makeSnapshot: true })) as SnapshotApi;
    say('Preparing Python');
    made.runPython(SETUP);
    return made.makeMemorySnapshot();
  };

  const run = (params: PythonParams, call: ServedCall): PythonResult => {
    const { argv, cwd, stdin, files, wheels, outputLimit } = params;
    const none = { changes: [], madeFolders: [] };
    const order = readPythonArgv(argv);
    if (!order.ok) return { ...failedWith(2, order.error), ...none };
    if (!python) throw new Error('Python has not been started');
    if (order.value.kind === 'version' || order.value.kind === 'help') {
      const version = `Python ${String(python.runPython('import sys; sys.version.split()[0]'))}\n`;
      const stdout = new TextEncoder().encode(order.value.kind === 'help' ? HELP : version);
      return { exitCode: 0, stdout, stderr: NO_BYTES, truncated: false, ...none };
    }
    const fs = python.FS as unknown as Fs;
    const given = new Map<string, Uint8Array>();
    const folders = new Set<string>(ROOTS);
    const makeFolder = (path: string): void => {
      fs.mkdirTree(path);
      for (let at = path; at !== ''; at = dirName(at)) folders.add(at);
    };
    for (const root of [...ROOTS, cwd, ...files.folders]) makeFolder(root);
    for (const { path, bytes, mode } of files.files) {
      makeFolder(dirName(path));
      fs.writeFile(path, bytes);
      fs.chmod(path, mode);
      given.set(path, bytes);
    }
    fs.mkdirTree('/usr/lib/wheels');
    for (const { name, bytes } of wheels) fs.writeFile(`/usr/lib/wheels/${name}`, bytes);

    let left = outputLimit;
    let isCut = false;
    const writer = (output: OutputEvent['output']) => ({
      write: (buffer: Uint8Array): number => {
        const kept = buffer.length > left ? buffer.slice(0, left) : buffer.slice();
        if (buffer.length > left) isCut = true;
        left -= kept.length;
        if (kept.length > 0) call.emit({ output, bytes: kept } satisfies OutputEvent);
        return buffer.length;
      },
      isatty: false,
    });
    python.setStdout(writer('stdout'));
    python.setStderr(writer('stderr'));
    let at = 0;
    python.setStdin({
      read: (buffer: Uint8Array): number => {
        const part = stdin.subarray(at, at + buffer.length);
        buffer.set(part);
        at += part.length;
        return part.length;
      },
      isatty: false,
    });
    const orders = JSON.stringify({
      ...order.value,
      argv,
      cwd,
      env: { ...PYTHON_ENVIRONMENT, ...params.env },
      wheels: wheels.map(({ name }) => `/usr/lib/wheels/${name}`),
    });
    // The source of chance is looked up at its first use.
    python.runPython('import os; os.urandom(1)');
    const launch = python.runPython(LAUNCH, { filename: '<sandbox>' }) as (orders: string) => number;
    // From here on the program is in charge.
    if (fs.filesystems)
      for (const name of Object.keys(fs.filesystems)) if (name !== 'MEMFS') delete fs.filesystems[name];
    lock();
    const finish = (exitCode: number, stderr: string): PythonResult => {
      if (stderr !== '') call.emit({ output: 'stderr', bytes: new TextEncoder().encode(stderr) } satisfies OutputEvent);
      return { exitCode, stdout: NO_BYTES, stderr: NO_BYTES, truncated: isCut, ...changesOf(fs, given, folders) };
    };
    try {
      return finish(launch(orders), '');
    } catch (thrown) {
      const { exitCode, stderr } = ended(thrown);
      return finish(exitCode, stderr);
    }
  };

  serveRpc(port, {
    start: (params, call) => start(params as PythonInit, call),
    run: (params, call) => run(params as PythonParams, call),
  });
};
