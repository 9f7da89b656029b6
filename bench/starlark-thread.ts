/** The engine for benchmarks, from the project's root: the test's own helper looks beside itself, and here it is bundled. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EngineHost } from '../src/platform/worker/engine-host.ts';
import { createNodeEngine } from '../src/platform/worker/node-starlark.ts';
import { bundleThreads } from '../src/platform/worker/testing/bundle-threads.ts';

export interface EngineMaker extends Disposable {
  /** A new one, of which nothing is started or compiled. */
  readonly make: () => EngineHost;
}

export const engineMaker = async (): Promise<EngineMaker> => {
  const bundled = await bundleThreads({ thread: resolve('src/platform/worker/node-starlark-thread.ts') }, 'mjs');
  const thread = new URL('thread.mjs', bundled.address);
  const wasm = pathToFileURL(resolve('public/starlark.wasm'));
  return {
    make: () => createNodeEngine({ wasm, thread }),
    [Symbol.dispose]: () => bundled[Symbol.dispose](),
  };
};
