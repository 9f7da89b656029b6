/** A `fetch` that tells what goes out and what comes in, byte for byte, and never a header of the request. */
import { createKeyFilter, redact } from '../../model/provider/keys.ts';
import type { CallEvent } from '../../model/provider/types.ts';
import type { HostLog } from './host-log.ts';

export type Fetch = typeof globalThis.fetch;

export interface RecordingOptions {
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly onEvent?: (event: CallEvent) => void;
  readonly hosts?: HostLog;
  /** Removed from everything that is reported; the bytes themselves go through as they came. */
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
    const filter = createKeyFilter(secrets);
    const tellText = (more: string, isLast: boolean): void => {
      const text = filter(more, isLast);
      if (text !== '') tell({ type: 'chunk', text, at: now() });
    };
    const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
      pull: async (controller) => {
        try {
          const { done, value } = await guarded(reader.read(), signal, options.idleMs, () => {
            own.timedOut = 'idle';
            gate.abort();
          });
          if (done) {
            tellText(decoder.decode(), true);
            controller.close();
            return;
          }
          hosts?.add(host, now(), { receivedBytes: value.byteLength });
          tellText(decoder.decode(value, { stream: true }), false);
          controller.enqueue(value);
        } catch (error) {
          tellText(decoder.decode(), true);
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
