import { loadPyodide, type PyodideConfig } from 'pyodide';
import { limitMemory } from './python/limit-memory.ts';
import { servePython } from './python/python-thread.ts';
import { removeCapabilities } from './remove-capabilities.ts';
import { workerPort } from './worker-port.ts';

/** Its script is a chunk of ours: as `.mjs` beside the page it would depend on what a server takes such a file for. */
const load = async (options: PyodideConfig) => {
  const { default: createPyodideModule } = await import('pyodide/pyodide.asm.mjs');
  return loadPyodide({ ...options, createPyodideModule } as PyodideConfig);
};

// Some static servers do not know what a .wasm is, and compiling while loading insists on it.
const plainFetch = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const response = await plainFetch(input, init);
  if (!response.ok || !response.url.endsWith('.wasm')) return response;
  return new Response(response.body, { headers: { 'content-type': 'application/wasm' } });
};

// What ends the interpreter is reported as the program's error; a program writes nothing into the page's console.
for (const name of ['debug', 'error', 'info', 'log', 'warn'] as const) console[name] = () => {};

// Python's own files are fetched first; after that there is nothing left to fetch with.
const lock = (): void => {
  limitMemory();
  removeCapabilities();
};
servePython({ port: workerPort(), load, lock });
