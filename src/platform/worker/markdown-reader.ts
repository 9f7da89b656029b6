/** Reads pieces of Markdown in a worker, one after the other, each within a time. SPEC.md MR. */
import type { MarkdownNode } from '../../model/preview/markdown-nodes.ts';
import { createTimedWorker, type TimedWorkerDeps } from './timed-worker.ts';

/** Nothing: too much to read or to draw. */
export type ReadMarkdown = readonly MarkdownNode[] | undefined;

export interface MarkdownReader extends Disposable {
  /** What was read already, also that it was too much. */
  readonly known: (text: string) => { readonly nodes: ReadMarkdown } | undefined;
  /** Waits for its turn. Once `signal` is aborted it is no longer begun. */
  readonly read: (text: string, signal?: AbortSignal) => Promise<ReadMarkdown>;
}

/** A piece that isn't read by then is left out. */
const MOST_MS = 1000;
const MOST_KNOWN = 400;

export const createMarkdownReader = (deps: TimedWorkerDeps): MarkdownReader => {
  const known = new Map<string, { readonly nodes: ReadMarkdown }>();
  const worker = createTimedWorker(deps);
  let last: Promise<unknown> = Promise.resolve();

  const remember = (text: string, nodes: ReadMarkdown): ReadMarkdown => {
    known.set(text, { nodes });
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    return nodes;
  };
  return {
    known: (text) => known.get(text),
    read: (text, signal) => {
      const turn = last.then(async () => {
        const before = known.get(text);
        if (before) return before.nodes;
        if (signal?.aborted === true) return undefined;
        // Our own worker, of the same build.
        return remember(text, (await worker.ask('read', text, MOST_MS)) as ReadMarkdown);
      });
      last = turn;
      return turn;
    },
    [Symbol.dispose]: () => worker[Symbol.dispose](),
  };
};
