/** A thread's file. A build for Node makes an entry of it, called `sandbox-shell-thread.js`. */
import { lockNodeThread } from './node-lock.ts';
import { nodeThreadPort } from './node-thread-port.ts';
import { serveShell } from './shell/shell-thread.ts';

const port = nodeThreadPort();
lockNodeThread();
serveShell(port);
