// `npm run soak -- --minutes 60`: builds the page and bench/soak like the benches, and runs it. docs/soak.md has its numbers.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = mkdtempSync(join(root, 'node_modules', '.soak-'));
try {
  if (!process.argv.includes('--no-build')) await build({ root, logLevel: 'warn' });
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: join(root, 'bench/soak/main.ts'),
      target: 'node20',
      minify: false,
      outDir: out,
      rolldownOptions: { output: { entryFileNames: '[name].mjs' } },
    },
  });
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
