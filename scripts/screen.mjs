// A screen for the one test that drives the browser's own dialogs: Playwright cannot touch them, a key press of the system can.
// `missingScreenTools` only looks; `ensureScreen` also installs.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Commands, each in a package of (nearly) the same name. */
const TOOLS = /** @type {const} */ ({ Xvfb: 'xvfb', openbox: 'openbox', xdotool: 'xdotool' });

/** In milliseconds. */
const INSTALL_LIMIT = 180_000;

/**
 * The commands that are not here.
 *
 * @param {{ env?: Record<string, string | undefined>, exists?: (path: string) => boolean }} [deps]
 * @returns {(keyof typeof TOOLS)[]}
 */
export function missingScreenTools({ env = process.env, exists = existsSync } = {}) {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const names = /** @type {(keyof typeof TOOLS)[]} */ (Object.keys(TOOLS));
  return names.filter((name) => !folders.some((folder) => exists(join(folder, name))));
}

/** Tries to get what is missing; where that fails, the test says why it is skipped. */
export function ensureScreen() {
  const missing = missingScreenTools();
  if (missing.length === 0 || process.platform !== 'linux') return;
  const isRoot = process.getuid?.() === 0;
  const hasSudo = !isRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  if (!isRoot && !hasSudo) return;
  const packages = missing.map((name) => TOOLS[name]);
  const command = ['apt-get', 'install', '--yes', '--no-install-recommends', ...packages];
  const [first = '', ...rest] = [...(hasSudo ? ['sudo', '-n'] : []), ...command];
  process.stderr.write(`> ${first} ${rest.join(' ')}\n`);
  // stdout ends with the result of the tests. A lock or a dead network must not hold them up.
  spawnSync(first, rest, { stdio: ['ignore', 2, 2], timeout: INSTALL_LIMIT, killSignal: 'SIGKILL' });
}
