// What the npm package ships, in `release/`: the built terminal and the built page, which work without a build and without
// any other package. `npm pack` runs this first.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pageBuild } from './page-build.mjs';
import { writeSums } from './sums.mjs';

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
  cpSync(join(page, 'third-party-notices.txt'), join(draft, 'third-party-notices.txt'));
  cpSync(join(python, 'pyodide.asm.mjs'), join(draft, 'page', 'pyodide', 'pyodide.asm.mjs'));

  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const config = ['--config', 'vite.cli.config.ts', '--outDir', join(draft, 'cli'), '--logLevel', 'warn'];
  // `npm pack --json` owns stdout.
  const build = spawnSync(process.execPath, [vite, 'build', ...config], { cwd: root, stdio: ['ignore', 2, 2] });
  if (build.status !== 0) throw new Error('the terminal could not be built');

  // The declarations of the library: two files, of all that the compiler writes.
  const declarations = join(draft, 'declarations');
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const project = ['-p', 'tsconfig.api.json'];
  const output = ['--rootDir', root, '--outDir', declarations];
  const types = spawnSync(process.execPath, [compiler, ...project, ...output], { cwd: root, stdio: ['ignore', 2, 2] });
  if (types.status !== 0) throw new Error('the declarations of the library could not be written');
  mkdirSync(join(draft, 'types'));
  for (const name of ['index.d.ts', 'types.d.ts']) {
    const text = readFileSync(join(declarations, 'src/api', name), 'utf8');
    writeFileSync(join(draft, 'types', name), text.replaceAll("'./types.ts'", "'./types.js'"));
  }
  rmSync(declarations, { recursive: true });

  writeSums(join(draft, 'page'));
  rmSync(release, { recursive: true, force: true });
  renameSync(draft, release);
} finally {
  rmSync(draft, { recursive: true, force: true });
}
