/**
 * Kills, revokes, fills, and corrupts, and prints what was tried and what was lost. Not part of the tests: it takes as long as it is reported.
 *
 *   npm run soak -- --minutes 60
 *   npm run soak -- --kills 100 --only "private workspace,message"
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { preview } from 'vite';
import { startScreen } from '../../e2e/fixtures/screen.ts';
import { createMemoryTree } from '../../src/platform/fs/memory-tree.ts';
import { writeZip } from '../../src/platform/fs/zip.ts';
import { BrowserRig, type Victim } from './browser-rig.ts';
import { damagedDatabase, fullDisk, revoked, type Fault } from './faults.ts';
import {
  changedSetting,
  finishedRun,
  folderFile,
  killOnce,
  OPENED,
  openedArchive,
  privateFile,
  sentMessage,
  typedFile,
  type Kill,
  type Subject,
} from './kills.ts';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    kills: { type: 'string' },
    only: { type: 'string' },
    /** Opens a folder on the disk through the picker; needs a screen (Xvfb, openbox, xdotool). */
    folder: { type: 'boolean', default: false },
    longest: { type: 'string', default: '200' },
  },
});

const SKILL =
  '---\nname: tools\ndescription: "Sorts tools. Use when a list of tools has to be put in order."\n---\n\n# tools\n\nLook first.\n';

const GIFT_FILES = {
  'skills/tools/SKILL.md': SKILL,
  ...Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`skills/tools/references/${index}.md`, SKILL])),
};

interface Row {
  tried: number;
  lost: number;
  damaged: number;
  /** The page could not be looked at, or not be driven as far as the kill. */
  unclear: number;
}
const rows = new Map<string, Row>();

const count = (name: string, { isThere, damage }: Pick<Kill, 'isThere' | 'damage'>, more = ''): void => {
  const row = rows.get(name) ?? { tried: 0, lost: 0, damaged: 0, unclear: 0 };
  row.tried++;
  if (!isThere) row.lost++;
  if (damage !== undefined) row.damaged++;
  rows.set(name, row);
  if (!isThere || damage !== undefined) process.stdout.write(`LOST ${name} ${more} ${damage ?? ''}\n`);
};

