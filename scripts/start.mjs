// `npm start`: builds the page when a source has changed, serves it on this machine only, prints the address.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { preview } from 'vite';
import { pageBuild } from './page-build.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
await pageBuild(root, () =>
  process.stdout.write('Building the page: about half a minute, and again only when a source has changed.\n'),
);
const server = await preview({ root, preview: { host: 'localhost', port: 4173, strictPort: false } });
process.stdout.write(`Lathe is ready: ${server.resolvedUrls?.local[0]}\n`);
