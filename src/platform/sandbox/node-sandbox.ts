/** The sandbox of the terminal and of tests: threads instead of workers, files of the packages instead of addresses. */
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import { Worker } from 'node:worker_threads';
import { after } from '../delay.ts';
import type { Port } from '../worker/port.ts';
import type { ThreadKind } from './protocol.ts';
import { createSandbox, type Sandbox, type SandboxDeps, type Wheel } from './sandbox.ts';

export interface NodeSandboxDeps extends Pick<SandboxDeps, 'files' | 'workingFolder' | 'history'> {
  /** Where the built threads lie: `sandbox-shell-thread.js` and so on. */
  readonly threads: URL;
  /** `public/sandbox/wheels/`. */
  readonly wheels: URL;
}

/** Bytes of JavaScript; the memory of Python is not part of it. */
const MOST_MEGABYTES = 1024;

const openThread = (file: URL, name: string): Port => {
  const worker = new Worker(file, {
    name,
    stdout: true,
    stderr: true,
    // Nothing of the user's environment.
    env: {},
    argv: [],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES, stackSizeMb: 4 },
  });
  worker.unref();
  let isClosed = false;
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (handler) => {
      worker.on('message', handler);
      // Listening refs the worker again.
      worker.unref();
    },
    onCrash: (handler) => {
      let isTold = false;
      const tell = (code: string, message: string): void => {
        if (isTold || isClosed) return;
        isTold = true;
        handler({ kind: code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'lost', message });
      };
      worker.on('error', (error: NodeJS.ErrnoException) => tell(error.code ?? '', error.message));
      worker.on('exit', (code) => tell('', `the worker ended with code ${code}`));
    },
    close: () => {
      isClosed = true;
      void worker.terminate();
    },
  };
};

const readWheels = async (folder: URL): Promise<readonly Wheel[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.whl'));
  return Promise.all(
    names.map(async (name) => ({ name, bytes: new Uint8Array(await readFile(new URL(name, folder))) })),
  );
};

export const createNodeSandbox = ({ threads, wheels, ...deps }: NodeSandboxDeps): Sandbox => {
  const pyodide = dirname(createRequire(import.meta.url).resolve('pyodide/package.json'));
  const open = (kind: ThreadKind): Port => openThread(new URL(`sandbox-${kind}-thread.js`, threads), kind);
  return createSandbox({
    ...deps,
    open,
    python: { indexUrl: `${pyodide}${sep}`, wheels: () => readWheels(wheels) },
    now: Date.now,
    after,
  });
};