const countUnclear = (name: string, thrown: unknown): void => {
  const row = rows.get(name) ?? { tried: 0, lost: 0, damaged: 0, unclear: 0 };
  rows.set(name, { ...row, tried: row.tried + 1, unclear: row.unclear + 1 });
  process.stdout.write(`UNCLEAR ${name} ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
};

const print = (started: number): void => {
  const lines = [...rows].map(
    ([name, { tried, lost, damaged, unclear }]) => `| ${name} | ${tried} | ${lost} | ${damaged} | ${unclear} |`,
  );
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  process.stdout.write(
    `\n${minutes} min\n\n| what | tried | lost | damaged | unclear |\n| --- | --- | --- | --- | --- |\n${lines.join('\n')}\n`,
  );
};

/** Dialogs of the system are slow on a busy machine. */
const FOLDER_LIMIT = 60_000;
/** Until the page offers the folder of the last visit. */
const NOTICE_LIMIT = 10_000;

const newMark = (): string => `mark-${rows.size}-${Math.random().toString(36).slice(2, 10)}`;

const server = await preview({
  root: process.cwd(),
  logLevel: 'error',
  preview: { host: '127.0.0.1', port: 4400, strictPort: false },
});
const address = server.resolvedUrls?.local[0] ?? '';
const started = Date.now();
const mostKills = options.kills === undefined ? Infinity : Number(options.kills);
const isOver = (): boolean => Date.now() - started > Number(options.minutes) * 60_000;
const wanted = options.only?.split(',');

// Anyone who ends it early gets what was tried so far.
process.once('SIGTERM', () => {
  print(started);
  process.exit(1);
});

const run = async (rig: BrowserRig, subjects: readonly Subject[], faults: readonly (() => Promise<Fault>)[]) => {
  let kills = 0;
  const delay = ({ longest = Number(options.longest) }: Subject): number => Math.floor(Math.random() * longest);
  while (!isOver() && kills < mostKills) {
    for (const subject of subjects) {
      let isReady = false;
      for (const victim of ['renderer', 'browser', 'renderer', 'browser'] satisfies Victim[]) {
        if (isOver() || kills >= mostKills) break;
        const name = `${subject.name}: ${victim} killed`;
        kills++;
        try {
          if (!isReady) await subject.ready();
          isReady = true;
          const kill = await killOnce(rig, subject, victim, delay(subject), newMark());
          count(name, kill, `after ${kill.delay} ms`);
        } catch (thrown) {
          // Told and counted: one page that hangs must not end an hour of trying.
          countUnclear(name, thrown);
          isReady = false;
          await rig.close();
        }
      }
    }
    for (const fault of isOver() || mostKills < Infinity ? [] : faults) {
      const seen = await fault();
      count(seen.subject, seen);
    }
  }
};

if (options.folder) {
  using screen = await startScreen();
  await using rig = await BrowserRig.create({ address, screen: screen.env });
  const top = await mkdtemp(join(tmpdir(), 'lathe-disk-'));
  const path = join(top, 'tool-shed/skills/tools/SKILL.md');
  await mkdir(join(top, 'tool-shed/skills/tools'), { recursive: true });
  await writeFile(path, SKILL);
  const allowed = async (isDone: () => Promise<boolean>): Promise<void> => {
    const end = Date.now() + FOLDER_LIMIT;
    while (!(await isDone())) {
      if (Date.now() > end) throw new Error('the browser did not let the page in');
      const asked = await screen.asking();
      if (asked === 'prompt') await screen.allow();
      else if (asked === 'bubble') await screen.allowAgain();
      // oxlint-disable-next-line lathe/no-fixed-sleep -- the browser's own dialogs announce nothing
      else await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  // A page that died takes the permission with it, so every start asks again.
  const start = async (): Promise<void> => {
    const { page } = rig;
    const inBar = page.getByRole('banner').getByText('tool-shed');
    const again = page.getByRole('button', { name: 'Open tool-shed' }).first();
    const isAgain = await again.waitFor({ timeout: NOTICE_LIMIT }).then(
      () => true,
      () => false,
    );
    if (isAgain) await again.click();
    else {
      await page.getByRole('button', { name: 'Open folder' }).first().click();
      await screen.chooseFolder(join(top, 'tool-shed'));
    }
    await allowed(() => inBar.isVisible());
    const line = page.locator('.monaco-editor .view-line').first();
    await page.getByRole('row', { name: /^tools, / }).click();
    await line.waitFor();
    await line.click();
    // The first save asks for writing.
    await page.keyboard.press('Control+End');
    await page.keyboard.type(OPENED);
    await page.keyboard.press('Control+s');
    await allowed(async () => (await readFile(path, 'utf8')).endsWith(OPENED));
  };
  await run(rig, [folderFile(rig, path, start)], []);
  await rm(top, { recursive: true, force: true });
} else {
  await using rig = await BrowserRig.create({ address });
  const file = privateFile(rig);
  const archive = await writeZip(createMemoryTree(GIFT_FILES, 'gift'), '');
  if (!archive.ok) throw new Error(archive.error.message);
  const subjects = [
    typedFile(rig),
    file,
    sentMessage(rig),
    finishedRun(rig),
    openedArchive(rig, archive.value, Object.keys(GIFT_FILES).length),
    changedSetting(rig),
  ];
  await run(
    rig,
    subjects.filter(({ name }) => wanted?.includes(name) ?? true),
    [
      () => revoked(rig, file, newMark()),
      () => fullDisk(rig, file, newMark()),
      () => damagedDatabase(rig, file, newMark()),
    ],
  );
}
print(started);
await server.close();
process.exit([...rows.values()].some(({ lost, damaged, unclear }) => lost + damaged + unclear > 0) ? 1 : 0);
