/**
 * `lathe capture`: a reverse proxy on this machine that records what an agent and its provider say to each other. Bytes pass
 * through untouched as they come; a copy is decoded and recorded when the request has ended. SPEC.md CP.
 */
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse, Agent } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { errorMessage } from '../../base/errors.ts';
import { captureLine, type CapturedExchange, isModelRequest } from '../../model/traffic/capture/capture-line.ts';
import { corsHeaders, whyRefused } from './node-loopback.ts';

export interface CaptureOptions {
  /** Where everything goes; nothing: to Anthropic or OpenAI, as the request says. */
  readonly target?: string;
  /** 0: any free one. */
  readonly port: number;
  readonly now: () => number;
  /** Gets a line for each request of a model. */
  readonly record: (line: string) => void;
  /** Pages that may ask, beside those of this machine. */
  readonly origins?: readonly string[];
  /** Answers what is not for the provider, such as the files of the page. True: it has. */
  readonly own?: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  readonly onRequest?: (told: {
    readonly method: string;
    readonly path: string;
    readonly status: number | undefined;
    readonly ms: number;
    readonly problem: string | undefined;
  }) => void;
}

export interface CaptureServer {
  readonly port: number;
  readonly url: string;
  /** Requests on their way are recorded as far as they came. */
  readonly close: () => Promise<void>;
}

export const DEFAULT_TARGETS = { anthropic: 'https://api.anthropic.com', openai: 'https://api.openai.com' } as const;

/** What is kept of one direction; the agent gets the rest all the same. */
const MOST_KEPT = 64 * 1024 * 1024;
const UNREADABLE =
  'not recorded, because its body is empty, larger than 64 MB, or packed in a way that can’t be read here';
/** Between one machine and the next, never passed on. `expect` is answered here. */
const HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'expect',
]);

const isHop = (name: string): boolean => HOP.has(name.toLowerCase());
const isCors = (name: string): boolean => name.toLowerCase().startsWith('access-control-');

/** Names and values in turn, as they came. */
const passed = (raw: readonly string[], drop: (name: string) => boolean): string[] => {
  const out: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2);
    if (!drop(name)) out.push(name, value);
  }
  return out;
};

/** Names and values in turn. */
const asReadable = (item: string, index: number, all: readonly string[]): string =>
  index % 2 === 1 && all[index - 1]?.toLowerCase() === 'accept-encoding' ? readableEncodings(item) : item;

const plainHeaders = (headers: IncomingMessage['headers']): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );

/** From Node 22.15 on. */
const unzstd = (zlib as { readonly zstdDecompressSync?: (bytes: Uint8Array) => Uint8Array }).zstdDecompressSync;

/** A stream that was cut gives what had come of it. Undefined: nobody here can read it. */
const decoded = (bytes: Uint8Array, encoding: string | undefined): string | undefined => {
  const flush = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
  try {
    switch ((encoding ?? 'identity').trim().toLowerCase()) {
      case '':
      case 'identity':
        return new TextDecoder().decode(bytes);
      case 'gzip':
      case 'x-gzip':
        return new TextDecoder().decode(zlib.gunzipSync(bytes, flush));
      case 'deflate':
        return new TextDecoder().decode(zlib.inflateSync(bytes, flush));
      case 'br':
        return new TextDecoder().decode(
          zlib.brotliDecompressSync(bytes, { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }),
        );
      case 'zstd':
        return unzstd && new TextDecoder().decode(unzstd(bytes));
      default:
        return undefined;
    }
  } catch {
    return undefined;
  }
};

/** What an agent would take, without what nobody here could read. */
const readableEncodings = (value: string): string =>
  unzstd
    ? value
    : value
        .split(',')
        .filter((one) => !/^\s*zstd\b/i.test(one))
        .join(',');

interface Kept {
  readonly add: (part: Uint8Array) => void;
  /** Undefined: there was too much. */
  readonly bytes: () => Uint8Array | undefined;
}

const createKept = (): Kept => {
  let parts: Uint8Array[] | undefined = [];
  let size = 0;
  return {
    add: (part) => {
      size += part.byteLength;
      if (size > MOST_KEPT) parts = undefined;
      else parts?.push(part);
    },
    bytes: () => parts && Buffer.concat(parts),
  };
};

const targetOf = ({ target }: CaptureOptions, request: IncomingMessage): URL => {
  const path = request.url ?? '/';
  const isAnthropic = request.headers['anthropic-version'] !== undefined || /^\/v1\/messages\b/.test(path);
  const base = new URL(target ?? (isAnthropic ? DEFAULT_TARGETS.anthropic : DEFAULT_TARGETS.openai));
  // As it stands: a URL that is written again could differ.
  return new URL(`${base.origin}${base.pathname.replace(/\/$/, '')}${path.startsWith('/') ? path : `/${path}`}`);
};

const errorBody = (message: string): string =>
  JSON.stringify({ type: 'error', error: { type: 'api_error', message: `lathe capture: ${message}` } });

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name is unknown',
  EAI_AGAIN: 'its name can’t be looked up now',
  ECONNRESET: 'the connection was reset',
  ETIMEDOUT: 'it doesn’t answer',
};

