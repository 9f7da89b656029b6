/** The engine for benchmarks, from the project's root: the test's own helper looks beside itself, and here it is bundled. */
import { pathToFileURL } from 'node:url';
import type { EngineHost } from '../src/platform/worker/engine-host.ts';
import { createNodeEngine } from '../src/platform/worker/node-starlark.ts';
import { threadsFolder } from '../src/platform/worker/testing/threads-folder.ts';

const root = pathToFileURL(`${process.cwd()}/`);
const wasm = new URL('public/starlark.wasm', root);
const thread = new URL('starlark-thread.js', threadsFolder(root));

/** A new one, of which nothing is started or compiled. */
export const makeEngine = (): EngineHost => createNodeEngine({ wasm, thread });
