/** A thread's file. A build for Node makes an entry of it, called `sandbox-python-thread.js`. */
import { loadPyodide } from 'pyodide';
import { lockNodeThread } from './node-lock.ts';
import { nodeThreadPort } from './node-thread-port.ts';
import { limitMemory } from './python/limit-memory.ts';
import { servePython } from './python/python-thread.ts';

const lock = (): void => {
  limitMemory();
  lockNodeThread();
};
servePython({ port: nodeThreadPort(), load: loadPyodide, lock });
