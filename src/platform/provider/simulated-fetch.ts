/** The simulator as a `fetch`, to be handed to an SDK. */
import type { SimChunk, SimRequest, SimResponse, Simulator } from '../../model/simulator/types.ts';

export interface SimulatedFetchOptions {
  /** Waits, and rejects with the signal's reason when it is aborted. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** 1: as fast as the simulator says; 2: twice as fast; 0: without waiting. */
  readonly speed?: number;
}

const reasonOf = (signal: AbortSignal | undefined): Error =>
  signal?.reason instanceof Error ? signal.reason : new DOMException('This operation was aborted', 'AbortError');

const sleepFor = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(reasonOf(signal));
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });

const never = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    const stop = (): void => reject(reasonOf(signal));
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });

const bodyText = async (request: Request): Promise<string> => (request.body === null ? '' : request.text());

/** Half of a pair has no bytes of its own: on the way it becomes another character. */
const HALF_PAIR = /[\uD800-\uDFFF]/u;

/** `text`: the body, where the caller gave it as text; a long one need not become bytes and text again. */
const readRequest = async (request: Request, text: string | undefined): Promise<SimRequest> => {
  const url = new URL(request.url);
  return {
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: Object.fromEntries([...request.headers].map(([name, value]) => [name.toLowerCase(), value])),
    body: text ?? (await bodyText(request)),
    origin: url.origin,
  };
};

interface Delivery {
  readonly response: SimResponse;
  readonly wait: (chunk: SimChunk) => Promise<void>;
  readonly signal: AbortSignal | undefined;
}

/** The first chunk has been waited for already. */
const streamOf = ({ response, wait, signal }: Delivery): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  let next = 0;
  return new ReadableStream({
    pull: async (controller) => {
      const chunk = response.chunks[next];
      if (!chunk) {
        if (response.end === 'hang') await never(signal);
        else if (response.end === 'cut') throw new TypeError('terminated');
        else controller.close();
        return;
      }
      if (next > 0) await wait(chunk);
      else if (signal?.aborted === true) throw reasonOf(signal);
      next++;
      controller.enqueue(encoder.encode(chunk.text));
    },
  });
};

export const createSimulatedFetch = (
  simulator: Simulator,
  { sleep = sleepFor, speed = 1 }: SimulatedFetchOptions = {},
): typeof fetch => {
  const pause = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
    if (signal?.aborted === true) throw reasonOf(signal);
    if (speed > 0 && ms > 0) await sleep(ms / speed, signal);
  };
  return async (input, init) => {
    const text = typeof init?.body === 'string' && !HALF_PAIR.test(init.body) ? init.body : undefined;
    const request = new Request(input, text === undefined ? init : { ...init, body: '' });
    // The signal of `init` itself: `Request` copies it, and a copy loses a reason that is no error.
    const signal = init?.signal ?? request.signal;
    if (signal.aborted) throw reasonOf(signal);
    const response = await simulator.handle(await readRequest(request, text));
    const [first] = response.chunks;
    if (!first && response.end === 'hang') return never(signal);
    await pause(first?.afterMs ?? 0, signal);
    response.begun();
    return new Response(streamOf({ response, wait: ({ afterMs }) => pause(afterMs, signal), signal }), {
      status: response.status,
      headers: { ...response.headers },
    });
  };
};
