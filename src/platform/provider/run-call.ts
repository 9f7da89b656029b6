/** One call from start to end: attempts, the reader of the wire, and every failure as a value. */
import { silentLog, type Log } from '../../base/log.ts';
import { askedWait, classifyError, retryDelay, type ErrorInfo } from '../../model/provider/errors.ts';
import { secretsOf, withoutKeys } from '../../model/provider/keys.ts';
import { eventsOf, readerFor } from '../../model/provider/read-stream.ts';
import { messageOf, type ReadResult } from '../../model/provider/stream-parts.ts';
import type { CallOptions, CallResult, ProviderError, Wire } from '../../model/provider/types.ts';
import { delay } from '../delay.ts';
import type { HostLog } from './host-log.ts';
import { createRecordingFetch, type Fetch, type Recording } from './recording-fetch.ts';

export interface ClientSettings {
  /** Empty: none. */
  readonly apiKey: string;
  readonly baseUrl?: string;
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly isBrowser: boolean;
  readonly pageOrigin?: { readonly protocol: string; readonly host: string };
  /** Beyond the first attempt. Default 2. */
  readonly maxRetries?: number;
  /** Until an answer starts. Default ten minutes, as the SDKs have it. */
  readonly timeoutMs?: number;
  /** Without a byte in the middle of an answer. Default five minutes: models think silently for long. */
  readonly idleMs?: number;
  readonly hosts?: HostLog;
  readonly log?: Log;
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** From 0 to 1. */
  readonly random?: () => number;
}

/** The status of a request that a server understands and does not take. */
const UNPROCESSABLE = 422;
const DEFAULT_RETRIES = 2;
const DEFAULT_TIMEOUT_MS = 600_000;
const DEFAULT_IDLE_MS = 300_000;

export type KeyHeader = 'authorization' | 'x-api-key';

/** Which header to send the key in; calls may run beside each other, so each says which one it has used. */
export interface KeyHeaderChoice {
  readonly first: () => KeyHeader;
  /** Another one to try immediately after an attempt that got no answer, if there is one. */
  readonly instead: (used: KeyHeader) => KeyHeader | undefined;
  /** An answer came, of whatever kind. */
  readonly answered: (used: KeyHeader) => void;
}

/** How one attempt is made with a given `fetch`. */
export interface Attempt {
  readonly fetch: Fetch;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly keyHeader: KeyHeader;
}

export interface CallPlan {
  readonly wire: Wire;
  readonly url: string;
  readonly settings: ClientSettings;
  /** Gives a stream of events, or the whole response as JSON. */
  readonly send: (attempt: Attempt) => Promise<unknown>;
  readonly keyHeader: KeyHeaderChoice;
  readonly hasAnswered: () => boolean;
  /**
   * A request was refused as it is. Takes out of it what the answer names and a request can do without; gives what was
   * taken out.
   */
  readonly simplify: (said: string) => readonly string[];
}

export const isStream = (reply: unknown): reply is AsyncIterable<unknown> =>
  typeof reply === 'object' && reply !== null && Symbol.asyncIterator in reply;

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

const words = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The body of a refusal: `{error: {type, message, metadata}}`, `{error: "…"}`, `{message}`, or just text. */
const refusalOf = (thrown: unknown): Pick<ErrorInfo, 'errorType' | 'message'> => {
  const body = field(thrown, 'error');
  const inner = field(body, 'error') ?? body;
  const errorType = words(field(inner, 'code')) ?? words(field(inner, 'type')) ?? words(field(thrown, 'type'));
  const message = words(inner) ?? words(messageOf(inner)) ?? (thrown instanceof Error ? thrown.message : undefined);
  return { ...(errorType !== undefined && { errorType }), ...(message !== undefined && { message }) };
};

