// `npm run bench [name …]`: builds the page, and bench/*.ts like the terminal, and runs each in a process of its own.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildForNode, buildPage, root } from './bench-build.mjs';

const folder = join(root, 'bench');
const wanted = process.argv.slice(2);
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.bench.ts'))
  .map((name) => basename(name, '.bench.ts'))
  .filter((name) => wanted.length === 0 || wanted.includes(name));
if (names.length === 0) {
  process.stderr.write(`bench: nothing is called ${wanted.join(', ')}\n`);
  process.exit(2);
}

// Below the project, so that the peers are found in its node_modules.
const out = mkdtempSync(join(root, 'node_modules', '.bench-'));
let failed = false;
try {
  // Some of them open the page: without this they would find none, or measure an old one.
  await buildPage();
  await buildForNode(Object.fromEntries(names.map((name) => [name, join(folder, `${name}.bench.ts`)])), out);
  for (const name of names) {
    process.stdout.write(`\n${name}\n`);
    const run = spawnSync(process.execPath, ['--expose-gc', join(out, `${name}.mjs`)], { cwd: root, stdio: 'inherit' });
    failed ||= run.status !== 0;
  }
} finally {
  rmSync(out, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
