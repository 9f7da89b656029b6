import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'vite';
import { expect, it } from 'vitest';

interface Probe {
  readonly answering: readonly string[];
  readonly remaining: readonly string[];
  readonly process: readonly string[];
  readonly tried: number;
}

it('RC5: in a locked thread the modules that reach the machine refuse', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lathe-lock-'));
  try {
    // Node cannot run TypeScript in a thread.
    await build({
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      build: {
        ssr: fileURLToPath(new URL('./testing/node-lock-probe.ts', import.meta.url)),
        target: 'node20',
        outDir: folder,
        rolldownOptions: { output: { entryFileNames: 'probe.mjs' } },
      },
    });
    const thread = new Worker(join(folder, 'probe.mjs'));
    const probe = await new Promise<Probe>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
    });
    await thread.terminate();
    // Of the process there is a place for the exit code, and nothing else.
    expect(probe).toEqual({ answering: [], remaining: ['process'], process: ['exitCode'], tried: 14 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it.each([
  ['shell', /^lockNodeThread\(\);\nserveShell\(/m],
  // Memory has its limit first: the lock takes away what sets it.
  ['python', /^ {2}lockNodeThread\(\);\n\};\nservePython\(\{ .*\block \}\);/m],
])('RC5: the %s thread locks itself before it serves', (kind, how) => {
  expect(readFileSync(new URL(`./node-${kind}-thread.ts`, import.meta.url), 'utf8')).toMatch(how);
});
