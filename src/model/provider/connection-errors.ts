/** A browser says only that a call failed. What is likely to be the reason follows from the two addresses. */
import type { ProviderError } from './types.ts';

export interface Surroundings {
  readonly url: string;
  readonly isBrowser: boolean;
  readonly pageOrigin?: { readonly protocol: string; readonly host: string };
  /** This host has answered before, so it is not a matter of permission. */
  readonly hasAnswered?: boolean;
}

interface Address {
  readonly protocol: string;
  readonly host: string;
  readonly name: string;
  readonly port: string;
}

const ADDRESS = /^([a-z][a-z0-9+.-]*:)\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^:/?#]*)(?::(\d+))?/i;

const addressOf = (url: string): Address => {
  const [, protocol = '', name = '', port = ''] = ADDRESS.exec(url) ?? [];
  const host = name + (port === '' ? '' : `:${port}`);
  return { protocol: protocol.toLowerCase(), host: host.toLowerCase(), name: name.toLowerCase(), port };
};

/** Host and port, for a person. */
/** No such host exists; who reads an error knows it by its name. */
const SIMULATOR_HOST = 'simulator.invalid';

export const hostOf = (url: string): string => {
  const { host } = addressOf(url);
  if (host === SIMULATOR_HOST) return 'the simulator';
  return host || 'the provider';
};

const nameOf = (host: string): string => host.replace(/:\d+$/, '');

export const isLoopback = (host: string): boolean =>
  /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(nameOf(host));

const isPrivate = (host: string): boolean =>
  /^(?:10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|169\.254(?:\.\d+){2}|\[f[cd].*\]|\[fe80.*\]|[^.]+\.local|[^.[\]]+)$/.test(
    nameOf(host),
  ) && !isLoopback(host);

/** A host of this computer or of the network around it: not one that a server elsewhere may make Lathe ask. */
export const isInsideHost = (host: string): boolean =>
  isLoopback(host) || isPrivate(host) || /^(?:0(?:\.\d+){3}|\[::\]|\[::ffff:.*\])$/.test(nameOf(host));

/** What the browser has to be told about an address so that it asks the person instead of refusing. */
export const addressSpace = ({ url, isBrowser, pageOrigin }: Surroundings): 'loopback' | 'local' | undefined => {
  const { host } = addressOf(url);
  if (!isBrowser || pageOrigin?.protocol !== 'https:' || isLoopback(pageOrigin.host)) return undefined;
  if (isLoopback(host)) return 'loopback';
  return isPrivate(host) ? 'local' : undefined;
};

interface LocalServer {
  readonly name: string;
  /** How to start it. */
  readonly start: string;
  /** How to let this page in. */
  readonly allow: string;
}

const originOf = ({ pageOrigin }: Surroundings): string =>
  pageOrigin ? `${pageOrigin.protocol}//${pageOrigin.host}` : '*';

/** The usual ports. */
export const localServer = (around: Surroundings): LocalServer => {
  const { port, host } = addressOf(around.url);
  const origin = originOf(around);
  switch (port) {
    case '11434':
      return {
        name: 'Ollama',
        start: 'Start it with `ollama serve`.',
        allow: `Stop Ollama and start it with OLLAMA_ORIGINS="${origin}" ollama serve.`,
      };
    case '1234':
      return {
        name: 'LM Studio',
        start: 'Start it with `lms server start --cors`.',
        allow: 'Start its server with `lms server start --cors`, or turn on "Enable CORS" in its settings.',
      };
    case '8080':
      return {
        name: 'llama.cpp',
        start: 'Start it with `llama-server -m MODEL --port 8080`.',
        allow:
          'llama-server allows every page by default. Check that it runs on this port, and that no proxy is in front of it.',
      };
    case '8000':
      return {
        name: 'vLLM',
        start: 'Start it with `vllm serve MODEL`.',
        allow: `Start it with \`vllm serve MODEL --allowed-origins '["${origin}"]'\`.`,
      };
    default:
      return {
        name: `The server at ${host}`,
        start: 'Start it, and check the port.',
        allow: `Make it send the header Access-Control-Allow-Origin: ${origin}.`,
      };
  }
};

type Verdict = Pick<ProviderError, 'class' | 'code' | 'message' | 'nextStep' | 'retryable'>;

const network = (code: string, message: string, nextStep: string, retryable = false): Verdict => ({
  class: 'network',
  code,
  message,
  nextStep,
  retryable,
});

const fromTerminal = (around: Surroundings): Verdict => {
  const { host } = addressOf(around.url);
  if (!isLoopback(host)) {
    return network(
      'connection_failed',
      `Can’t reach ${host}.`,
      'Check the network, the proxy, and the base URL.',
      true,
    );
  }
  const server = localServer(around);
  return network('local_not_running', `Nothing responds at ${host}.`, `${server.name} isn’t running. ${server.start}`);
};

const fromPage = (around: Surroundings): Verdict => {
  const { protocol, host, name } = addressOf(around.url);
  // The page's own policy lets plain http through to these two names only.
  const isOpenHttp = name === 'localhost' || name === '127.0.0.1';
  if (protocol === 'http:' && !isOpenHttp) {
    return network(
      'mixed_content',
      `The app can’t connect to http://${host}: browsers allow plain http only for localhost and 127.0.0.1.`,
      isLoopback(host)
        ? 'Write 127.0.0.1 in the base URL.'
        : 'Serve it over https, forward its port to localhost, or use the CLI.',
    );
  }
  const space = addressSpace(around);
  if (space) {
    const server = localServer(around);
    return network(
      'local_network_permission',
      `The browser didn’t let the app connect to ${host}, or the server isn’t running.`,
      `Allow this page to access the local network (the icon next to the address). Then: ${server.start} ${server.allow}`,
    );
  }
  if (isLoopback(host)) {
    const server = localServer(around);
    return network(
      'local_no_cors',
      `${host} doesn’t respond. The server isn’t running, or it blocks browser requests (CORS).`,
      `${server.start} ${server.allow}`,
    );
  }
  return network(
    'cors',
    `${host} didn’t respond. It probably blocks browser requests (CORS), or it may be offline.`,
    `Use a local proxy: run \`lathe capture --target ${protocol}//${host}\` and enter its address as the base URL. The CLI (\`lathe session\`) and OpenRouter work too. Some hosts also do this for a wrong key.`,
  );
};

export const connectionError = (around: Surroundings): Verdict => {
  const { host } = addressOf(around.url);
  if (around.hasAnswered) {
    return network('connection_lost', `The connection to ${host} failed.`, 'Check the network and try again.', true);
  }
  return around.isBrowser ? fromPage(around) : fromTerminal(around);
};
