// `npm test`: every check in order, cheap ones first; stops at the first that fails. The last line is the sum.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from './chromium.mjs';
import { ensureScreen } from './screen.mjs';
import { sumUp } from './test-report.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const reports = mkdtempSync(join(tmpdir(), 'lathe-test-'));
const unitReport = join(reports, 'unit.json');
const browserReport = join(reports, 'browser.json');
/** @type {NodeJS.ProcessEnv} */
const env = {
  ...process.env,
  PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
  PLAYWRIGHT_JSON_OUTPUT_FILE: browserReport,
};

/**
 * A missing report counts as nothing: the step that should have written it has failed by then.
 *
 * @param {string} file
 */
const read = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
};

/** @param {string} [failure] */
const finish = (failure) => {
  const { passed, failed, failures } = sumUp(read(unitReport), read(browserReport));
  rmSync(reports, { recursive: true, force: true });
  for (const each of failures) process.stdout.write(`FAILED TEST: ${each}\n`);
  if (failure) process.stdout.write(`\nFAILED: ${failure}\n`);
  if (!failure || passed + failed > 0) process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exit(failure || failed > 0 ? 1 : 0);
};

/** @type {[name: string, command: string, ...args: string[]][]} */
const steps = [
  ['format', 'oxfmt', '--check', '.'],
  ['lint', 'oxlint'],
  ['types', 'tsc', '-b', '--noEmit'],
  ['dead code', 'knip'],
  ['unit tests', 'vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${unitReport}`],
  ['build', 'vite', 'build', '--logLevel', 'warn'],
  ['browser tests', 'playwright', 'test', '--reporter=list,json'],
];

for (const [name, command, ...args] of steps) {
  process.stdout.write(`\n== ${name}: ${command}\n`);
  // The first step that needs it: some of vitest's tests run in the browser too.
  if (name === 'unit tests') {
    try {
      env['LATHE_CHROMIUM'] = ensureChromium();
      ensureScreen();
    } catch (error) {
      finish(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const started = performance.now();
  // On Windows the commands of npm are scripts that only a shell can start.
  const result = spawnSync(command, args, { cwd: root, env, stdio: 'inherit', shell: process.platform === 'win32' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (result.status !== 0) {
    const why = result.error?.message ?? (result.signal ? `ended by ${result.signal}` : `exit code ${result.status}`);
    finish(`${name} (${command} ${args[0] ?? ''}), ${why}, after ${seconds} s`.replace(' )', ')'));
  }
  process.stdout.write(`== ${name}: fine, ${seconds} s\n`);
}
finish();
