/** The built page alone, for `lathe open`. SPEC.md PG. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whyRefused } from './node-loopback.ts';
import { createPageFiles } from './node-page-files.ts';

export interface PageServerOptions {
  /** The built page. */
  readonly folder: string;
  /** 0: any free one. */
  readonly port: number;
  /** An address that other machines reach. Absent: this machine alone. */
  readonly host?: string;
}

export interface PageServer {
  readonly port: number;
  readonly url: string;
  readonly close: () => Promise<void>;
}

const refuse = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
};

/** The name in the URL. A server on every address is reached at localhost: browsers refuse 0.0.0.0, or give it no storage. */
const nameOf = (host: string | undefined): string => {
  if (host === undefined || host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

export const startPageServer = async ({ folder, port, host }: PageServerOptions): Promise<PageServer> => {
  const files = createPageFiles({ folder });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // Anyone who opens it to other machines has to accept other names.
    const why = host === undefined ? whyRefused(request) : undefined;
    if (why !== undefined) return refuse(response, 403, why);
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, 'Only GET and HEAD.');
    if (!(await files(request, response))) refuse(response, 404, 'Not found.');
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host ?? '127.0.0.1', resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    port: actual,
    // Browsers keep data by this name: one name, so that it is always found again.
    url: `http://${nameOf(host)}:${actual}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** Whether a page of ours answers there. */
export const isOwnPage = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    return /<title>[^<]*Lathe/.test(await response.text());
  } catch {
    return false;
  }
};