/** What broke, from what was thrown and what the recording saw. */
export const failureOf = (
  thrown: unknown,
  recording: Recording,
  signal: AbortSignal | undefined,
): Pick<ErrorInfo, 'cause' | 'status' | 'errorType' | 'message'> => {
  if (signal?.aborted) return { cause: 'cancelled' };
  const last = recording.last();
  if (last.timedOut) return { cause: last.timedOut };
  const status = field(thrown, 'status');
  if (typeof status === 'number') return { status, ...refusalOf(thrown) };
  if (last.status === undefined) return { cause: 'connection' };
  // Its own message would quote a few characters, which may be a part of the key.
  if (thrown instanceof SyntaxError) return { cause: 'malformed_stream', message: 'part of it isn’t JSON' };
  // An error event inside a stream: the SDKs throw it with the provider's body and without a status.
  if (field(thrown, 'error') !== undefined) {
    const code = field(field(thrown, 'error'), 'code');
    return { ...(typeof code === 'number' && { status: code }), ...refusalOf(thrown) };
  }
  return { cause: 'broken_off', ...(thrown instanceof Error && { message: thrown.message }) };
};

const faultOf = (read: ReadResult): Pick<ErrorInfo, 'cause' | 'status' | 'errorType' | 'message'> | undefined => {
  if (read.error) {
    const { type, message, status } = read.error;
    return { ...(type !== undefined && { errorType: type }), ...(status !== undefined && { status }), message };
  }
  if (read.fault !== undefined) return { cause: 'malformed_stream', message: read.fault };
  return read.isComplete
    ? undefined
    : { cause: 'malformed_stream', message: 'it ended before the answer was complete' };
};

export const recordingFor = (
  settings: ClientSettings,
  onEvent?: CallOptions['onEvent'],
): { readonly recording: Recording; readonly timeoutMs: number } => {
  const timeoutMs = settings.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const recording = createRecordingFetch({
    fetch: settings.fetch,
    now: settings.now,
    secrets: secretsOf(settings.apiKey),
    timeoutMs,
    idleMs: settings.idleMs ?? DEFAULT_IDLE_MS,
    ...(onEvent && { onEvent }),
    ...(settings.hosts && { hosts: settings.hosts }),
  });
  // Ours is the timeout that counts.
  return { recording, timeoutMs: timeoutMs * 2 + 1000 };
};

export const errorFor = (
  settings: ClientSettings,
  url: string,
  recording: Recording | undefined,
  failure: Partial<ErrorInfo>,
  hasAnswered = false,
): ProviderError =>
  classifyError({
    url,
    isBrowser: settings.isBrowser,
    secrets: secretsOf(settings.apiKey),
    hasAnswered,
    ...(settings.pageOrigin && { pageOrigin: settings.pageOrigin }),
    ...(recording?.last().headers && { headers: recording.last().headers }),
    ...failure,
  });

type Ended =
  | { readonly read: ReadResult; readonly failure?: undefined }
  | {
      readonly read: ReadResult;
      readonly failure: Partial<ErrorInfo>;
      readonly isEarly: boolean;
      readonly said: string;
    };

const once = async (plan: CallPlan, attempt: Attempt, recording: Recording, options: CallOptions): Promise<Ended> => {
  const reader = readerFor(plan.wire);
  const take = (event: unknown): void => {
    for (const told of reader.push(event)) options.onEvent?.(told);
  };
  let isEarly = true;
  try {
    const reply = await plan.send(attempt);
    isEarly = false;
    if (isStream(reply)) for await (const event of reply) take(event);
    else for (const event of eventsOf(plan.wire, reply)) take(event);
  } catch (thrown) {
    const said = JSON.stringify(field(thrown, 'error') ?? messageOf(thrown) ?? '');
    return { read: reader.finish(), failure: failureOf(thrown, recording, options.signal), isEarly, said };
  }
  const read = reader.finish();
  // The SDKs end a stream quietly when it is stopped.
  const failure = options.signal?.aborted ? { cause: 'cancelled' as const } : faultOf(read);
  return failure ? { read, failure, isEarly, said: '' } : { read };
};

