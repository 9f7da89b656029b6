import type { PyodideAPI, PyodideConfig } from 'pyodide';
import { expect, it } from 'vitest';
import { RpcClient } from '../../worker/rpc-client.ts';
import { openInThread } from '../testing/memory-ports.ts';
import { type PythonParams, servePython } from './python-thread.ts';

/** What a worker does with Python, told by a Python that is none. */
const watch = () => {
  const configs: PyodideConfig[] = [];
  const told: string[] = [];
  const filesystems = { MEMFS: {}, IDBFS: {}, NODEFS: {}, WORKERFS: {} };
  const launch = (): number => {
    told.push(`program with ${Object.keys(filesystems).join(' ')}`);
    return 0;
  };
  const python = {
    FS: {
      filesystems,
      mkdirTree: () => {},
      readdir: () => [],
    },
    runPython: (text: string) => (text.startsWith('import os') ? 0 : launch),
    setStdin: () => {},
    setStdout: () => {},
    setStderr: () => {},
  };
  const thread = new RpcClient(
    openInThread((port) =>
      servePython({
        port,
        load: (config) => {
          configs.push(config);
          return Promise.resolve(python as unknown as PyodideAPI);
        },
        lock: () => told.push('locked'),
      }),
    ),
  );
  return { thread, configs, told };
};

it('RC4: Python sees bare globals while it starts, and memory alone when a program runs', async () => {
  const { thread, configs, told } = watch();
  await thread.call('start', { indexUrl: '/pyodide/', memory: new Uint8Array(1) }).reply;
  const globals = configs[0]?.jsglobals ?? globalThis;
  expect(Object.getPrototypeOf(globals)).toBeNull();
  for (const name of ['fetch', 'XMLHttpRequest', 'WebSocket', 'Worker', 'navigator', 'process', 'Function', 'eval'])
    expect(name in globals, name).toBe(false);
  const params: PythonParams = {
    argv: ['python3', '-c', ''],
    cwd: '/workspace',
    stdin: new Uint8Array(),
    now: 0,
    outputLimit: 1000,
    files: { files: [], folders: [], left: 0 },
    wheels: [],
  };
  expect(await thread.call('run', params).reply).toMatchObject({ exitCode: 0 });
  expect(told).toEqual(['locked', 'program with MEMFS']);
  thread.close();
});
