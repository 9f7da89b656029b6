/** Python of this machine, in a folder that has only the executor's files. For tests: a sandbox it is not. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PythonRunner } from '../types.ts';

export const hasPython = spawnSync('python3', ['--version']).status === 0;

export const realPython: PythonRunner = ({ files, entry, stdin }) => {
  const folder = mkdtempSync(join(tmpdir(), 'lathe-executor-'));
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return new Promise((resolve) => {
    const child = spawn('python3', ['-B', join(folder, entry)], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('close', (code) => {
      rmSync(folder, { recursive: true, force: true });
      resolve({ kind: 'exited', exitCode: code ?? -1, output });
    });
    child.stdin.end(stdin);
  });
};
