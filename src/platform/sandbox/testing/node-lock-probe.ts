/** A thread's file: says what of Node still answers once the thread is locked. */
import * as childProcess from 'node:child_process';
import * as dns from 'node:dns';
import * as fs from 'node:fs';
import * as promises from 'node:fs/promises';
import * as http from 'node:http';
import * as module from 'node:module';
import * as net from 'node:net';
import * as os from 'node:os';
import * as vm from 'node:vm';
import { parentPort, Worker } from 'node:worker_threads';
import { lockNodeThread } from '../node-lock.ts';
import { remainingCapabilities } from '../remove-capabilities.ts';

const port = parentPort;
/** Who got hold of it before has no more than who looks for it later. */
const machine = globalThis.process as unknown as Record<string, (...given: unknown[]) => unknown>;

const tries: Readonly<Record<string, () => unknown>> = {
  'fs.readFileSync': () => fs.readFileSync('/etc/hostname'),
  'fs.writeFileSync': () => fs.writeFileSync('/tmp/lathe-probe', ''),
  'fs/promises.readFile': () => promises.readFile('/etc/hostname'),
  'net.connect': () => net.connect(9, '127.0.0.1'),
  'http.get': () => http.get('http://127.0.0.1:9/'),
  'dns.lookup': () => dns.lookup('localhost', () => {}),
  'child_process.spawnSync': () => childProcess.spawnSync('true'),
  'os.hostname': () => os.hostname(),
  'vm.runInThisContext': () => vm.runInThisContext('1'),
  'module.createRequire': () => module.createRequire('/'),
  'process.binding': () => machine['binding']?.('fs'),
  'process.dlopen': () => machine['dlopen']?.({}, ''),
  'process.kill': () => machine['kill']?.(0, 0),
  Worker: () => new Worker('1', { eval: true }),
};

/** Those that answer. A refusal says who refuses. */
const answering = (): string[] =>
  Object.entries(tries).flatMap(([name, act]) => {
    try {
      act();
      return [name];
    } catch (thrown) {
      return String(thrown).includes('the sandbox has no access to this machine') ? [] : [`${name}: ${String(thrown)}`];
    }
  });

lockNodeThread();
port?.postMessage({
  answering: answering(),
  remaining: remainingCapabilities(),
  process: Object.keys(globalThis.process),
  tried: Object.keys(tries).length,
});
