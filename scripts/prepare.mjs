// Builds the package of a checkout that somebody installs as it is, which is how pre-commit gets its hooks: npm packs the folder, and
// runs `prepare` before. Such a checkout has no `node_modules` yet. In one that has them, as after `npm ci`, there is nothing to do.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');

/** @param {string} command @param {string[]} args */
const run = (command, args) => {
  // On Windows npm is a script that only a shell can start.
  const shell = process.platform === 'win32' && command === 'npm';
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed`);
};

if (!existsSync(modules)) {
  try {
    // The installation around this one is global, and hands its settings down.
    run('npm', ['ci', '--global=false', '--location=project', '--install-links=false', '--ignore-scripts']);
    run(process.execPath, [join(root, 'scripts/build-release.mjs')]);
  } finally {
    rmSync(modules, { recursive: true, force: true });
  }
}
