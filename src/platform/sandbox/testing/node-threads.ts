/** Real threads for tests: their files are bundled into a temporary folder first. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPendingTree, type PendingTree } from '../../../model/tool/pending-tree.ts';
import type { FileTree } from '../../../model/files/file-tree.ts';
import { bundleThreads } from '../../worker/testing/bundle-threads.ts';
import { createNodeSandbox } from '../node-sandbox.ts';
import type { Sandbox, SandboxDeps } from '../sandbox.ts';

const project = new URL('../../../../', import.meta.url);
export const WHEELS = new URL('public/sandbox/wheels/', project);

export interface BuiltThreads extends Disposable {
  readonly threads: URL;
}

/** `root` is the project's folder; a benchmark is bundled elsewhere and has to say. */
export const buildThreads = async (root: URL = project): Promise<BuiltThreads> => {
  const entry = (kind: string): string => fileURLToPath(new URL(`src/platform/sandbox/node-${kind}-thread.ts`, root));
  const bundled = await bundleThreads(
    Object.fromEntries(['shell', 'git', 'python'].map((kind) => [`sandbox-${kind}-thread`, entry(kind)])),
    'js',
    true,
  );
  symlinkSync(fileURLToPath(new URL('node_modules', root)), join(bundled.folder, 'node_modules'));
  return { threads: bundled.address, [Symbol.dispose]: () => bundled[Symbol.dispose]() };
};

export interface ThreadedSandbox extends Disposable {
  readonly files: PendingTree;
  readonly sandbox: Sandbox;
  readonly run: (
    argv: readonly string[],
    options?: {
      readonly stdin?: string;
      readonly timeout?: number;
      readonly signal?: AbortSignal;
      readonly onOutput?: (text: string) => void;
    },
  ) => Promise<{
    readonly exitCode: number;
    readonly output: string;
    readonly error?: string;
    readonly truncated?: boolean;
  }>;
}

export const openThreaded = (
  built: BuiltThreads,
  tree: FileTree,
  more: Pick<SandboxDeps, 'history' | 'workingFolder'> = {},
): ThreadedSandbox => {
  const files = createPendingTree(tree, { remove: tree.remove });
  const sandbox = createNodeSandbox({ files, threads: built.threads, wheels: WHEELS, ...more });
  return {
    files,
    sandbox,
    run: async (argv, { stdin = '', timeout = 120, signal = new AbortController().signal, onOutput } = {}) => {
      const answer = await sandbox.execute({
        argv,
        timeoutSeconds: timeout,
        signal,
        stdin: new TextEncoder().encode(stdin),
        ...(onOutput && { onOutput }),
      });
      if (answer.kind === 'failed') return { exitCode: -1, output: answer.output ?? '', error: answer.message };
      const { exitCode, output, truncated } = answer;
      return { exitCode, output, ...(truncated !== undefined && { truncated }) };
    },
    [Symbol.dispose]: () => sandbox[Symbol.dispose](),
  };
};
