/** The engine for benchmarks, from the project's root: the test's own helper looks beside itself, and here it is bundled. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import type { EngineHost } from '../src/platform/worker/engine-host.ts';
import { createNodeEngine } from '../src/platform/worker/node-starlark.ts';

export interface EngineMaker extends Disposable {
  /** A new one, of which nothing is started or compiled. */
  readonly make: () => EngineHost;
}

export const engineMaker = async (): Promise<EngineMaker> => {
  const folder = mkdtempSync(join(tmpdir(), 'lathe-bench-'));
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      ssr: true,
      target: 'node20',
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: {
        input: { thread: resolve('src/platform/worker/node-starlark-thread.ts') },
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
      },
    },
  });
  const thread = pathToFileURL(join(folder, 'thread.mjs'));
  const wasm = pathToFileURL(resolve('public/starlark.wasm'));
  return {
    make: () => createNodeEngine({ wasm, thread }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
};