const factsOf = (read: ReadResult) => ({
  content: read.content,
  ...(read.responseId !== undefined && { responseId: read.responseId }),
  ...(read.model !== undefined && { model: read.model }),
  ...(read.upstream !== undefined && { upstream: read.upstream }),
  ...(read.diagnosis && { diagnosis: read.diagnosis }),
});

/** Events without the key. What is sent is reported as it is. */
const quiet = ({ onEvent, ...options }: CallOptions, secrets: readonly string[]): CallOptions => ({
  ...options,
  ...(onEvent && { onEvent: (event) => onEvent(event.type === 'attempt' ? event : withoutKeys(event, secrets)) }),
});

export const runCall = async (plan: CallPlan, options: CallOptions): Promise<CallResult> => {
  const secrets = secretsOf(plan.settings.apiKey);
  return withoutKeys(await attemptAll(plan, quiet(options, secrets)), secrets);
};

const attemptAll = async (plan: CallPlan, options: CallOptions): Promise<CallResult> => {
  const { settings, url } = plan;
  const { now, sleep = delay, random = Math.random, log = silentLog } = settings;
  const startedAt = now();
  const { recording, timeoutMs } = recordingFor(settings, options.onEvent);
  let keyHeader = plan.keyHeader.first();
  let retries = 0;
  let isSimpler = false;
  for (;;) {
    const attempt: Attempt = { fetch: recording.fetch, signal: options.signal, timeoutMs, keyHeader };
    const ended = await once(plan, attempt, recording, options);
    const last = recording.last();
    if (last.status !== undefined) plan.keyHeader.answered(keyHeader);
    const requestId = last.headers?.get('request-id') ?? last.headers?.get('x-request-id');
    const facts = {
      attempts: Math.max(1, recording.attempts()),
      startedAt,
      ...(last.firstByteAt !== undefined && { firstByteAt: last.firstByteAt }),
      endedAt: now(),
      ...(requestId !== undefined && { requestId }),
      ...factsOf(ended.read),
    };
    if (!ended.failure) {
      const { usage, stopReason = 'other' } = ended.read;
      return { ...facts, ok: true, stopReason, ...(usage && { usage }) };
    }
    const error = errorFor(settings, url, recording, ended.failure, plan.hasAnswered());
    const failed = (retryInMs?: number): void =>
      options.onEvent?.({
        type: 'attempt_failed',
        attempt: facts.attempts,
        error,
        ...(retryInMs !== undefined && { retryInMs }),
      });
    const isUnanswered = ended.isEarly && ended.failure.cause === 'connection';
    const instead = isUnanswered ? plan.keyHeader.instead(keyHeader) : undefined;
    if (instead) {
      failed(0);
      keyHeader = instead;
      continue;
    }
    const left = ended.isEarly && last.status === UNPROCESSABLE && !isSimpler ? plan.simplify(ended.said) : [];
    if (left.length > 0) {
      isSimpler = true;
      failed(0);
      const text = `${new URL(url).host} refuses ${left.join(', ')}; requests to it go without from now on.`;
      log({ level: 'info', code: 'provider.field_refused', text });
      continue;
    }
    const mayRetry = ended.isEarly && retries < (settings.maxRetries ?? DEFAULT_RETRIES);
    const wait = mayRetry ? retryDelay(error, last.headers, retries + 1, now(), random()) : undefined;
    failed(wait);
    if (wait === undefined) {
      const { usage } = ended.read;
      const asked = error.retryable ? askedWait(last.headers, now()) : undefined;
      const told = asked === undefined ? error : { ...error, retryAfterMs: asked };
      return { ...facts, ok: false, error: told, ...(usage && { usage: { ...usage, partial: true } }) };
    }
    retries += 1;
    log({ level: 'info', code: 'provider.retry', text: `${error.message} Attempt ${facts.attempts + 1} follows.` });
    await sleep(wait, options.signal);
    if (options.signal?.aborted) {
      // The attempt that failed has been reported; there was no other.
      const stopped = errorFor(settings, url, recording, { cause: 'cancelled' });
      return { ...facts, endedAt: now(), ok: false, error: stopped };
    }
  }
};
