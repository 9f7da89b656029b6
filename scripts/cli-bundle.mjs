import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stamp } from './stamp.mjs';

const sources = [
  'src/base',
  'src/model',
  'src/platform',
  'src/cli',
  'src/api',
  'package-lock.json',
  'vite.cli.config.ts',
];

/** Other bundles older than this are removed with a build; younger ones may still be running. */
const keepMs = 60 * 60 * 1000;

/**
 * The path of an up-to-date terminal bundle; builds it first when a source has changed.
 *
 * Each state of the sources has a folder of its own, `dist-cli/<stamp>/`, and a build appears there by one rename.
 * So a reader never sees half a build, a running process keeps the chunks it started with, and of two builds at the
 * same time either may win, because both are the same.
 *
 * @param {string} root the project
 * @param {string} vite the path of Vite's command
 * @returns {string | undefined} undefined when the build failed; Vite has then said why on stderr
 */
export function cliBundle(root, vite = join(root, 'node_modules/vite/bin/vite.js')) {
  const all = join(root, 'dist-cli');
  const folder = join(all, stamp(root, sources));
  const bundle = join(folder, 'lathe.js');
  if (existsSync(bundle)) return bundle;

  if (process.stderr.isTTY) process.stderr.write('lathe: the sources are newer, building the terminal …\n');
  const draft = join(all, `.draft-${process.pid}`);
  mkdirSync(all, { recursive: true });
  const build = spawnSync(
    process.execPath,
    [vite, 'build', '--config', 'vite.cli.config.ts', '--outDir', draft, '--emptyOutDir', '--logLevel', 'warn'],
    // stdout belongs to the command that is about to run; whatever the build says goes to stderr.
    { cwd: root, stdio: ['ignore', 2, 2] },
  );
  if (build.status !== 0) {
    rmSync(draft, { recursive: true, force: true });
    return undefined;
  }
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(bundle)) throw error;
  }
  for (const name of readdirSync(all)) {
    const old = join(all, name);
    const stat = statSync(old, { throwIfNoEntry: false });
    if (stat && old !== folder && Date.now() - stat.mtimeMs > keepMs) rmSync(old, { recursive: true, force: true });
  }
  return bundle;
}
