/** The built page and a growing recording, from a server of ours. Only files that the build made are served. */
import { createReadStream, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAbort } from '../../base/errors.ts';
import { RECORDING_PATH } from '../../model/traffic/capture/agent-setup.ts';
import { corsHeaders } from './node-loopback.ts';
import type { RecordingFile } from './node-recording.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.md': 'text/markdown; charset=utf-8',
};

/** The page has its policy in its own text; who may frame it can only be said here. */
const PAGE_HEADERS = {
  'content-security-policy': "frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

const fileFor = (folder: string, pathname: string): string | undefined => {
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  // Names that begin with a dot are records of the build.
  if (path.includes('\0') || path.split(/[/\\]/).some((part) => part.startsWith('.'))) return undefined;
  const file = join(folder, normalize(path === '/' ? '/index.html' : path));
  try {
    return statSync(file).isFile() ? file : undefined;
  } catch {
    // Not there, too long for a name, or below a file.
    return undefined;
  }
};

/** As much as one answer gives, and how long one waits for more. */
const MOST_BYTES = 8 * 1024 * 1024;
const LONGEST_WAIT_MS = 20_000;
const STEP_MS = 200;

export interface PageFilesDeps {
  /** The built page. */
  readonly folder: string;
  /** Absent: there is only the page. */
  readonly recording?: Pick<RecordingFile, 'size' | 'read'>;
}

/** For `own` of a capture: true if the request was for the page. */
export const createPageFiles =
  ({ folder, recording }: PageFilesDeps) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const isHead = request.method === 'HEAD';
    if (request.method !== 'GET' && !isHead) return false;
    const target = request.url ?? '/';
    if (!URL.canParse(target, 'http://localhost')) return false;
    const url = new URL(target, 'http://localhost');
    if (recording && !isHead && url.pathname === `/${RECORDING_PATH}`) {
      const from = Number(url.searchParams.get('from') ?? 0);
      const start = Number.isSafeInteger(from) && from >= 0 ? from : 0;
      const gone = new AbortController();
      response.on('close', () => gone.abort());
      try {
        for (let waited = 0; recording.size() <= start && start > 0 && waited < LONGEST_WAIT_MS; waited += STEP_MS)
          await sleep(STEP_MS, undefined, { signal: gone.signal });
      } catch (thrown) {
        if (isAbort(thrown)) return true;
        throw thrown;
      }
      const bytes = await recording.read(start, MOST_BYTES);
      response
        .writeHead(200, {
          ...corsHeaders(request),
          'content-type': 'application/x-ndjson',
          'cache-control': 'no-store',
          'x-recording-size': String(recording.size()),
        })
        .end(bytes);
      return true;
    }
    const file = fileFor(folder, url.pathname);
    if (file === undefined) return false;
    response.writeHead(200, {
      ...PAGE_HEADERS,
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'cache-control': 'no-cache',
    });
    if (isHead) {
      response.end();
      return true;
    }
    createReadStream(file)
      .on('error', () => response.destroy())
      .pipe(response);
    return true;
  };