const causeOf = (thrown: unknown): string => {
  const { code } = thrown as NodeJS.ErrnoException;
  return (code !== undefined && CAUSES[code]) || errorMessage(thrown);
};

export const startCaptureServer = async (options: CaptureOptions): Promise<CaptureServer> => {
  const { now, record, origins = [], own, onRequest } = options;
  const agents = { 'http:': new Agent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) };
  const open = new Set<(cut: CapturedExchange['cut']) => void>();
  const waiting: (() => void)[] = [];
  const writeNext = (): void => waiting.shift()?.();
  const later = (write: () => void): void => {
    waiting.push(write);
    setImmediate(writeNext);
  };

  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const method = request.method ?? 'GET';
    const url = targetOf(options, request);
    const cors = corsHeaders(request);
    const startedAt = now();
    const isRecorded = isModelRequest(method, url.href);
    const sent = createKept();
    const got = createKept();
    let incoming: IncomingMessage | undefined;
    let firstByteAt: number | undefined;
    let isDone = false;

    const finish = (cut: CapturedExchange['cut'], problem?: string, ownStatus?: number): void => {
      if (isDone) return;
      isDone = true;
      open.delete(finish);
      const endedAt = now();
      const status = incoming?.statusCode ?? ownStatus;
      const told = { method, path: url.pathname, status, ms: endedAt - startedAt };
      if (!isRecorded) {
        onRequest?.({ ...told, problem });
        return;
      }
      // After the answer: anyone who asked does not wait for the recording.
      later(() => {
        const body = sent.bytes();
        const answer = got.bytes();
        const line = captureLine({
          method,
          url: url.href,
          requestHeaders: plainHeaders(request.headers),
          responseHeaders: plainHeaders(incoming?.headers ?? {}),
          body: body && decoded(body, request.headers['content-encoding']),
          answer: answer && decoded(answer, incoming?.headers['content-encoding']),
          status,
          startedAt,
          firstByteAt,
          endedAt,
          cut,
          problem,
        });
        onRequest?.({ ...told, problem: problem ?? (line === undefined ? UNREADABLE : undefined) });
        if (line !== undefined) record(line);
      });
    };
    open.add(finish);

    const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method,
      agent: agents[url.protocol === 'https:' ? 'https:' : 'http:'],
      headers: ['host', url.host, ...passed(request.rawHeaders, isHop).map(asReadable)],
    });
    const fail = (thrown: unknown): void => {
      if (isDone) return;
      if (response.headersSent) {
        finish('provider', `the connection to ${url.host} broke: ${causeOf(thrown)}`);
        response.destroy();
        return;
      }
      const text = `can’t reach ${url.host}: ${causeOf(thrown)}`;
      finish('provider', text, 502);
      response.writeHead(502, { ...cors, 'content-type': 'application/json' }).end(errorBody(text));
    };
    outgoing.on('error', fail);
    response.on('close', () => {
      if (response.writableFinished) return;
      finish('client');
      outgoing.destroy();
    });
    outgoing.on('response', (answer) => {
      incoming = answer;
      response.sendDate = false;
      const headers = passed(answer.rawHeaders, (name) => isHop(name) || isCors(name));
      for (const [name, value] of Object.entries(cors)) headers.push(name, value);
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, headers);
      response.flushHeaders();
      answer.on('data', (part: Uint8Array) => {
        firstByteAt ??= now();
        if (isRecorded) got.add(part);
      });
      answer.on('aborted', () => fail(new Error('it ended in the middle')));
      answer.on('end', () => finish(undefined));
      pipeline(answer, response).catch(fail);
    });
    if (isRecorded) request.on('data', (part: Uint8Array) => sent.add(part));
    await pipeline(request, outgoing);
  };

  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 65_000 }, (request, response) => {
    const refused = whyRefused(request, origins);
    if (refused !== undefined) {
      response.writeHead(403, { 'content-type': 'application/json' }).end(errorBody(refused));
      return;
    }
    if (request.method === 'OPTIONS' && request.headers.origin !== undefined) {
      response.writeHead(204, corsHeaders(request)).end();
      return;
    }
    const serve = async (): Promise<void> => {
      if (own && (await own(request, response))) return;
      await forward(request, response);
    };
    serve().catch((thrown: unknown) => {
      // An agent that went away is not a fault, and an upstream that broke was reported.
      if (!response.headersSent && !response.destroyed)
        response.writeHead(500, { 'content-type': 'application/json' }).end(errorBody(errorMessage(thrown)));
    });
  });
  server.on('upgrade', (request, socket) => {
    const text = errorBody(
      'WebSocket connections can’t be recorded. Your agent can use plain HTTP instead. Most fall back to it automatically.',
    );
    const status = whyRefused(request, origins) === undefined ? '426 Upgrade Required' : '403 Forbidden';
    socket.end(
      `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        for (const finish of open) finish('capture');
        while (waiting.length > 0) writeNext();
        server.close(() => resolve());
        server.closeAllConnections();
        for (const agent of Object.values(agents)) agent.destroy();
      }),
  };
};
