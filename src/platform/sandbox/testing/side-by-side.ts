/** A folder on disk, and programs that run over it twice: the machine's own, and the sandbox's. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createPendingTree, type PendingTree } from '../../../model/tool/pending-tree.ts';
import { after } from '../../delay.ts';
import { createNodeTree } from '../../fs/node-tree.ts';
import { serveGit } from '../git/git-thread.ts';
import { createSandbox, type Sandbox } from '../sandbox.ts';
import { serveShell } from '../shell/shell-thread.ts';
import { openInThread } from './memory-ports.ts';

export interface Ran {
  readonly exitCode: number;
  readonly output: string;
}

export interface Folder extends Disposable {
  readonly path: string;
  readonly write: (path: string, content: string | Uint8Array) => void;
  /** The machine's own program, in the folder itself. */
  readonly real: (argv: readonly string[], input?: string) => Ran;
  /** The same, with both streams in the order in which they were written. */
  readonly realInOrder: (argv: readonly string[], input?: string) => Ran;
}

const ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Mira Solberg',
  GIT_AUTHOR_EMAIL: 'mira@harbour.example',
  GIT_AUTHOR_DATE: '1767258000 +0100',
  GIT_COMMITTER_NAME: 'Mira Solberg',
  GIT_COMMITTER_EMAIL: 'mira@harbour.example',
  GIT_COMMITTER_DATE: '1767258000 +0100',
  PYTHONDONTWRITEBYTECODE: '1',
  PYENV_ROOT: process.env['PYENV_ROOT'] ?? join(process.env['HOME'] ?? '/root', '.pyenv'),
  COLUMNS: '80',
};

/** Nothing where the machine does not have it. */
export const hasProgram = (program: string): boolean =>
  spawnSync(program, ['--version'], { env: ENVIRONMENT }).error === undefined;

export const makeFolder = (files: Readonly<Record<string, string | Uint8Array>>): Folder => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'lathe-side-')));
  const write = (name: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  const realInOrder: Folder['real'] = (argv, input = '') => {
    const run = spawnSync('sh', ['-c', 'exec "$@" 2>&1', 'sh', ...argv], {
      cwd: path,
      env: ENVIRONMENT,
      input,
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    if (run.error && (run.error as NodeJS.ErrnoException).code !== 'EPIPE') throw run.error;
    return { exitCode: run.status ?? -1, output: run.stdout.replaceAll(path, '/workspace') };
  };
  return {
    path,
    write,
    realInOrder,
    real: ([program = '', ...args], input = '') => {
      const run = spawnSync(program, args, { cwd: path, env: ENVIRONMENT, input, encoding: 'utf8', maxBuffer: 1e8 });
      // A program that reads no input closes it early.
      if (run.error && (run.error as NodeJS.ErrnoException).code !== 'EPIPE') throw run.error;
      return { exitCode: run.status ?? -1, output: (run.stdout + run.stderr).replaceAll(path, '/workspace') };
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
};

export interface Side {
  readonly files: PendingTree;
  readonly sandbox: Sandbox;
  readonly run: (argv: readonly string[], input?: string) => Promise<Ran>;
}

/** The sandbox over the same folder. Its workers run in this thread. */
export const openSide = (folder: string, workingFolder = ''): Side => {
  const tree = createNodeTree(folder);
  const files = createPendingTree(tree, { remove: tree.remove });
  const sandbox = createSandbox({
    files,
    open: (kind) => openInThread(kind === 'git' ? serveGit : serveShell),
    python: { indexUrl: '', wheels: () => Promise.resolve([]) },
    workingFolder,
    now: Date.now,
    after,
  });
  return {
    files,
    sandbox,
    run: async (argv, input = '') => {
      const answer = await sandbox.execute({
        argv,
        timeoutSeconds: 60,
        signal: new AbortController().signal,
        stdin: new TextEncoder().encode(input),
      });
      if (answer.kind === 'failed') return { exitCode: -1, output: `error: ${answer.message}` };
      return { exitCode: answer.exitCode, output: answer.output };
    },
  };
};
