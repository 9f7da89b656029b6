/** Real threads for tests. */
import { createPendingTree, type PendingTree } from '../../../model/tool/pending-tree.ts';
import type { FileTree } from '../../../model/files/file-tree.ts';
import { PROJECT, threadsFolder } from '../../worker/testing/threads-folder.ts';
import { createNodeSandbox } from '../node-sandbox.ts';
import type { Sandbox, SandboxDeps } from '../sandbox.ts';

export const WHEELS = new URL('public/sandbox/wheels/', PROJECT);

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
  tree: FileTree,
  more: Pick<SandboxDeps, 'history' | 'workingFolder'> = {},
  threads: URL = threadsFolder(),
): ThreadedSandbox => {
  const files = createPendingTree(tree, { remove: tree.remove });
  const sandbox = createNodeSandbox({ files, threads, wheels: WHEELS, ...more });
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
