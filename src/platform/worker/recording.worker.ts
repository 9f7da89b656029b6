/** Reads and explains recordings away from the page. Tokens are counted by the tokenizer of the page, which has a worker too. */
import {
  createRecordedFolder,
  type OpenedRecording,
  type RecordedFile,
} from '../../model/instruments/opened-recording.ts';
import type { AskedAxis, FromRecording, OpenFiles } from './recording-messages.ts';
import { recordingReport } from '../../model/report/recording-report.ts';
import type { Tokenizer } from '../../model/provider/types.ts';
import type { Policy } from '../../model/whatif/types.ts';
import { reportCrash, serveRpc } from './rpc-server.ts';
import { scopePort } from './scope-port.ts';

const scope = self as unknown as DedicatedWorkerGlobalScope;
const port = scopePort(scope);

scope.addEventListener('unhandledrejection', (event) =>
  reportCrash(port, { kind: 'lost', message: String(event.reason) }),
);

/** Milliseconds between two reports of progress. */
const SELDOM = 60;
/** Rows of one message: reading a message is a task of the page. */
const ROWS = 100;

async function* piecesOf(file: File, from: number): ReturnType<RecordedFile['pieces']> {
  const decoder = new TextDecoder();
  const reader = file.slice(from).stream().getReader();
  let read = from;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    read += next.value.length;
    yield { text: decoder.decode(next.value, { stream: true }), read };
  }
  yield { text: decoder.decode(), read };
}

const folder = createRecordedFolder();
let opened: OpenedRecording | undefined;

interface Channel {
  readonly emit: (data: unknown) => void;
  readonly onPush: (listener: (name: string, data: unknown) => void) => void;
}

/** Tokens are counted by the page, which is asked in the call that is under way. */
const counter = ({ emit, onPush }: Channel): Tokenizer['count'] => {
  const waiting: ((counted: readonly number[]) => void)[] = [];
  onPush((_name, counted) => waiting.shift()?.(counted as readonly number[]));
  return (texts) =>
    new Promise((resolve) => {
      waiting.push(resolve);
      emit({ kind: 'count', texts } satisfies FromRecording);
    });
};
let count: Tokenizer['count'] = () => Promise.reject(new Error('no call is under way'));

/** One call at a time: each counts through its own channel, which is gone when it is answered. */
let before: Promise<unknown> = Promise.resolve();
const inTurn =
  <T>(run: (params: unknown, channel: Channel) => Promise<T> | T) =>
  (params: unknown, channel: Channel): Promise<T> => {
    const answer = before.then(() => {
      count = counter(channel);
      return run(params, channel);
    });
    before = answer.catch(() => undefined);
    return answer;
  };

serveRpc(port, {
  open: inTurn(async (params, { emit }) => {
    const { files, counts } = params as OpenFiles;
    const send = (message: FromRecording): void => emit(message);
    let last = -Infinity;
    opened = await folder.update(
      files.map(({ name, file }) => ({
        name,
        size: file.size,
        modifiedAt: file.lastModified,
        pieces: (from) => piecesOf(file, from),
      })),
      {
        ...(counts && { tokenizer: { count: (texts) => count(texts) } }),
        onProgress: (progress) => {
          if (performance.now() - last < SELDOM) return;
          last = performance.now();
          send({ kind: 'progress', progress });
        },
      },
    );
    const { calls, faults } = opened;
    for (let start = 0; start < calls.length; start += ROWS)
      send({ kind: 'calls', calls: calls.slice(start, start + ROWS) });
    return faults;
  }),
  segments: (key) => opened?.segments(key as string),
  // From our own page, of the same build.
  whatIf: inTurn((policy) => opened?.whatIf(policy as Policy)),
  plan: inTurn((policy) => opened?.plan(policy as Policy)),
  axis: inTurn((params) => {
    const { policy, key } = params as AskedAxis;
    return opened?.axis(policy, key);
  }),
  skills: inTurn(() => opened?.skills()),
  repairs: inTurn(() => opened?.repairs()),
  report: inTurn(async (title) => {
    if (!opened) return undefined;
    const { explained } = opened;
    const { skills, items } = opened;
    return recordingReport({ title: title as string, explained, items: await items(), skills: await skills() }).html;
  }),
});
