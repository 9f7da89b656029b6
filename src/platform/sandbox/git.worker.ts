import { serveGit } from './git/git-thread.ts';
import { removeCapabilities } from './remove-capabilities.ts';
import { workerPort } from './worker-port.ts';

removeCapabilities();
serveGit(workerPort());
