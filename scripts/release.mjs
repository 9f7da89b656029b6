// Makes a release in `artifacts/`, and publishes nothing: `npm run release -- 0.2.0`.
//
//   the version in package.json, package-lock.json, and the CLI
//   CHANGELOG.md: what was unreleased belongs to this version, of today
//   skill-lathe-VERSION.tgz       the npm package
//   lathe-page-VERSION.zip        the page for any static server, with SHA256SUMS of its files
//   SHA256SUMS                    of both
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';
import { writeSums } from './sums.mjs';

/** What a version may look like: no build part, because npm leaves that out. */
const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;
/** Zip knows no time zones and no time before 1980; the same for equal content. */
const ZIP_TIME = new Date('1980-01-02T00:00:00Z');

/**
 * The changelog with a heading for the version, and an empty part for what comes next. Nothing: no change is reported.
 *
 * @param {string} text @param {string} version @param {string} day
 */
export const releasedChangelog = (text, version, day) => {
  const start = /^## Unreleased *$/m.exec(text);
  if (!start) return undefined;
  const after = text.slice(start.index + start[0].length);
  const next = /^## /m.exec(after);
  if (after.slice(0, next?.index).trim() === '') return undefined;
  return `${text.slice(0, start.index)}## Unreleased\n\n## ${version} (${day})${after}`;
};

/** @param {string} text @param {string} version */
export const withVersion = (text, version) =>
  // The first one is the project's own, in package.json and in the lock.
  text.replace(/"version": "[^"]*"/, `"version": "${version}"`);

/** @param {string} folder @returns {Record<string, [Uint8Array, { mtime: Date }]>} */
const filesOf = (folder) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1).replaceAll('\\', '/'), path])
      .filter(([name = '']) => !name.startsWith('.') && name !== 'pyodide/pyodide.asm.mjs' && name !== 'SHA256SUMS')
      .map(([name = '', path = '']) => [name, [readFileSync(path), { mtime: ZIP_TIME }]]),
  );

const release = (/** @type {string} */ root, /** @type {string} */ version) => {
  if (!VERSION.test(version)) throw new Error(`expected a version such as 0.2.0, not '${version}'`);
  const git = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  if (git.status === 0 && git.stdout.trim() !== '') throw new Error('commit or stash your changes first');
  const path = (/** @type {string} */ name) => join(root, name);
  const read = (/** @type {string} */ name) => readFileSync(path(name), 'utf8');
  const changelog = releasedChangelog(read('CHANGELOG.md'), version, new Date().toISOString().slice(0, 10));
  if (changelog === undefined) throw new Error('CHANGELOG.md has nothing under “Unreleased”');
  writeFileSync(path('CHANGELOG.md'), changelog);
  writeFileSync(path('package.json'), withVersion(read('package.json'), version));
  const lock = withVersion(read('package-lock.json'), version);
  writeFileSync(
    path('package-lock.json'),
    lock.replace(/("": \{\s+"name": "[^"]*",\s+"version": )"[^"]*"/, `$1"${version}"`),
  );
  writeFileSync(
    path('src/cli/version.ts'),
    read('src/cli/version.ts').replace(/(VERSION = )'[^']*'/, `$1'${version}'`),
  );

  const artifacts = path('artifacts');
  rmSync(artifacts, { recursive: true, force: true });
  mkdirSync(artifacts);
  const pack = spawnSync('npm', ['pack', '--silent', '--pack-destination', 'artifacts'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (pack.status !== 0) throw new Error('npm pack failed');
  const page = path('release/page');
  if (!existsSync(page)) throw new Error('the page was not built');
  // The package has one file more, for the CLI.
  const files = filesOf(page);
  const sums = readFileSync(join(page, 'SHA256SUMS'), 'utf8').replace(/^.* {2}pyodide\/pyodide\.asm\.mjs\n/m, '');
  files['SHA256SUMS'] = [new TextEncoder().encode(sums), { mtime: ZIP_TIME }];
  writeFileSync(join(artifacts, `lathe-page-${version}.zip`), zipSync(files, { level: 6 }));
  writeSums(artifacts);
  process.stdout.write(
    `Made artifacts/ for ${version}. Nothing is published. Next:\n  git commit -am "release: ${version}" && git tag v${version}\n`,
  );
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    release(fileURLToPath(new URL('..', import.meta.url)), process.argv[2] ?? '');
  } catch (thrown) {
    process.stderr.write(`release: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exitCode = 1;
  }
}
