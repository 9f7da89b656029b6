/** The sandbox of the terminal and of tests: threads instead of workers, files of the packages instead of addresses. */
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { after } from '../delay.ts';
import { openNodePort } from '../worker/node-worker.ts';
import type { Port } from '../worker/port.ts';
import type { ThreadKind } from './protocol.ts';
import { createSandbox, type Sandbox, type SandboxDeps, type Wheel } from './sandbox.ts';

export interface NodeSandboxDeps extends Pick<SandboxDeps, 'files' | 'workingFolder' | 'history'> {
  /** Where the built threads lie: `sandbox-shell-thread.js` and so on. */
  readonly threads: URL;
  /** `public/sandbox/wheels/`. */
  readonly wheels: URL;
  /** Python's own files, with a slash at the end; without it, those of the npm package. */
  readonly pyodide?: string | undefined;
}

/** Bytes of JavaScript; the memory of Python is not part of it. */
const MOST_MEGABYTES = 1024;

const openThread = (file: URL, name: string): Port =>
  openNodePort(
    file,
    {
      name,
      // Nothing of the user's environment.
      env: {},
      argv: [],
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES, stackSizeMb: 4 },
    },
    (error, message) => ({ kind: error?.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'lost', message }),
  );

let compiled: Promise<WebAssembly.Module> | undefined;

/**
 * V8 shares compiled code between threads while one of them has it. Every program gets a new thread and the last one is gone by
 * then, so this process keeps the code: the next Python starts in half the time.
 */
const keepCompiled = (pyodide: string): void => {
  compiled ??= readFile(join(pyodide, 'pyodide.asm.wasm')).then((bytes) => WebAssembly.compile(bytes));
  // A file that cannot be read or compiled is a failure of the thread that needs it.
  compiled.catch(() => {
    compiled = undefined;
  });
};

const readWheels = async (folder: URL): Promise<readonly Wheel[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.whl'));
  return Promise.all(
    names.map(async (name) => ({ name, bytes: new Uint8Array(await readFile(new URL(name, folder))) })),
  );
};

const ofPackage = (): string => `${dirname(createRequire(import.meta.url).resolve('pyodide/package.json'))}${sep}`;

export const createNodeSandbox = ({ threads, wheels, pyodide = ofPackage(), ...deps }: NodeSandboxDeps): Sandbox => {
  const open = (kind: ThreadKind): Port => {
    if (kind === 'python') keepCompiled(pyodide);
    return openThread(new URL(`sandbox-${kind}-thread.js`, threads), kind);
  };
  return createSandbox({
    ...deps,
    open,
    python: { indexUrl: pyodide, wheels: () => readWheels(wheels) },
    now: Date.now,
    after,
  });
};
