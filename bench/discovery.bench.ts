/** Discover a folder of 10,000 skills, against walking and reading the same files through the same adapter. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../src/base/log.ts';
import { joinPath } from '../src/base/paths.ts';
import type { FileTree } from '../src/model/files/file-tree.ts';
import { loadLibrary } from '../src/model/library/load-library.ts';
import { createNodeTree } from '../src/platform/fs/node-tree.ts';
import { generateSkills } from './generate.ts';
import { bestOfAsync, report } from './measure.ts';

const LARGE = 10_000;
const SMALL = 2500;
/** The same as discovery's own. */
const AT_ONCE = 32;
const MAX_ROUNDS = 25;
const CALM_ROUNDS = 5;

/** Of ten skills one has a program and two have references, like the corpus. */
const writeLibrary = (root: string, count: number): void => {
  generateSkills(count, 3).forEach(({ name, text }, index) => {
    const folder = join(root, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'SKILL.md'), text);
    if (index % 10 === 0)
      writeFileSync(join(folder, 'SKILL.star'), `def main(input):\n    return {"number": ${index}}\n`);
    if (index % 10 < 2) {
      mkdirSync(join(folder, 'references'));
      writeFileSync(join(folder, 'references', 'more.md'), text);
    }
  });
};

const inChunks = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  for (let start = 0; start < items.length; start += AT_ONCE)
    await Promise.all(items.slice(start, start + AT_ONCE).map(work));
};

/** No less than discovery has to do: list every folder, then read its SKILL.md and its program. */
const walkAndRead = async (tree: FileTree): Promise<number> => {
  let bytes = 0;
  const files: string[] = [];
  await inChunks((await tree.list('')) ?? [], async ({ name }) => {
    for (const entry of (await tree.list(name)) ?? [])
      if (/^SKILL\.(?:md|star)$/.test(entry.name)) files.push(joinPath(name, entry.name));
  });
  await inChunks(files, async (path) => {
    bytes += (await tree.read(path))?.length ?? 0;
  });
  return bytes;
};

const root = mkdtempSync(join(tmpdir(), 'lathe-bench-'));
try {
  const [large, small] = [join(root, 'large'), join(root, 'small')];
  writeLibrary(large, LARGE);
  writeLibrary(small, SMALL);

  const discover = async (folder: string, count: number): Promise<void> => {
    const { store } = await loadLibrary(
      { project: { tree: createNodeTree(folder) } },
      { profile: 'standard', dialect: 'metis', log: silentLog },
    );
    if (store.size !== count) throw new Error(`${store.size} skills were found, not ${count}`);
  };
  const read = async (folder: string): Promise<void> => {
    if ((await walkAndRead(createNodeTree(folder))) === 0) throw new Error('nothing was read');
  };

  const works = [() => read(large), () => discover(large, LARGE), () => discover(small, SMALL)];
  const best = works.map(() => Infinity);
  // In turns, so that a machine that is slow for a while is slow for all of them, and until none gets any faster.
  for (let round = 0, last = 0; round < MAX_ROUNDS && round - last < CALM_ROUNDS; round++) {
    for (const [index, work] of works.entries()) {
      globalThis.gc?.();
      const time = await bestOfAsync(1, work);
      if (time < (best[index] ?? 0) * 0.98) last = round;
      best[index] = Math.min(best[index] ?? Infinity, time);
    }
  }
  const [reading = 0, discovering = 0, few = 0] = best;
  report('10,000 skills discovered, against reading their files', discovering / reading, { atMost: 1.3 });
  report('time for four times as many skills (4 is linear)', discovering / few, { atMost: 5 });
} finally {
  rmSync(root, { recursive: true, force: true });
}
