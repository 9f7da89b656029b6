// `npm test`: every check in order, cheap ones first; stops after the first stage with a failure. The last line is the sum.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureChromium, ensureHeadless } from './chromium.mjs';
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

/** @typedef {[name: string, command: string, ...args: string[]]} Step */

/**
 * The steps of a stage run side by side. None of the first alone keeps every core busy, and the others use all of them.
 *
 * @type {Step[][]}
 */
const stages = [
  [
    ['format', 'oxfmt', '--check', '.'],
    ['lint', 'oxlint'],
    ['types', 'tsc', '-b', '--noEmit'],
    ['dead code', 'knip'],
    ['build', 'node', 'scripts/page-build.mjs'],
  ],
  [
    ['unit tests', 'vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${unitReport}`],
    // The tarball as somebody installs it; most of the time it waits for one process after the other.
    ['package', 'node', 'scripts/pack-test.mjs', '--quick'],
  ],
  [['browser tests', 'playwright', 'test', '--reporter=list,json']],
];

/**
 * What a step says is shown as it comes where it is the main one, and in one piece at its end where it runs beside others.
 *
 * @param {Step} step
 * @param {boolean} isMain
 * @returns {Promise<string | undefined>} what has failed
 */
const run = ([name, command, ...args], isMain) =>
  new Promise((resolve) => {
    const started = performance.now();
    const title = `\n== ${name}: ${command}\n`;
    if (isMain) process.stdout.write(title);
    /** @type {Uint8Array[]} */
    const said = [];
    // On Windows the commands of npm are scripts that only a shell can start.
    const isWindows = process.platform === 'win32';
    const child = spawn(command, isWindows ? args.map((arg) => (/\s/.test(arg) ? `"${arg}"` : arg)) : args, {
      cwd: root,
      env,
      stdio: [
        'ignore',
        ...(isMain ? /** @type {const} */ (['inherit', 'inherit']) : /** @type {const} */ (['pipe', 'pipe'])),
      ],
      shell: isWindows,
    });
    child.stdout?.on('data', (bytes) => said.push(bytes));
    child.stderr?.on('data', (bytes) => said.push(bytes));
    /** @param {string} [why] */
    const end = (why) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      if (!isMain) process.stdout.write(`${title}${Buffer.concat(said).toString()}`);
      process.stdout.write(why ? `== ${name}: failed, ${seconds} s\n` : `== ${name}: fine, ${seconds} s\n`);
      resolve(why && `${name} (${command} ${args[0] ?? ''}), ${why}, after ${seconds} s`.replace(' )', ')'));
    };
    child.once('error', (error) => end(error.message));
    child.once('close', (code, signal) =>
      end(code === 0 ? undefined : signal ? `ended by ${signal}` : `exit code ${code}`),
    );
  });

for (const stage of stages) {
  // The first stage that needs it: some of vitest's tests run in the browser too.
  if (stage.some(([, command]) => command === 'vitest')) {
    try {
      ensureChromium();
      ensureHeadless();
      ensureScreen();
    } catch (error) {
      finish(`browser: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const failed = (await Promise.all(stage.map((step, index) => run(step, index === 0 && stage !== stages[0])))).filter(
    (why) => why !== undefined,
  );
  if (failed.length > 0) finish(failed.join('\nFAILED: '));
}
finish();
