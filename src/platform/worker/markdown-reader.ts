/** Reads pieces of Markdown in a worker, one after the other, each within a time. SPEC.md MR. */
import type { MarkdownNode } from '../../model/preview/markdown-nodes.ts';
import type { Port } from './port.ts';
import { RpcClient } from './rpc-client.ts';

/** Nothing: too much to read or to draw. */
export type ReadMarkdown = readonly MarkdownNode[] | undefined;

export interface MarkdownReader extends Disposable {
  /** What was read already, also that it was too much. */
  readonly known: (text: string) => { readonly nodes: ReadMarkdown } | undefined;
  /** Waits for its turn. Once `signal` is aborted it is not begun any more. */
  readonly read: (text: string, signal?: AbortSignal) => Promise<ReadMarkdown>;
}

export interface MarkdownReaderDeps {
  readonly open: () => Port;
  /** Calls back later; calling the answer takes it back. */
  readonly after: (ms: number, work: () => void) => () => void;
}

/** A piece that isn't read by then is left out. */
const MOST_MS = 1000;
/** A worker that hasn't started by then never will. */
const START_MS = 20_000;
const MOST_KNOWN = 400;

export const createMarkdownReader = ({ open, after }: MarkdownReaderDeps): MarkdownReader => {
  const known = new Map<string, { readonly nodes: ReadMarkdown }>();
  let client: RpcClient | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const end = (): void => {
    client?.close();
    client = undefined;
  };
  /** Ends the worker if there is no answer within the time: it can't be interrupted. */
  const within = async (ms: number, reply: Promise<unknown>): Promise<unknown> => {
    const takeBack = after(ms, end);
    try {
      return await reply;
    } catch {
      // Too slow, or crashed: the next piece gets a worker of its own.
      end();
      return undefined;
    } finally {
      takeBack();
    }
  };
  const remember = (text: string, nodes: ReadMarkdown): ReadMarkdown => {
    known.set(text, { nodes });
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    return nodes;
  };
  const readNow = async (text: string): Promise<ReadMarkdown> => {
    if (!client) {
      client = new RpcClient(open());
      if ((await within(START_MS, client.call('start', undefined).reply)) === undefined) return undefined;
    }
    // Our own worker, of the same build.
    return (await within(MOST_MS, client.call('read', text).reply)) as ReadMarkdown;
  };

  return {
    known: (text) => known.get(text),
    read: (text, signal) => {
      const turn = last.then(async () => {
        const before = known.get(text);
        if (before) return before.nodes;
        return signal?.aborted === true ? undefined : remember(text, await readNow(text));
      });
      last = turn;
      return turn;
    },
    [Symbol.dispose]: end,
  };
};
