import { readFile } from 'node:fs/promises';
import { EngineHost } from './engine-host.ts';
import { openNodeWorker } from './node-worker.ts';

export interface NodeEngineDeps {
  /** `public/starlark.wasm`. */
  readonly wasm: URL;
  /** The built `node-starlark-thread.ts`. */
  readonly thread: URL;
}

/** The engine of the terminal and of tests. */
export const createNodeEngine = ({ wasm, thread }: NodeEngineDeps): EngineHost =>
  new EngineHost({
    compile: async () => WebAssembly.compile(await readFile(wasm)),
    open: (name) => openNodeWorker(thread, name),
    now: () => performance.now(),
  });
