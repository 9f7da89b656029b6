// The page in `dist/`, built when a source has changed: `node scripts/page-build.mjs`, `npm start`, and the package.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { stamp } from './stamp.mjs';

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

/**
 * @param {string} root the project
 * @param {() => void} [onBuild] called before a build, which takes a while
 * @returns {Promise<string>} the folder of the page
 */
export async function pageBuild(root, onBuild) {
  const folder = join(root, 'dist');
  const stampFile = join(folder, '.stamp');
  const current = stamp(root, sources, /\.test\.tsx?$/);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === current) return folder;
  onBuild?.();
  await build({ root, logLevel: 'warn' });
  writeFileSync(stampFile, current);
  return folder;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await pageBuild(join(import.meta.dirname, '..'));
