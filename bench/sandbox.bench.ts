/** Small commands, grep over a large folder, git status, and how fast Python starts. */
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { createNodeTree } from '../src/platform/fs/node-tree.ts';
import { openThreaded } from '../src/platform/sandbox/testing/node-threads.ts';
import { makeFolder } from '../src/platform/sandbox/testing/side-by-side.ts';
import { threadsFolder } from '../src/platform/worker/testing/threads-folder.ts';
import { bestOf, bestOfAsync, report } from './measure.ts';

const FILES = 2000;
const line = (file: number, index: number): string =>
  `line ${index} of file ${file}, some words about fares and seats\n`;
const files = Object.fromEntries(
  Array.from({ length: FILES }, (_, file) => [
    `src/part${file % 40}/file${file}.txt`,
    Array.from({ length: 60 }, (_none, index) =>
      index === 30 && file % 10 === 0 ? 'needle here\n' : line(file, index),
    ).join(''),
  ]),
);

const threads = threadsFolder(pathToFileURL(`${process.cwd()}/`));
using folder = makeFolder(files);
using side = openThreaded(createNodeTree(folder.path), {}, threads);
const run = async (argv: readonly string[], exitCode = 0): Promise<void> => {
  const ran = await side.run(argv);
  if (ran.exitCode !== exitCode) throw new Error(`${argv.join(' ')}: ${ran.error ?? ran.output.slice(0, 300)}`);
};
const real = (argv: readonly string[]): void => {
  const [program = '', ...args] = argv;
  const { status } = spawnSync(program, args, { cwd: folder.path, stdio: 'ignore' });
  if (status !== 0) throw new Error(argv.join(' '));
};

await run(['true']);
const ours = await bestOfAsync(2, async () => {
  for (let count = 0; count < 1000; count++) await run(['echo', String(count)]);
});
const theirs = bestOf(2, () => {
  for (let count = 0; count < 1000; count++) real(['/bin/echo', String(count)]);
});
report('1,000 small commands, against processes of this machine', ours / theirs, { atMost: 3 });

const grep = ['grep', '-rl', 'needle', 'src'];
report(
  'grep over 2,000 files, against the real one as a process',
  (await bestOfAsync(3, () => run(grep))) / bestOf(3, () => real(grep)),
  { atMost: 120 },
);
const listing = await bestOfAsync(3, () => run(['ls', 'src/part1']));
const walking = await bestOfAsync(3, () => run(['find', 'src', '-name', 'file1.txt']));
report('ls of one folder, against finding in all of 2,000 files', listing / walking, { atMost: 1 });

for (const argv of [
  ['git', 'init', '-q'],
  ['git', 'add', '-A'],
  ['git', '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x'],
])
  real(argv);
const status = ['git', 'status', '--porcelain'];
report(
  'git status over 2,000 files, against the real one',
  (await bestOfAsync(2, () => run(status))) / bestOf(3, () => real(status)),
  { atMost: 300 },
);

const start = performance.now();
await run(['python3', '-c', 'pass']);
const cold = performance.now() - start;
// The next one waits ahead.
await new Promise((resolve) => setTimeout(resolve, 5000));
const warm = await bestOfAsync(1, () => run(['python3', '-c', 'pass']));
report('Python started warm, against its first start', warm / cold, { atMost: 0.6 });
