/** A thread's file. A build for Node makes an entry of it, called `sandbox-git-thread.js`. */
import { serveGit } from './git/git-thread.ts';
import { nodeThreadPort } from './node-thread-port.ts';
import { removeCapabilities } from './remove-capabilities.ts';

const port = nodeThreadPort();
// It runs no foreign code, only reads foreign data; compression still needs modules of Node.
removeCapabilities();
serveGit(port);
