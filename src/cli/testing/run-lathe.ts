import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

// What the test runner was told about colors is not for the command under test.
const { NO_COLOR: _no, FORCE_COLOR: _force, ...plainEnvironment } = process.env;

/** The real command in a process of its own, as a user would call it. */
export const runLathe = (args: readonly string[], folder: string, env: Record<string, string> = {}): Ran => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(PROJECT, 'bin', 'lathe'), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...plainEnvironment, ...env },
  });
  return { code: status, stdout, stderr };
};

/** A temporary folder with these files, removed at the end of the `using` block. */
export const createFolder = (
  files: Readonly<Record<string, string | Uint8Array>>,
): Disposable & { readonly path: string } => {
  const path = mkdtempSync(join(tmpdir(), 'lathe-cli-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
};
