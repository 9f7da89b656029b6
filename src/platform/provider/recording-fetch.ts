/** A `fetch` that tells what goes out and what comes in, byte for byte, and never a header of the request. */
import { redact } from '../../model/provider/keys.ts';
import type { CallEvent } from '../../model/provider/types.ts';
import type { HostLog } from './host-log.ts';

export type Fetch = typeof globalThis.fetch;

export interface RecordingOptions {
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly onEvent?: (event: CallEvent) => void;
  readonly hosts?: HostLog;
  /** Removed from everything that is told. */
  readonly secrets: readonly string[];
  /** Until the first byte of the response's head. */
  readonly timeoutMs: number;
  /** Between two chunks. */
  readonly idleMs: number;
}

export interface Recording {
  readonly fetch: Fetch;
  readonly attempts: () => number;
  /** Of the last attempt. */
  readonly last: () => AttemptState;
}

export interface AttemptState {
  readonly firstByteAt?: number;
  readonly status?: number;
  /** Of the response, names in lower case. */
  readonly headers?: ReadonlyMap<string, string>;
  readonly timedOut?: 'timeout' | 'idle';
}

type MutableState = { -readonly [Key in keyof AttemptState]: AttemptState[Key] };

const SEEN_HEADERS = new Set([
  'request-id',
  'x-request-id',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'content-type',
  'anthropic-workspace-id',
]);

const encoder = new TextEncoder();

/** Query and credentials of a URL are nobody's business. */
const plainUrl = (url: URL): string => `${url.origin}${url.pathname}`;

const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((clean, secret) => clean.replaceAll(secret, '[key]'), text);

/** How many characters at the end of a text may be the start of a secret. */
const secretStart = (text: string, secrets: readonly string[]): number => {
  for (const secret of secrets) {
    for (let length = Math.min(secret.length - 1, text.length); length > 0; length--) {
      if (text.endsWith(secret.slice(0, length))) return length;
    }
  }
  return 0;
};

/** The promise, or a rejection after `ms` or as soon as the signal says so, whatever the promise does. */
const guarded = <T>(promise: Promise<T>, signal: AbortSignal | null | undefined, ms: number, onTime: () => void) =>
  new Promise<T>((resolve, reject) => {
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const onAbort = () => {
      finish();
      reject(new DOMException('The call was stopped.', 'AbortError'));
    };
    const timer = setTimeout(() => {
      finish();
      onTime();
      reject(new Error('No byte came in time.'));
    }, ms);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(finish);
  });

export const createRecordingFetch = (options: RecordingOptions): Recording => {
  const { now, hosts, secrets } = options;
  let attempts = 0;
  let state: MutableState = {};
  const tell = (event: CallEvent): void => options.onEvent?.(event);

  const bodyOf = (
    response: Response,
    own: MutableState,
    host: string,
    signal: AbortSignal | null | undefined,
    gate: AbortController,
  ) => {
    const reader = response.body?.getReader();
    if (!reader) return null;
    const decoder = new TextDecoder();
    let held = '';
    /** Text that is ready: without keys, and without an end that may be the start of one. */
    const release = (more: string, isLast: boolean): string => {
      held = withoutSecrets(held + more, secrets);
      const back = isLast ? 0 : secretStart(held, secrets);
      const ready = held.slice(0, held.length - back);
      held = held.slice(held.length - back);
      if (ready !== '') tell({ type: 'chunk', text: ready, at: now() });
      return ready;
    };
    const next = async (): Promise<{ readonly text: string; readonly isDone: boolean }> => {
      for (;;) {
        const { done, value } = await guarded(reader.read(), signal, options.idleMs, () => {
          own.timedOut = 'idle';
          gate.abort();
        });
        if (done) return { text: release(decoder.decode(), true), isDone: true };
        hosts?.add(host, now(), { receivedBytes: value.byteLength });
        const text = release(decoder.decode(value, { stream: true }), false);
        if (text !== '') return { text, isDone: false };
      }
    };
    const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
      pull: async (controller) => {
        try {
          const { text, isDone } = await next();
          if (text !== '') controller.enqueue(encoder.encode(text));
          if (isDone) controller.close();
        } catch (error) {
          release(decoder.decode(), true);
          // The source may never settle; nobody waits for it.
          void reader.cancel(error).catch(() => undefined);
          controller.error(error);
        }
      },
      cancel: (reason) => {
        void reader.cancel(reason).catch(() => undefined);
      },
    };
    // Nothing is read ahead: a stream that fails forgets what nobody has taken yet.
    return new ReadableStream(source, { highWaterMark: 0 });
  };

  const fetch: Fetch = async (input, init) => {
    const own: MutableState = {};
    state = own;
    attempts += 1;
    const url = new URL(input instanceof Request ? input.url : input);
    const body = typeof init?.body === 'string' ? init.body : '';
    const at = now();
    tell({ type: 'attempt', attempt: attempts, url: redact(plainUrl(url), secrets), body, at });
    hosts?.add(url.host, at, { requests: 1, sentBytes: encoder.encode(body).byteLength });
    // The SDK's signal, and ours for a response that takes too long.
    const gate = new AbortController();
    const signal = init?.signal ? AbortSignal.any([init.signal, gate.signal]) : gate.signal;
    const response = await guarded(options.fetch(input, { ...init, signal }), init?.signal, options.timeoutMs, () => {
      own.timedOut = 'timeout';
      gate.abort();
    });
    own.firstByteAt = now();
    own.status = response.status;
    own.headers = new Map([...response.headers].filter(([name]) => SEEN_HEADERS.has(name)));
    const requestId = own.headers.get('request-id') ?? own.headers.get('x-request-id');
    tell({
      type: 'headers',
      status: response.status,
      ...(requestId !== undefined && { requestId }),
      at: own.firstByteAt,
    });
    const stream = bodyOf(response, own, url.host, init?.signal, gate);
    return new Response(stream, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };

  return { fetch, attempts: () => attempts, last: () => state };
};
