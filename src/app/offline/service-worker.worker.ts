/**
 * Keeps the page usable without a network, and hands out one version at a time.
 *
 * A version is all files of one build. Installing it fetches the core files into a cache of its own; if one of them fails,
 * nothing is installed. A page that is open continues with the version that it was loaded with. A new version waits until
 * the page says `take-over` (because the user pressed Reload) or until no page is open.
 * `fetch-rest` asks for the large files, when the page is idle.
 *
 * Only GET requests for files of the build are answered here. Requests to providers never come near the cache.
 */
import { addressOf, type BuildFiles, cacheName, fileFor, staleCaches } from './cache-plan.ts';

declare const self: ServiceWorkerGlobalScope;
/** The build replaces this name by the list of its files. */
declare const LATHE_FILES: BuildFiles;

const files = LATHE_FILES;
const scope = new URL(self.registration.scope);
const known = new Set([...files.core, ...files.rest, ...files.onDemand]);
const current = cacheName(scope.href, files.version);

/** Hashed names never change their content; others are asked for again, past the browser's own cache. */
const fetchFile = async (file: string): Promise<Response> => {
  const isHashed = file.startsWith('assets/');
  const response = await fetch(addressOf(file, scope), { cache: isHashed ? 'default' : 'reload' });
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  return response;
};

const keep = async (file: string): Promise<Response> => {
  const response = await fetchFile(file);
  const cache = await caches.open(current);
  await cache.put(addressOf(file, scope), response.clone());
  return response;
};

/** Takes a file with a hashed name from an older version instead of the network. */
const keepFromAny = async (file: string): Promise<void> => {
  const address = addressOf(file, scope);
  const older = file.startsWith('assets/') ? await caches.match(address) : undefined;
  if (older) await (await caches.open(current)).put(address, older);
  else await keep(file);
};

const answer = async (file: string): Promise<Response> => {
  const address = addressOf(file, scope);
  const own = await caches.match(address, { cacheName: current });
  if (own) return own;
  try {
    return await keep(file);
  } catch (thrown) {
    // A page of the version before may ask for a file of its own.
    const older = await caches.match(address);
    if (older) return older;
    throw thrown;
  }
};

self.addEventListener('install', (event) => {
  event.waitUntil(Promise.all(files.core.map(keepFromAny)));
});

self.addEventListener('activate', (event) => {
  const clean = async (): Promise<void> => {
    const stale = staleCaches(await caches.keys(), scope.href, files.version);
    await Promise.all(stale.map((name) => caches.delete(name)));
    // The page that was loaded first, without a service worker, finds the rest of its files here too.
    await self.clients.claim();
  };
  event.waitUntil(clean());
});

self.addEventListener('fetch', (event) => {
  const file = fileFor(event.request, scope, known);
  if (file !== undefined) event.respondWith(answer(file));
});

self.addEventListener('message', (event) => {
  if (event.data === 'take-over') event.waitUntil(self.skipWaiting());
  if (event.data === 'fetch-rest') {
    const fetchRest = async (): Promise<void> => {
      const cache = await caches.open(current);
      for (const file of files.rest) {
        if (!(await cache.match(addressOf(file, scope)))) await keepFromAny(file);
      }
    };
    // Without a network it is tried again at the next start.
    event.waitUntil(fetchRest().catch(() => undefined));
  }
});
