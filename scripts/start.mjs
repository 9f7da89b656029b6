// `npm start`: builds the page when a source has changed, serves it on this machine only, prints the address.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';
import { stamp } from './stamp.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// Markdown counts: the demo skills and the pages of help belong to the page.
const sources = [
  'src',
  'public',
  'docs/help',
  'index.html',
  'sandbox.html',
  'vite.config.ts',
  'scripts',
  'package-lock.json',
];
const current = stamp(root, sources, /\.test\.tsx?$/);
const stampFile = join(root, 'dist', '.stamp');

const built = () => {
  try {
    return readFileSync(stampFile, 'utf8');
  } catch {
    return '';
  }
};

if (built() !== current) {
  process.stdout.write('Building the page: about half a minute, and again only when a source has changed.\n');
  await build({ root, logLevel: 'warn' });
  writeFileSync(stampFile, current);
}
const server = await preview({ root, preview: { host: 'localhost', port: 4173, strictPort: false } });
process.stdout.write(`Lathe is ready: ${server.resolvedUrls?.local[0]}\n`);
