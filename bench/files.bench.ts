/** Archives against fflate's own functions, merging against git, and walking a large folder. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import { mergeTexts } from '../src/model/files/merge.ts';
import { walkTree } from '../src/model/files/walk-tree.ts';
import { createMemoryTree } from '../src/platform/fs/memory-tree.ts';
import { readZip, writeZip } from '../src/platform/fs/zip.ts';
import { generateSkills } from './generate.ts';
import { bestOf, bestOfAsync, report } from './measure.ts';

const ROUNDS = 7;
const files = Object.fromEntries(generateSkills(1000, 5).map(({ name, text }) => [`${name}/SKILL.md`, text]));
const tree = createMemoryTree(files, 'bench');
const archive = zipSync(Object.fromEntries(tree.files), { level: 6 });

const unzipping = bestOf(ROUNDS, () => void unzipSync(archive));
const reading = await bestOfAsync(ROUNDS, async () => {
  const read = await readZip(archive, 'bench');
  if (!read.ok) throw new Error(read.error.message);
});
report('1,000 skills read from a zip with all checks, against fflate', reading / unzipping, { atMost: 3 });

const zipping = bestOf(ROUNDS, () => void zipSync(Object.fromEntries(tree.files), { level: 9 }));
const writing = await bestOfAsync(ROUNDS, async () => {
  const made = await writeZip(tree, '');
  if (!made.ok) throw new Error(made.error.message);
});
report('the same written, against fflate', writing / zipping, { atMost: 1.5 });

const lines = Array.from(
  { length: 10_000 },
  (_, index) => `line ${index} of the text, some of which repeat ${index % 7}\n`,
);
const edited = (every: number, word: string): string =>
  lines.map((line, index) => (index % every === every - 1 ? `${word} ${line}` : line)).join('');
const [base, mine, theirs] = [lines.join(''), edited(50, 'mine'), edited(70, 'theirs')];
const folder = mkdtempSync(join(tmpdir(), 'lathe-bench-'));
try {
  for (const [name, text] of Object.entries({ base, mine, theirs })) writeFileSync(join(folder, name), text);
  const git = bestOf(ROUNDS, () => {
    const run = spawnSync('git', ['merge-file', '-p', 'mine', 'base', 'theirs'], { cwd: folder, maxBuffer: 1e8 });
    if (run.error) throw run.error;
  });
  const merging = bestOf(ROUNDS, () => void mergeTexts({ base, mine, theirs }));
  report('10,000 lines merged, against git merge-file as a process', merging / git, { atMost: 3 });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const folderOf = (count: number) =>
  createMemoryTree(Object.fromEntries(Array.from({ length: count }, (_, index) => [`s/${index}/SKILL.md`, ''])));
const [large, small] = [folderOf(10_000), folderOf(2500)];
const walkingLarge = await bestOfAsync(ROUNDS, async () => void (await walkTree(large)));
const walkingSmall = await bestOfAsync(ROUNDS, async () => void (await walkTree(small)));
report('time to list four times as many files (4 is linear)', walkingLarge / walkingSmall, { atMost: 6 });
