/**
 * Takes away from a thread of Node what foreign code must not have. The modules of Node belong to a thread, so this changes
 * only the thread that calls it.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { removeCapabilities } from './remove-capabilities.ts';

const MODULES = [
  'fs',
  'fs/promises',
  'net',
  'tls',
  'http',
  'https',
  'http2',
  'dgram',
  'dns',
  'dns/promises',
  'child_process',
  'cluster',
  'vm',
  'inspector',
  'repl',
  'v8',
  'wasi',
  'os',
  'module',
] as const;

/** What Node's own machinery still calls while the thread lives. */
const KEPT: Readonly<Partial<Record<string, readonly string[]>>> = { module: ['_extensions', 'prototype'] };

export const lockNodeThread = (): void => {
  const require = createRequire(import.meta.url);
  // A function of the old kind: some of these are classes that others extend.
  const refuse = function refused(): never {
    throw new Error('the sandbox has no access to this machine');
  };
  // All of them first: loading one uses others.
  const modules = MODULES.map((name) => [name, require(`node:${name}`) as Record<string, unknown>] as const);
  const threads = require('node:worker_threads') as Record<string, unknown>;
  for (const [name, found] of modules) {
    for (const key of Object.keys(found)) {
      if (typeof found[key] !== 'function' || KEPT[name]?.includes(key) === true) continue;
      const own = Object.getOwnPropertyDescriptor(found, key);
      if (own?.configurable === true)
        Object.defineProperty(found, key, { value: refuse, configurable: false, writable: false });
      else if (own?.writable === true) found[key] = refuse;
    }
  }
  threads['Worker'] = refuse;
  const { process } = globalThis as unknown as { process?: Record<string, unknown> };
  for (const key of [
    'binding',
    '_linkedBinding',
    'dlopen',
    'kill',
    'chdir',
    'exit',
    'reallyExit',
    'abort',
    'getBuiltinModule',
  ])
    if (process && key in process) process[key] = refuse;
  syncBuiltinESMExports();
  removeCapabilities();
  // Python's way out (`os._exit`) writes its code here.
  Object.defineProperty(globalThis, 'process', { value: { exitCode: 0 } });
};
