// What the npm package ships, in `release/`: the built terminal and the built page, which work without a build and without
// any other package. `npm pack` runs this first.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pageBuild } from './page-build.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const release = join(root, 'release');
// Beside its place, so that an interrupted build leaves no half release.
const draft = join(root, `release.draft-${process.pid}`);

try {
  mkdirSync(draft);
  const page = await pageBuild(root);
  // Records of the build begin with a dot.
  cpSync(page, join(draft, 'page'), { recursive: true, filter: (path) => !/[/\\]dist[/\\]\./.test(path) });
  // In the page this script is part of a worker; the terminal loads it beside Python's other files.
  const python = dirname(createRequire(import.meta.url).resolve('pyodide/package.json'));
  cpSync(join(python, 'pyodide.asm.mjs'), join(draft, 'page', 'pyodide', 'pyodide.asm.mjs'));

  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const config = ['--config', 'vite.cli.config.ts', '--outDir', join(draft, 'cli'), '--logLevel', 'warn'];
  // `npm pack --json` owns stdout.
  const build = spawnSync(process.execPath, [vite, 'build', ...config], { cwd: root, stdio: ['ignore', 2, 2] });
  if (build.status !== 0) throw new Error('the terminal could not be built');

  rmSync(release, { recursive: true, force: true });
  renameSync(draft, release);
} finally {
  rmSync(draft, { recursive: true, force: true });
}
