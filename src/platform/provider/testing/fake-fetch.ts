import type { Json } from '../../../base/json.ts';
import type { Fetch } from '../recording-fetch.ts';
import type { ClientSettings } from '../run-call.ts';

export interface SeenRequest {
  readonly url: string;
  readonly body: string;
  readonly headers: Headers;
  readonly init: RequestInit;
}

/** `hang` never answers; `down` fails as a browser does; a function gets the request. */
export type Answer = Response | 'hang' | 'down' | ((seen: SeenRequest) => Response | Promise<Response>);

export interface FakeFetch {
  readonly fetch: Fetch;
  readonly seen: readonly SeenRequest[];
}

/** Answers in turn; the last one stays. */
export const fakeFetch = (...answers: readonly Answer[]): FakeFetch => {
  const seen: SeenRequest[] = [];
  const fetch: Fetch = async (input, init = {}) => {
    const body = typeof init.body === 'string' ? init.body : '';
    const request = {
      url: input instanceof Request ? input.url : String(input),
      body,
      headers: new Headers(init.headers),
      init,
    };
    seen.push(request);
    const answer = answers[Math.min(seen.length, answers.length) - 1];
    if (answer === 'down' || answer === undefined) throw new TypeError('Failed to fetch');
    if (answer === 'hang') return new Promise<Response>(() => {});
    return typeof answer === 'function' ? answer(request) : answer.clone();
  };
  return { fetch, seen };
};

const encoder = new TextEncoder();

/** In pieces of `size` bytes, so that lines and characters are cut anywhere. */
export const sse =
  (text: string, size = 37, headers: Record<string, string> = {}) =>
  (): Response => {
    const bytes = encoder.encode(text);
    let at = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(at, at + size));
        at += size;
      },
    });
    return new Response(stream, {
      headers: { 'content-type': 'text/event-stream', 'request-id': 'req_1', ...headers },
    });
  };

/** Sends this and then nothing more, nor an end; tells when it is given up. */
export const endless =
  (text: string, onCancel: () => void = () => {}) =>
  (): Response =>
    new Response(
      new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(encoder.encode(text)),
        cancel: onCancel,
      }),
      { headers: { 'content-type': 'text/event-stream' } },
    );

/** Sends this, and then the connection breaks. */
export const broken = (text: string) => (): Response => {
  let isSent = false;
  return new Response(
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (isSent) return controller.error(new TypeError('terminated'));
        isSent = true;
        controller.enqueue(encoder.encode(text));
      },
    }),
    { headers: { 'content-type': 'text/event-stream' } },
  );
};

export const json = (value: Json, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json', ...headers } });

export const refusal = (
  status: number,
  type: string,
  message: string,
  headers: Record<string, string> = {},
): Response =>
  json({ type: 'error', error: { type, message }, request_id: 'req_9' }, status, { 'request-id': 'req_9', ...headers });

export const KEY = 'sk-ant-api03-SECRETsecret0123456789';

/** Settings of a client in a terminal that does not really wait. */
export const settings = (fetch: Fetch, more: Partial<ClientSettings> = {}): ClientSettings => {
  let now = 1000;
  return {
    apiKey: KEY,
    fetch,
    now: () => now++,
    isBrowser: false,
    sleep: () => Promise.resolve(),
    random: () => 0,
    ...more,
  };
};
