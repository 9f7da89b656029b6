/** The simulator over HTTP, for everything that speaks to a provider. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage, isAbort } from '../../base/errors.ts';
import { isBatchPath } from '../../model/simulator/batch/batches.ts';
import { plainPath } from '../../model/simulator/endpoints.ts';
import type { SimRequest, Simulator } from '../../model/simulator/types.ts';
import { corsHeaders, whyRefused } from '../http/node-loopback.ts';

export interface SimServerOptions {
  readonly simulator: Simulator;
  /** 0: any free one. */
  readonly port: number;
  /** As for the simulated fetch. */
  readonly speed?: number;
  /** Pages that may ask, beside those of this machine. */
  readonly origins?: readonly string[];
  readonly host?: string;
}

export interface SimServer {
  readonly port: number;
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** A request larger than this is refused, as the providers do; batches and their files may be larger. */
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_BATCH_BYTES = 256 * 1024 * 1024;

/** Undefined: it was too large. */
const readBody = async (request: IncomingMessage): Promise<string | undefined> => {
  const most = isBatchPath(plainPath(request.url ?? '')) ? MOST_BATCH_BYTES : MOST_BYTES;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Uint8Array>) {
    bytes += part.byteLength;
    if (bytes <= most) parts.push(part);
  }
  return bytes > most ? undefined : Buffer.concat(parts).toString('utf8');
};

const tooLarge = JSON.stringify({
  type: 'error',
  error: { type: 'request_too_large', message: 'Request exceeds the maximum size' },
});

const toSimRequest = (request: IncomingMessage, body: string): SimRequest => ({
  method: request.method ?? 'GET',
  path: request.url ?? '/',
  headers: Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  ),
  body,
  origin: `http://${request.headers.host ?? 'localhost'}`,
});

const serve = async (
  { simulator, speed = 1, origins = [] }: SimServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const refused = whyRefused(request, origins);
  if (refused !== undefined) {
    const error = { type: 'error', error: { type: 'permission_error', message: refused } };
    response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify(error));
    return;
  }
  const cors = corsHeaders(request);
  if (request.method === 'OPTIONS') {
    response.writeHead(204, cors).end();
    return;
  }
  const body = await readBody(request);
  if (body === undefined) {
    response.writeHead(413, { ...cors, 'content-type': 'application/json' }).end(tooLarge);
    return;
  }
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const answer = await simulator.handle(toSimRequest(request, body));
  const pause = async (ms: number): Promise<void> => {
    if (speed > 0 && ms > 0) await sleep(ms / speed, undefined, { signal: gone.signal });
  };
  for (const [index, chunk] of answer.chunks.entries()) {
    await pause(chunk.afterMs);
    if (gone.signal.aborted) return;
    if (index === 0) {
      response.writeHead(answer.status, { ...cors, ...answer.headers });
      answer.begun();
    }
    response.write(chunk.text);
  }
  if (answer.end === 'hang') return;
  if (answer.end === 'close') {
    response.end();
    return;
  }
  // What was written must leave before the connection breaks.
  await new Promise<void>((resolve) => void response.write('', () => resolve()));
  response.destroy();
};

export const startSimServer = async (options: SimServerOptions): Promise<SimServer> => {
  const { host = '127.0.0.1' } = options;
  // As providers do: after Node's five seconds, a client that pauses would write to a connection that is just being closed.
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    serve(options, request, response).catch((error: unknown) => {
      // A client that went away is not a fault.
      if (response.destroyed || response.writableEnded || isAbort(error)) return;
      const text = errorMessage(error);
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ type: 'error', error: { type: 'api_error', message: `simulator: ${text}` } }));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
