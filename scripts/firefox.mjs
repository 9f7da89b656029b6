// Where the Firefox of `e2e/firefox.spec.ts` comes from: `LATHE_FIREFOX` alone if it is set, else the system's.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const commands = ['firefox-esr', 'firefox'];
const applications = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'];

/**
 * @param {{ env?: Record<string, string | undefined>, exists?: (path: string) => boolean }} [deps]
 * @returns {string | undefined}
 */
export function findFirefox({ env = process.env, exists = existsSync } = {}) {
  const asked = env['LATHE_FIREFOX'];
  if (asked && !exists(asked)) throw new Error(`LATHE_FIREFOX is ${asked}, and there is no such file.`);
  if (asked) return asked;
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...applications, ...folders.flatMap((folder) => commands.map((name) => join(folder, name)))].find(exists);
}
