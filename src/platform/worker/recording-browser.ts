/** Recordings of the page: each is read, explained and kept in a worker of its own, which ends with it. */
import type { BodySegments } from '../../model/instruments/body-segments.ts';
import type { RecordingProgress, ShownCall } from '../../model/instruments/opened-recording.ts';
import type { Tokenizer } from '../../model/provider/types.ts';
import { openBrowserWorker } from './browser-worker.ts';
import type { FromRecording, NamedFile, OpenFiles } from './recording-messages.ts';
import recordingWorker from './recording.worker.ts?worker&url';
import { RpcClient } from './rpc-client.ts';

export interface ReadRecording {
  readonly calls: readonly ShownCall[];
  readonly faults: readonly string[];
}

export interface BrowserRecording extends ReadRecording, Disposable {
  readonly segments: (key: string) => Promise<BodySegments | undefined>;
  /** The same recording with the files that are there now. */
  readonly update: (files: readonly NamedFile[]) => Promise<ReadRecording>;
}

export interface OpenRecordingDeps {
  readonly count?: Tokenizer['count'] | undefined;
  readonly onProgress: (progress: RecordingProgress) => void;
  /** Ends the worker, whatever it does. */
  readonly signal: AbortSignal;
}

export const openRecording = async (
  files: readonly NamedFile[],
  { count, onProgress, signal }: OpenRecordingDeps,
): Promise<BrowserRecording> => {
  signal.throwIfAborted();
  const client = new RpcClient(openBrowserWorker(recordingWorker, 'recording'));
  const end = (): void => client.close();
  signal.addEventListener('abort', end, { once: true });
  const read = async (now: readonly NamedFile[]): Promise<ReadRecording> => {
    const calls: ShownCall[] = [];
    const answer = async (texts: readonly string[]): Promise<void> => {
      try {
        opening.push('counted', await count?.(texts));
      } catch (thrown) {
        client.close({ kind: 'lost', message: `tokens cannot be counted: ${String(thrown)}` });
      }
    };
    const params: OpenFiles = { files: now, counts: count !== undefined };
    const opening = client.call('open', params, (data) => {
      // Our own worker, of the same build: the version of its messages is checked.
      const message = data as FromRecording;
      if (message.kind === 'progress') onProgress(message.progress);
      else if (message.kind === 'calls') calls.push(...message.calls);
      else void answer(message.texts);
    });
    return { faults: (await opening.reply) as readonly string[], calls };
  };
  try {
    return {
      ...(await read(files)),
      segments: (key) => client.call('segments', key).reply as Promise<BodySegments | undefined>,
      update: read,
      [Symbol.dispose]: end,
    };
  } catch (thrown) {
    end();
    throw thrown;
  }
};
