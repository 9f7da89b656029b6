// `npm run soak -- --minutes 60`: builds the page and bench/soak like the benches, and runs it. docs/soak.md has its numbers.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildForNode, buildPage, root } from './bench-build.mjs';

const out = mkdtempSync(join(root, 'node_modules', '.soak-'));
try {
  if (!process.argv.includes('--no-build')) await buildPage();
  await buildForNode({ main: join(root, 'bench/soak/main.ts') }, out);
  const run = spawnSync(
    process.execPath,
    [join(out, 'main.mjs'), ...process.argv.slice(2).filter((word) => word !== '--no-build')],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
