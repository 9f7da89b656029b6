/**
 * `git status` in the page, over a repository of 2,000 files that real git made, in the browser's own storage, whose handles are
 * those of a folder on disk. Wanted are about three seconds; what real git needs is printed beside it. Build first: `npm run build`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { serveBelow } from '../e2e/fixtures/static-server.ts';
import { findChromium } from '../scripts/chromium.mjs';
import { report } from './measure.ts';

const FILES = 2000;
const WANTED_SECONDS = 3;
const IN_ONE_GO = 200;

const git = (cwd: string, ...args: string[]): void => {
  const who = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org'];
  const { status, stderr } = spawnSync('git', [...who, ...args], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
};

const makeRepository = (folder: string): void => {
  git(folder, 'init', '-q', '-b', 'main');
  for (let index = 0; index < FILES; index++) {
    const part = join(folder, 'src', `part${index % 40}`);
    mkdirSync(part, { recursive: true });
    writeFileSync(
      join(part, `file${index}.txt`),
      `File ${index}.\n${'Some words about fares and seats.\n'.repeat(30)}`,
    );
  }
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'Start');
  git(folder, 'gc', '-q');
  writeFileSync(join(folder, 'src', 'part0', 'file0.txt'), 'Changed.\n');
};

const copyIntoPage = async (page: Page, folder: string): Promise<void> => {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (let start = 0; start < paths.length; start += IN_ONE_GO) {
    const files = paths
      .slice(start, start + IN_ONE_GO)
      .map((path) => [path.slice(folder.length + 1).split('/'), readFileSync(path).toString('base64')] as const);
    await page.evaluate(async (batch) => {
      const top = await (await navigator.storage.getDirectory()).getDirectoryHandle('repository', { create: true });
      for (const [names, data] of batch) {
        let parent = top;
        for (const name of names.slice(0, -1)) parent = await parent.getDirectoryHandle(name, { create: true });
        const out = await (await parent.getFileHandle(names.at(-1) ?? '', { create: true })).createWritable();
        await out.write(Uint8Array.from(atob(data), (char) => char.codePointAt(0) ?? 0));
        await out.close();
      }
      window.showDirectoryPicker = () => Promise.resolve(top);
    }, files);
  }
};

const folder = mkdtempSync(join(tmpdir(), 'lathe-git-'));
const served = await serveBelow('dist', '/');
const executablePath = findChromium();
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
try {
  makeRepository(folder);
  const context = await browser.newContext({ serviceWorkers: 'block', viewport: { width: 1600, height: 1000 } });
  const page = await context.newPage();
  await page.addInitScript(() => localStorage.setItem('lathe.tour', 'seen'));
  await page.goto(`${served.address}#view=skills`);
  const library = page.getByRole('region', { name: 'Library', exact: true });
  await library.getByRole('treegrid').waitFor({ timeout: 60_000 });
  await copyIntoPage(page, folder);
  await library.getByRole('button', { name: 'Open folder' }).click();
  await page.getByRole('banner').getByText('0 skills').waitFor({ timeout: 60_000 });
  await page.getByRole('tab', { name: 'Terminal' }).click();
  const terminal = page.getByRole('region', { name: 'Terminal', exact: true });
  const seconds = async (line: string): Promise<number> => {
    const entry = terminal.getByRole('listitem').nth(await terminal.getByRole('listitem').count());
    const start = performance.now();
    await terminal.getByRole('textbox', { name: 'Command' }).fill(line);
    await terminal.getByRole('textbox', { name: 'Command' }).press('Enter');
    await entry.getByText(/^(?:exit code|error:)/).waitFor({ timeout: 300_000 });
    const taken = (performance.now() - start) / 1000;
    const text = await entry.innerText();
    if (!text.includes('file0.txt')) throw new Error(`${line}: ${text.slice(0, 300)}`);
    return taken;
  };
  const [first, second] = [await seconds('git status --short'), await seconds('git status --short')];
  const started = performance.now();
  git(folder, 'status', '--short');
  const real = (performance.now() - started) / 1000;
  process.stdout.write(`  git status over ${FILES} files: ${first.toFixed(1)} s, again ${second.toFixed(1)} s; `);
  process.stdout.write(`real git ${real.toFixed(2)} s\n`);
  report(`git status over ${FILES} files, against ${WANTED_SECONDS} s`, first / WANTED_SECONDS, { atMost: 1 });
  report('the same again', second / WANTED_SECONDS, { atMost: 1 });
  await context.close();
} finally {
  await browser.close();
  await served.close();
  rmSync(folder, { recursive: true, force: true });
}
