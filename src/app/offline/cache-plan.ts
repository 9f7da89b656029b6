/** What the service worker keeps and when it answers. Pure, so that it can be tested without a browser. */

/** Written into the service worker by the build. Addresses are relative to the page's folder. */
export interface BuildFiles {
  /** Changes when any file of the build changes. */
  readonly version: string;
  /** Kept when the version is installed. */
  readonly core: readonly string[];
  /** Large; kept later, when the page has nothing better to do, or at the first use. */
  readonly rest: readonly string[];
  /** Kept only when they are first used. */
  readonly onDemand: readonly string[];
}

const PAGE = 'index.html';

/** The scope ends with a slash, so that no path is the beginning of another's name. */
const prefixOf = (scope: string): string => `lathe ${scope} `;

export const cacheName = (scope: string, version: string): string => `${prefixOf(scope)}${version}`;

/** Names come in the order of their making. The current one and the newest other one stay. */
export const staleCaches = (names: readonly string[], scope: string, version: string): readonly string[] => {
  const current = cacheName(scope, version);
  return names.filter((name) => name.startsWith(prefixOf(scope)) && name !== current).slice(0, -1);
};

export interface AskedFor {
  readonly method: string;
  readonly url: string;
}

/** The file of the build that a request is for; undefined for everything that is not ours to answer. */
export const fileFor = ({ method, url }: AskedFor, scope: URL, files: ReadonlySet<string>): string | undefined => {
  if (method !== 'GET') return undefined;
  const { origin, pathname, search } = new URL(url);
  if (origin !== scope.origin || search !== '' || !pathname.startsWith(scope.pathname)) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(pathname.slice(scope.pathname.length));
  } catch {
    return undefined;
  }
  const file = path === '' ? PAGE : path;
  return files.has(file) ? file : undefined;
};

export const addressOf = (file: string, scope: URL): string =>
  new URL(file.split('/').map(encodeURIComponent).join('/'), scope).href;
