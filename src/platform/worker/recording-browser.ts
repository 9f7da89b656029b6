/** Recordings of the page: each is read, explained and kept in a worker of its own, which ends with it. */
import type { BodySegments } from '../../model/instruments/body-segments.ts';
import type { RecordingProgress, ShownCall } from '../../model/instruments/opened-recording.ts';
import type { Tokenizer } from '../../model/provider/types.ts';
import { openBrowserWorker } from './browser-worker.ts';
import type { FromRecording } from './recording-messages.ts';
import recordingWorker from './recording.worker.ts?worker&url';
import { RpcClient } from './rpc-client.ts';

export interface BrowserRecording extends Disposable {
  readonly calls: readonly ShownCall[];
  readonly faults: readonly string[];
  readonly segments: (key: string) => Promise<BodySegments | undefined>;
}

export interface OpenRecordingDeps {
  readonly count?: Tokenizer['count'] | undefined;
  readonly onProgress: (progress: RecordingProgress) => void;
  /** Ends the worker, whatever it does. */
  readonly signal: AbortSignal;
}

export const openRecording = async (
  file: File,
  { count, onProgress, signal }: OpenRecordingDeps,
): Promise<BrowserRecording> => {
  signal.throwIfAborted();
  const client = new RpcClient(openBrowserWorker(recordingWorker, 'recording'));
  const end = (): void => client.close();
  signal.addEventListener('abort', end, { once: true });
  const calls: ShownCall[] = [];
  const answer = async (texts: readonly string[]): Promise<void> => {
    try {
      opening.push('counted', await count?.(texts));
    } catch (thrown) {
      client.close({ kind: 'lost', message: `tokens cannot be counted: ${String(thrown)}` });
    }
  };
  const opening = client.call('open', { file, counts: count !== undefined }, (data) => {
    // Our own worker, of the same build: the version of its messages is checked.
    const message = data as FromRecording;
    if (message.kind === 'progress') onProgress(message.progress);
    else if (message.kind === 'calls') calls.push(...message.calls);
    else void answer(message.texts);
  });
  try {
    const faults = (await opening.reply) as readonly string[];
    return {
      calls,
      faults,
      segments: (key) => client.call('segments', key).reply as Promise<BodySegments | undefined>,
      [Symbol.dispose]: end,
    };
  } catch (thrown) {
    end();
    throw thrown;
  }
};
