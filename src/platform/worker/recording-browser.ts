/** Recordings of the page: each is read, explained and kept in a worker of its own, which ends with it. */
import type { BodySegments } from '../../model/instruments/body-segments.ts';
import type { RecordingProgress, ShownCall } from '../../model/instruments/opened-recording.ts';
import type { SkillRent } from '../../model/ledger/skill-rent.ts';
import type { Repaired } from '../../model/ledger/types.ts';
import type { BreakpointAxis } from '../../model/whatif/axis.ts';
import type { WhatIfAnswer } from '../../model/whatif/answer.ts';
import type { Plan } from '../../model/whatif/planner.ts';
import type { Policy } from '../../model/whatif/types.ts';
import type { Tokenizer } from '../../model/provider/types.ts';
import { openBrowserWorker } from './browser-worker.ts';
import type { AskedAxis, FromRecording, NamedFile, OpenFiles } from './recording-messages.ts';
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
  readonly whatIf: (policy: Policy) => Promise<WhatIfAnswer>;
  readonly plan: (policy: Policy) => Promise<Plan | undefined>;
  /** Breakpoints of the request with that row. */
  readonly axis: (policy: Policy, key: string) => Promise<BreakpointAxis | undefined>;
  readonly skills: () => Promise<readonly SkillRent[]>;
  /** What switches save, by the keys of the rows. */
  readonly repairs: () => Promise<ReadonlyMap<string, Repaired>>;
  /** A masked HTML file. */
  readonly report: () => Promise<string>;
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
  const answer = async (push: (name: string, data: unknown) => void, texts: readonly string[]): Promise<void> => {
    try {
      push('counted', await count?.(texts));
    } catch (thrown) {
      client.close({ kind: 'lost', message: `can’t count tokens: ${String(thrown)}` });
    }
  };
  /** A call during which the worker may ask for tokens. */
  const ask = (method: string, params: unknown, calls: ShownCall[] = []) => {
    const running = client.call(method, params, (data) => {
      // Our own worker, of the same build: the version of its messages is checked.
      const message = data as FromRecording;
      if (message.kind === 'progress') onProgress(message.progress);
      else if (message.kind === 'calls') calls.push(...message.calls);
      else void answer(running.push, message.texts);
    });
    return running;
  };
  const read = async (now: readonly NamedFile[]): Promise<ReadRecording> => {
    const calls: ShownCall[] = [];
    const params: OpenFiles = { files: now, counts: count !== undefined };
    return { faults: (await ask('open', params, calls).reply) as readonly string[], calls };
  };
  try {
    return {
      ...(await read(files)),
      segments: (key) => client.call('segments', key).reply as Promise<BodySegments | undefined>,
      update: read,
      whatIf: (policy) => ask('whatIf', policy).reply as Promise<WhatIfAnswer>,
      plan: (policy) => ask('plan', policy).reply as Promise<Plan | undefined>,
      axis: (policy, key) =>
        ask('axis', { policy, key } satisfies AskedAxis).reply as Promise<BreakpointAxis | undefined>,
      skills: () => ask('skills', undefined).reply as Promise<readonly SkillRent[]>,
      repairs: () => ask('repairs', undefined).reply as Promise<ReadonlyMap<string, Repaired>>,
      report: () => ask('report', files.map(({ name }) => name).join(', ')).reply as Promise<string>,
      [Symbol.dispose]: end,
    };
  } catch (thrown) {
    end();
    throw thrown;
  }
};
