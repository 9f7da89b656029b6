/** A recording on disk: the first line about it, then a line per request. A full disk ends it, and nothing else. */
import { type FileHandle, open } from 'node:fs/promises';
import { errorMessage } from '../../base/errors.ts';
import { captureHeader, type CaptureState } from '../../model/traffic/capture/capture-line.ts';

export interface RecordingFile {
  /** Lines are written one after the other; never throws. */
  readonly append: (line: string) => void;
  /** Whole lines only. */
  readonly size: () => number;
  readonly requests: () => number;
  readonly stopped: () => CaptureState['stopped'];
  /** Bytes from a place on, up to the last whole line. */
  readonly read: (from: number, most: number) => Promise<Uint8Array>;
  /** When everything is on disk. */
  readonly close: () => Promise<void>;
}

export interface RecordingFileDeps {
  readonly now: () => number;
  /** Tests use another one. */
  readonly open?: (path: string) => Promise<Pick<FileHandle, 'write' | 'read' | 'truncate' | 'close'>>;
  readonly onStopped: (why: string) => void;
}

const NO_SPACE = 'the disk is full';

export const createRecordingFile = async (
  path: string,
  target: string,
  { now, onStopped, open: openFile = (name) => open(name, 'wx+', 0o600) }: RecordingFileDeps,
): Promise<RecordingFile> => {
  const state: CaptureState = { startedAt: now(), target };
  const file = await openFile(path);
  const encoder = new TextEncoder();
  let size = 0;
  let requests = 0;
  let stopped: CaptureState['stopped'];
  let queue: Promise<void> = Promise.resolve();

  const put = async (bytes: Uint8Array, at: number): Promise<void> => {
    for (let done = 0; done < bytes.byteLength;) {
      const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, at + done);
      if (bytesWritten === 0) throw new Error(NO_SPACE);
      done += bytesWritten;
    }
  };
  const header = encoder.encode(`${captureHeader(state)}\n`);
  await put(header, 0);
  size = header.byteLength;

  const stop = async (thrown: unknown): Promise<void> => {
    const why = (thrown as NodeJS.ErrnoException).code === 'ENOSPC' ? NO_SPACE : errorMessage(thrown);
    stopped = { at: now(), requests, why };
    onStopped(why);
    try {
      await file.truncate(size);
    } catch {
      // The cut line stays; readers skip it.
    }
    try {
      // In the place of the first line, which needs no space.
      await put(encoder.encode(`${captureHeader({ ...state, stopped })}\n`), 0);
    } catch {
      // Told in the terminal.
    }
  };

  const after = async (before: Promise<void>, line: string): Promise<void> => {
    await before;
    if (stopped) return;
    const bytes = encoder.encode(`${line}\n`);
    try {
      await put(bytes, size);
      size += bytes.byteLength;
      requests++;
    } catch (thrown) {
      await stop(thrown);
    }
  };

  return {
    append: (line) => {
      queue = after(queue, line);
    },
    size: () => size,
    requests: () => requests,
    stopped: () => stopped,
    read: async (from, most) => {
      const buffer = new Uint8Array(Math.max(0, Math.min(size - from, most)));
      const { bytesRead } = await file.read(buffer, 0, buffer.byteLength, from);
      return buffer.subarray(0, bytesRead);
    },
    close: async () => {
      await queue;
      await file.close();
    },
  };
};
