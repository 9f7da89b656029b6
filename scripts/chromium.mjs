// Where the browser of the tests comes from. `findChromium` only looks; `ensureChromium` also installs.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const shells = ['chromium-headless-shell', 'chrome-headless-shell'];
const applications = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The commands, on the search path of programs.
 *
 * @param {Record<string, string | undefined>} env
 * @param {readonly string[]} names
 */
const onPath = (env, names) => {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
};

/**
 * Where a Chromium may be, the preferred place first: `LATHE_CHROMIUM` alone if it is set, else the one that Playwright
 * downloaded, else the system's.
 *
 * @typedef {{ env?: Record<string, string | undefined>, exists?: (path: string) => boolean, own?: () => string }} Deps
 * @param {Deps} [deps]
 */
function existing({ env = process.env, exists = existsSync, own = () => chromium.executablePath() } = {}) {
  const asked = env['LATHE_CHROMIUM'];
  if (asked && !exists(asked)) throw new Error(`LATHE_CHROMIUM is ${asked}, and there is no such file.`);
  if (asked) return [asked];
  const system = [...applications, ...onPath(env, commands)];
  return [own(), ...system].filter((path) => path !== '' && exists(path));
}

/**
 * Only looks.
 *
 * @param {Deps} [deps]
 * @returns {string | undefined}
 */
export const findChromium = (deps) => existing(deps)[0];

/**
 * The browser for pages that nobody sees: the shell of Chromium without windows, which needs a fifth less of the processor, else
 * Chromium itself. `LATHE_CHROMIUM` is taken for both. Only looks.
 *
 * @param {Deps} [deps]
 * @returns {string | undefined}
 */
export const findHeadless = (deps = {}) => {
  const { env = process.env, exists = existsSync } = deps;
  if (env['LATHE_CHROMIUM']) return findChromium(deps);
  return onPath(env, shells).find(exists) ?? findChromium(deps);
};

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
const works = (command, args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/**
 * Output goes to stderr: stdout ends with the result of the tests.
 *
 * @param {string} command
 * @param {readonly string[]} args
 */
const run = (command, args) => {
  process.stderr.write(`> ${command} ${args.join(' ')}\n`);
  return spawnSync(command, args, { stdio: ['ignore', 2, 2] }).status === 0;
};

/** The start of a command that runs with the rights of the administrator; undefined when there is no way without a question. */
const asRoot = () => {
  if (process.getuid?.() === 0) return [];
  return works('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined;
};

/** @param {...string} command */
const runAsRoot = (...command) => {
  const prefix = asRoot();
  const [first = '', ...rest] = [...(prefix ?? []), ...command];
  return prefix !== undefined && run(first, rest);
};

/** Ways to get a Chromium, in order; each says whether it believes to have worked. */
const installers = [
  () => {
    const playwright = createRequire(import.meta.url).resolve('@playwright/test/cli');
    return run(process.execPath, [playwright, 'install', 'chromium']);
  },
  () =>
    works('apt-get', ['--version']) &&
    runAsRoot('apt-get', 'update') &&
    runAsRoot('apt-get', 'install', '--yes', '--no-install-recommends', 'chromium'),
  () => works('dnf', ['--version']) && runAsRoot('dnf', 'install', '--assumeyes', 'chromium'),
  () => works('brew', ['--version']) && run('brew', ['install', '--cask', 'chromium']),
];

/** Some systems have a file that only says how to install the browser, and a downloaded one may lack its libraries. */
// On Windows a browser opens a window for `--version` and doesn't end.
const working = () => existing().find((path) => process.platform === 'win32' || works(path, ['--version']));

/** Gets the shell where that is one package; without it, the tests take a little longer. */
export function ensureHeadless() {
  if (process.env['LATHE_CHROMIUM'] || onPath(process.env, shells).some((path) => existsSync(path))) return;
  if (works('apt-get', ['--version']))
    runAsRoot('apt-get', 'install', '--yes', '--no-install-recommends', 'chromium-headless-shell');
}

/** The path of a Chromium that starts; gets one when none exists. */
export function ensureChromium() {
  const found = working();
  if (found) return found;
  if (process.env['LATHE_CHROMIUM']) throw new Error('The browser that LATHE_CHROMIUM names does not start.');
  process.stderr.write('No Chromium found; trying to get one.\n');
  for (const install of installers) {
    const path = install() ? working() : undefined;
    if (path) return path;
  }
  throw new Error('No Chromium, and none could be installed. Install one, or set LATHE_CHROMIUM to its path.');
}
