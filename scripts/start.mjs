// `npm start`: builds the page when a source has changed, then does what `lathe open` does, with its options.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pageBuild } from './page-build.mjs';

await pageBuild(dirname(dirname(fileURLToPath(import.meta.url))), () =>
  process.stdout.write('Building the page: about half a minute, and again only when a source has changed.\n'),
);
process.argv.splice(2, 0, 'open');
await import('./lathe.mjs');
