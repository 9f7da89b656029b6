// The terminal. Runs in this process: a second one would double the start-up time.
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { cliBundle } from './cli-bundle.mjs';

// npm runs a script in the project's folder; relative paths are meant from where the user stands.
const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
if (script === 'lathe' && folder) process.chdir(folder);

const bundle = cliBundle(dirname(dirname(fileURLToPath(import.meta.url))));
if (bundle) {
  await import(pathToFileURL(bundle).href);
} else {
  process.stderr.write('lathe: the terminal could not be built; see above. After a fresh clone, run `npm ci` first.\n');
  process.exitCode = 2;
}
