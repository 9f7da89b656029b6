/** Requests that somebody recorded elsewhere: those that were opened, and which of them is in front. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { errorMessage } from '../base/errors.ts';
import type { TimeRange } from '../model/instruments/time-axis.ts';
import type { RecordingProgress } from '../model/instruments/opened-recording.ts';
import { plural } from '../base/text.ts';
import type { BrowserRecording, ReadRecording } from '../platform/worker/recording-browser.ts';
import type { NamedFile } from '../platform/worker/recording-messages.ts';

export interface Recording extends Pick<BrowserRecording, 'calls' | 'faults' | 'segments'> {
  readonly id: string;
  /** Of the file. */
  readonly name: string;
}

export interface RecordingsState {
  /** In the order in which they were opened. */
  readonly recordings: readonly Recording[];
  /** The one in front; nothing: the session is. */
  readonly shown: Recording | undefined;
  /** The request of it that was chosen. */
  readonly chosen: string | undefined;
  /** The request that is compared with the one before it, of a recording or of the session. */
  readonly compared: string | undefined;
  /** The part of the time that is looked at, of the recording or the session in front. */
  readonly range: TimeRange | undefined;
  /** While a file is read and explained. */
  readonly progress: (RecordingProgress & { readonly name: string }) | undefined;
  /** Why the last file could not be opened. */
  readonly problem: string | undefined;
}

export interface RecordingsStore extends Pick<StoreApi<RecordingsState>, 'getState' | 'getInitialState' | 'subscribe'> {
  /** Reads and explains a file, or several as one recording, and brings it to the front. */
  readonly open: (file: File, ...others: readonly File[]) => Promise<void>;
  /** What was dropped, once it is known; nothing if it holds no file. */
  readonly openDropped: (files: Promise<readonly NamedFile[]>) => Promise<void>;
  /** Files that may grow, such as those of a folder. The id of the recording; nothing if it could not be opened. */
  readonly openAll: (name: string, files: readonly NamedFile[]) => Promise<string | undefined>;
  /** The files of a recording as they are now. Its place in front and what was chosen stay. */
  readonly update: (id: string, files: readonly NamedFile[]) => Promise<void>;
  readonly cancel: () => void;
  /** Brings a recording to the front, or with nothing the session. */
  readonly show: (id: string | undefined) => void;
  readonly close: (id: string) => void;
  readonly choose: (key: string) => void;
  /** Of a recording: its worker, which can be asked more. */
  readonly opened: (id: string) => BrowserRecording | undefined;
  readonly compare: (key: string | undefined) => void;
  /** Leaves out what is not in that range, in every panel; nothing shows all of it. */
  readonly look: (range: TimeRange | undefined) => void;
}

export interface RecordingsDeps {
  readonly open: (
    files: readonly NamedFile[],
    options: { readonly signal: AbortSignal; readonly onProgress: (progress: RecordingProgress) => void },
  ) => Promise<BrowserRecording>;
}

const withRead = (item: Recording, read: ReadRecording): Recording => ({ ...item, ...read });

export const createRecordingsStore = (deps: RecordingsDeps): RecordingsStore => {
  const store = createStore<RecordingsState>(() => ({
    recordings: [],
    shown: undefined,
    chosen: undefined,
    compared: undefined,
    range: undefined,
    progress: undefined,
    problem: undefined,
  }));
  const { getState, setState } = store;
  const owned = new Map<string, BrowserRecording>();
  let running: AbortController | undefined;
  let count = 0;

  const cancel = (): void => {
    running?.abort();
    setState({ progress: undefined, problem: undefined });
  };
  const show = (id: string | undefined): void =>
    setState(({ recordings }) => ({
      shown: recordings.find((item) => item.id === id),
      chosen: undefined,
      compared: undefined,
      range: undefined,
    }));

  const openAll = async (name: string, files: readonly NamedFile[]): Promise<string | undefined> => {
    cancel();
    const { signal } = (running = new AbortController());
    // From then on it grows without a word.
    let isOpened = false;
    const size = files.reduce((sum, { file }) => sum + file.size, 0);
    setState({ progress: { name, step: 'reading', done: 0, total: size } });
    try {
      const opened = await deps.open(files, {
        signal,
        onProgress: (step) => {
          if (!signal.aborted && !isOpened) setState({ progress: { name, ...step } });
        },
      });
      if (signal.aborted) return undefined;
      isOpened = true;
      // Opening another one does not end this one's worker.
      running = undefined;
      count += 1;
      const id = `recording ${count}`;
      const { calls, faults, segments } = opened;
      owned.set(id, opened);
      setState(({ recordings }) => ({ recordings: [...recordings, { id, name, calls, faults, segments }] }));
      show(id);
      setState({ progress: undefined });
      return id;
    } catch (thrown) {
      if (!signal.aborted) setState({ problem: `Can’t read ${name}: ${errorMessage(thrown)}.` });
    }
    if (!signal.aborted) setState({ progress: undefined });
    return undefined;
  };

  return {
    getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    open: async (file, ...others) => {
      const name = others.length === 0 ? file.name : `${file.name} and ${plural(others.length, 'more file')}`;
      await openAll(
        name,
        [file, ...others].map((one) => ({ name: one.webkitRelativePath || one.name, file: one })),
      );
    },
    openDropped: async (dropped) => {
      try {
        const files = await dropped;
        const [first, ...others] = files;
        if (!first) return;
        const [folder = first.name] = first.name.split('/');
        const isOne = files.every(({ name }) => name.startsWith(`${folder}/`));
        await openAll(
          isOne || others.length === 0 ? folder : `${folder} and ${plural(others.length, 'more file')}`,
          files,
        );
      } catch (thrown) {
        setState({ problem: `Can’t read the dropped files: ${errorMessage(thrown)}.` });
      }
    },
    openAll,
    update: async (id, files) => {
      const read = await owned.get(id)?.update(files);
      if (!read) return;
      setState(({ recordings, shown }) => {
        const now = recordings.map((item) => (item.id === id ? withRead(item, read) : item));
        return { recordings: now, shown: shown && now.find((item) => item.id === shown.id) };
      });
    },
    cancel,
    show,
    close: (gone) => {
      owned.get(gone)?.[Symbol.dispose]();
      owned.delete(gone);
      setState(({ recordings }) => ({ recordings: recordings.filter(({ id }) => id !== gone) }));
      if (getState().shown?.id === gone) show(undefined);
    },
    opened: (id) => owned.get(id),
    choose: (chosen) => setState({ chosen }),
    compare: (compared) => setState({ compared }),
    look: (range) => setState({ range }),
  };
};
