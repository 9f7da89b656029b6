/** The terminal of the sandbox: lines that were typed, what they gave, and the history. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { errorMessage } from '../../base/errors.ts';
import { splitLine } from '../../model/sandbox/command-line.ts';
import type { Sandbox } from '../../platform/sandbox/sandbox.ts';

export interface TerminalEntry {
  readonly id: number;
  readonly line: string;
  readonly output: string;
  /** Nothing while it runs, and where nothing was run. */
  readonly exitCode: number | undefined;
  readonly error: string | undefined;
  readonly isCut: boolean;
}

export interface TerminalState {
  readonly entries: readonly TerminalEntry[];
  readonly running: number | undefined;
  readonly progress: string | undefined;
  readonly input: string;
  /** What is wrong with the line. */
  readonly fault: string | undefined;
}

export interface TerminalStore extends Pick<StoreApi<TerminalState>, 'getState' | 'getInitialState' | 'subscribe'> {
  readonly type: (input: string) => void;
  readonly submit: () => Promise<void>;
  readonly stop: () => void;
  readonly clear: () => void;
  /** -1: an earlier line; 1: a later one. */
  readonly recall: (direction: -1 | 1) => void;
}

const MOST_ENTRIES = 200;
const MOST_HISTORY = 200;
const MOST_OUTPUT = 1_000_000;
const SECONDS = 600;

/** Older entries go first when there are too many, or too much. */
const within = (entries: readonly TerminalEntry[]): readonly TerminalEntry[] => {
  let size = 0;
  let from = entries.length;
  while (from > 0 && entries.length - from < MOST_ENTRIES) {
    size += entries[from - 1]?.output.length ?? 0;
    if (size > MOST_OUTPUT && from < entries.length) break;
    from--;
  }
  return entries.slice(from);
};

export const createTerminalStore = (sandbox: Pick<Sandbox, 'execute' | 'state' | 'subscribe'>): TerminalStore => {
  const store = createStore<TerminalState>(() => ({
    entries: [],
    running: undefined,
    progress: undefined,
    input: '',
    fault: undefined,
  }));
  const history: string[] = [];
  /** Where in the history the field stands; its length: at what is being typed. */
  let at = 0;
  let draft = '';
  let nextId = 1;
  let controller: AbortController | undefined;
  sandbox.subscribe(() => store.setState({ progress: sandbox.state().progress }));

  const change = (id: number, how: (entry: TerminalEntry) => Partial<TerminalEntry>): void =>
    store.setState(({ entries }) => ({
      entries: within(entries.map((entry) => (entry.id === id ? { ...entry, ...how(entry) } : entry))),
    }));

  const run = async (line: string, argv: readonly string[]): Promise<void> => {
    const id = nextId++;
    const entry: TerminalEntry = { id, line, output: '', exitCode: undefined, error: undefined, isCut: false };
    store.setState(({ entries }) => ({ entries: within([...entries, entry]), running: id }));
    controller = new AbortController();
    try {
      const answer = await sandbox.execute({
        argv,
        timeoutSeconds: SECONDS,
        signal: controller.signal,
        onOutput: (text) => change(id, ({ output }) => ({ output: output + text })),
      });
      change(id, ({ output }) =>
        answer.kind === 'failed'
          ? { output: answer.output ?? output, error: answer.message }
          : { output: answer.output, exitCode: answer.exitCode, isCut: answer.truncated === true },
      );
    } catch (thrown) {
      change(id, () => ({ error: errorMessage(thrown) }));
    } finally {
      controller = undefined;
      store.setState({ running: undefined, progress: undefined });
    }
  };

  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    type: (input) => {
      at = history.length;
      store.setState({ input, fault: undefined });
    },
    submit: async () => {
      const { input, running } = store.getState();
      const line = input.trim();
      if (line === '' || running !== undefined) return;
      const words = splitLine(line);
      if (!words.ok) {
        store.setState({ fault: words.error });
        return;
      }
      if (history.at(-1) !== line) history.push(line);
      if (history.length > MOST_HISTORY) history.shift();
      at = history.length;
      draft = '';
      store.setState({ input: '', fault: undefined });
      if (words.value.length === 1 && words.value[0] === 'clear') store.setState({ entries: [] });
      else await run(line, words.value);
    },
    stop: () => controller?.abort('stopped'),
    clear: () => store.setState({ entries: [] }),
    recall: (direction) => {
      const next = at + direction;
      if (next < 0 || next > history.length) return;
      if (at === history.length) draft = store.getState().input;
      at = next;
      store.setState({ input: at === history.length ? draft : (history[at] ?? ''), fault: undefined });
    },
  };
};
