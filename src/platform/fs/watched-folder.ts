/**
 * A folder that a program outside writes into while the page looks: all its files, again and again. An observer tells of a change
 * immediately where the browser has one; the folder is looked through all the same, because observers miss things while a page sleeps.
 */
import { isMissing } from './handle-errors.ts';

export interface FolderFile {
  /** Its path below the folder. */
  readonly name: string;
  readonly file: File;
}

export interface WatchedFolderDeps {
  /** Files of the folder, when some are new or have changed, and at the start. It is waited for. False: they are to come again. */
  readonly onFiles: (files: readonly FolderFile[]) => Promise<boolean>;
  /** The folder can't be read any more. */
  readonly onFault: (thrown: unknown) => void;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
  /** By default the browser's; `null` stands for a browser without one. */
  readonly Observer?: typeof FileSystemObserver | null;
}

/** More is a mistake rather than an agent's folder. */
const MOST_FILES = 20_000;
const POLL_MS = 1_000;
const OBSERVED_POLL_MS = 10_000;
/** After a change: more is about to come. */
const SETTLE_MS = 200;
/** Of the time that the last look took. */
const REST = 2;

const filesBelowHandle = async (folder: FileSystemDirectoryHandle): Promise<readonly FolderFile[]> => {
  const files: FolderFile[] = [];
  const walk = async (handle: FileSystemDirectoryHandle, prefix: string): Promise<void> => {
    for await (const entry of handle.values()) {
      if (files.length >= MOST_FILES) return;
      const name = `${prefix}${entry.name}`;
      try {
        if (entry.kind === 'directory') await walk(entry, `${name}/`);
        else files.push({ name, file: await entry.getFile() });
      } catch (thrown) {
        // Gone since it was listed.
        if (!isMissing(thrown)) throw thrown;
      }
    }
  };
  await walk(folder, '');
  return files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
};

const stampOf = (files: readonly FolderFile[]): string =>
  files.map(({ name, file }) => `${name} ${file.size} ${file.lastModified}`).join('\n');

const observe = async (
  folder: FileSystemDirectoryHandle,
  Observer: typeof FileSystemObserver | null,
  onChange: () => void,
): Promise<FileSystemObserver | undefined> => {
  if (!Observer) return undefined;
  try {
    const observer = new Observer(onChange);
    await observer.observe(folder, { recursive: true });
    return observer;
  } catch {
    // Some file systems cannot be observed.
    return undefined;
  }
};

/** Nothing in a browser without one. */
const BROWSERS = typeof FileSystemObserver === 'undefined' ? null : FileSystemObserver;

/** Until it is aborted, or the folder can't be read. */
export const watchFolder = async (
  folder: FileSystemDirectoryHandle,
  { onFiles, onFault, wait, signal, Observer = BROWSERS }: WatchedFolderDeps,
): Promise<void> => {
  let wake = new AbortController();
  const observer = await observe(folder, Observer, () => wake.abort());
  const stop = (): void => wake.abort();
  signal.addEventListener('abort', stop);
  let last: string | undefined;
  try {
    while (!signal.aborted) {
      const began = performance.now();
      wake = new AbortController();
      const files = await filesBelowHandle(folder);
      const stamp = stampOf(files);
      if (stamp !== last && !signal.aborted) {
        last = (await onFiles(files)) ? stamp : undefined;
      }
      const took = performance.now() - began;
      await wait(Math.max(observer ? OBSERVED_POLL_MS : POLL_MS, REST * took), wake.signal);
      if (!signal.aborted && observer) await wait(Math.max(SETTLE_MS, REST * took), signal);
    }
  } catch (thrown) {
    if (!signal.aborted) onFault(thrown);
  } finally {
    signal.removeEventListener('abort', stop);
    observer?.disconnect();
  }
};
