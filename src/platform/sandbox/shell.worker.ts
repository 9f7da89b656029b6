import { removeCapabilities } from './remove-capabilities.ts';
import { serveShell } from './shell/shell-thread.ts';
import { workerPort } from './worker-port.ts';

removeCapabilities();
serveShell(workerPort());
