/**
 * Executors in the sandbox. Each skill has a sandbox of its own, over a tree that has nothing but its verified files; they are put there again
 * before every call, so that no call finds what another has changed. Starting Python takes seconds, so the last few sandboxes are kept.
 */
import { sha256 } from '../../base/hash.ts';
import type { PythonRequest, PythonRunner } from '../../model/executor/types.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import type { CommandAnswer } from '../../model/metaskill/host-types.ts';
import { createMemoryTree, type MemoryTree } from '../fs/memory-tree.ts';

/** The part of the sandbox that is used here. */
export interface PythonSandbox extends Disposable {
  readonly execute: (request: {
    readonly argv: readonly string[];
    readonly timeoutSeconds: number;
    readonly signal: AbortSignal;
    readonly setWaiting?: (waiting: boolean) => void;
    readonly stdin?: Uint8Array;
  }) => Promise<CommandAnswer>;
}

export interface SandboxPython extends Disposable {
  readonly run: PythonRunner;
}

interface Room {
  readonly tree: MemoryTree;
  readonly sandbox: PythonSandbox;
  /** Calls of one skill wait for each other. */
  last: Promise<unknown>;
}

const MOST_ROOMS = 3;
const encoder = new TextEncoder();

/** Skills are distinguished by what they are, not by what they call themselves. */
const skillOf = ({ files }: PythonRequest): string =>
  sha256(
    [...files]
      .filter(([path]) => path.startsWith('source/'))
      .map(([path, content]) => `${path} ${sha256(content)}`)
      .join('\n'),
  );

const refill = async (tree: MemoryTree, files: PythonRequest['files']): Promise<void> => {
  for (const path of tree.files.keys()) if (!files.has(path)) await tree.remove(path);
  for (const [path, content] of files) await tree.write(path, content);
};

export const createSandboxPython = (open: (files: FileTree) => PythonSandbox): SandboxPython => {
  const rooms = new Map<string, Room>();

  const roomFor = (request: PythonRequest): Room => {
    const key = skillOf(request);
    const tree = createMemoryTree({}, 'executor');
    const room = rooms.get(key) ?? { tree, sandbox: open(tree), last: Promise.resolve() };
    // The one that was used last goes to the end.
    rooms.delete(key);
    rooms.set(key, room);
    const [oldest] = rooms;
    if (rooms.size > MOST_ROOMS && oldest) {
      rooms.delete(oldest[0]);
      void oldest[1].last.finally(() => oldest[1].sandbox[Symbol.dispose]());
    }
    return room;
  };

  const call = async ({ tree, sandbox }: Room, request: PythonRequest): Promise<CommandAnswer> => {
    const { files, entry, stdin, timeoutSeconds, signal, setWaiting } = request;
    if (signal.aborted) return { kind: 'failed', message: 'cancelled' };
    await refill(tree, files);
    return sandbox.execute({
      argv: ['python3', entry],
      stdin: encoder.encode(stdin),
      timeoutSeconds,
      signal,
      setWaiting,
    });
  };

  return {
    run: (request) => {
      const room = roomFor(request);
      const answer = room.last.then(() => call(room, request));
      room.last = answer.catch(() => undefined);
      return answer;
    },
    [Symbol.dispose]: () => {
      for (const { sandbox } of rooms.values()) sandbox[Symbol.dispose]();
      rooms.clear();
    },
  };
};
