/** A `fetch` whose traffic is shown with that of providers. The page's own files do not count. */
import type { HostLog } from '../provider/host-log.ts';

export interface CountedFetchDeps {
  readonly fetch: typeof fetch;
  readonly hosts: Pick<HostLog, 'add'>;
  readonly now: () => number;
  /** Of the page itself. */
  readonly ownHost: string;
}

export const createCountedFetch =
  ({ fetch: inner, hosts, now, ownHost }: CountedFetchDeps): typeof fetch =>
  async (input, init) => {
    const { host } = new URL(input instanceof Request ? input.url : input);
    if (host === ownHost) return inner(input, init);
    hosts.add(host, now(), { requests: 1 });
    const response = await inner(input, init);
    if (!response.body) return response;
    const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        hosts.add(host, now(), { receivedBytes: chunk.byteLength });
        controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
  };
