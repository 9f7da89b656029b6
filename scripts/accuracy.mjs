// `npm run accuracy [folder]`: holds the model of the cache against every data set of recorded traffic (each folder below
// shared/traffic beside the project, or below the one that is named), prints the table, and writes it to docs/accuracy.md.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BEGIN = '<!-- accuracy -->';
const END = '<!-- /accuracy -->';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [named] = process.argv.slice(2);
const traffic = named ?? join(dirname(root), 'shared', 'traffic');
if (!existsSync(traffic)) {
  process.stderr.write(`accuracy: no recorded traffic in ${traffic}; name a folder that has some\n`);
  process.exit(2);
}
const sets = readdirSync(traffic, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => join(traffic, name))
  .toSorted();
const run = spawnSync(process.execPath, [join(root, 'scripts', 'lathe.mjs'), 'explain', '--accuracy', ...sets], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.stdout.write(run.stdout);
// Only the shared data belongs into the docs; another folder is for looking.
if (run.status === 0 && named === undefined) {
  const file = join(root, 'docs', 'accuracy.md');
  const text = readFileSync(file, 'utf8');
  const [from, to] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)];
  writeFileSync(file, `${text.slice(0, from)}\n\n${run.stdout.trim()}\n\n${text.slice(to)}`);
}
process.exitCode = run.status ?? 1;
