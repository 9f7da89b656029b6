/**
 * Who may talk to a server of ours on this machine. A page from outside can send requests here, and by a name that it makes point
 * here (DNS rebinding) it could read the answers: so the name is checked, and the page that asks. SPEC.md LO.
 */
import type { IncomingMessage } from 'node:http';

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const nameOf = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();

/** Whether an address is on this machine, by its own spelling. */
const isLoopbackOrigin = (origin: string): boolean => {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && LOOPBACK_NAMES.has(hostname);
};

/** Every name that a request gives this server: a target can be a whole address, and Node takes the first of two hosts. */
const namesOf = ({ headersDistinct, url = '' }: IncomingMessage): readonly string[] => {
  const address = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  return [...(headersDistinct['host'] ?? ['']), ...(address === undefined ? [] : [address])];
};

/**
 * Why a request is refused, with what to do; nothing if it may pass. `origins`: pages that were named, beside those of this machine;
 * absent where none can be named.
 */
export const whyRefused = (request: IncomingMessage, origins?: readonly string[]): string | undefined => {
  const foreign = namesOf(request).find((name) => !LOOPBACK_NAMES.has(nameOf(name)));
  if (foreign !== undefined)
    return `This server answers only at localhost, 127.0.0.1 and [::1], not at ${JSON.stringify(foreign)}.`;
  const { origin } = request.headers;
  if (origin === undefined || isLoopbackOrigin(origin) || origins?.includes(origin) === true) return undefined;
  const why = `Pages from ${JSON.stringify(origin)} may not use this server.`;
  return origins ? `${why} Start it with --origin ${origin} to allow them.` : why;
};

/** Nothing where no page asks: programs that are not browsers need none. */
export const corsHeaders = (request: IncomingMessage): Readonly<Record<string, string>> => {
  const { origin } = request.headers;
  if (origin === undefined) return {};
  return {
    'access-control-allow-origin': origin,
    vary: 'origin',
    'access-control-expose-headers': '*',
    ...(request.method === 'OPTIONS' && {
      'access-control-allow-methods': 'GET, POST, OPTIONS',
      // A star would not cover `authorization`.
      'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
      'access-control-max-age': '7200',
      ...(request.headers['access-control-request-private-network'] === 'true' && {
        'access-control-allow-private-network': 'true',
      }),
    }),
  };
};
