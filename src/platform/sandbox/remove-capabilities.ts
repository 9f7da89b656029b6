/**
 * Takes away what foreign code must not have, from the global scope of its worker and from everything that the scope
 * inherits. The security policy of `sandbox.html` says the same; this holds where there is no policy, and reaches what a
 * policy does not know, such as the page's storage.
 */

/** Of the scope itself. */
const GLOBALS = [
  'fetch',
  'fetchLater',
  'XMLHttpRequest',
  'WebSocket',
  'WebSocketStream',
  'WebTransport',
  'EventSource',
  'importScripts',
  'Worker',
  'SharedWorker',
  'indexedDB',
  'webkitIndexedDB',
  'caches',
  'CacheStorage',
  'BroadcastChannel',
  'RTCPeerConnection',
  'cookieStore',
  'Notification',
  'localStorage',
  'sessionStorage',
  'webkitRequestFileSystem',
  'webkitRequestFileSystemSync',
  'FileSystemSyncAccessHandle',
  // Of Node.
  'process',
  'require',
  'module',
] as const;

/** Of its navigator. */
const NAVIGATOR = [
  'sendBeacon',
  'storage',
  'serviceWorker',
  'locks',
  'usb',
  'serial',
  'hid',
  'bluetooth',
  'gpu',
  'storageBuckets',
] as const;

type Scope = Record<string, unknown>;

const remove = (from: object, name: string): void => {
  for (let at: object | null = from; at !== null; at = Object.getPrototypeOf(at) as object | null)
    if (Object.hasOwn(at, name)) Reflect.deleteProperty(at, name);
  // What cannot be deleted is covered; what can be neither is a reason not to continue.
  if (!(name in from)) return;
  Object.defineProperty(from, name, { value: undefined, writable: false, configurable: false });
};

const refuse = function refused(): never {
  throw new Error('code cannot be made from text in the sandbox');
};

/** No text becomes code: `eval` and the constructors behind every function. */
const removeCodeMakers = (scope: object): void => {
  const kinds: readonly object[] = [
    () => {},
    async () => {},
    function* generator() {
      yield 0;
    },
    async function* generator() {
      yield 0;
    },
  ];
  for (const kind of kinds) {
    const prototype = Object.getPrototypeOf(kind) as object;
    Object.defineProperty(prototype, 'constructor', { value: refuse, writable: false, configurable: false });
  }
  for (const name of ['eval', 'Function'])
    Object.defineProperty(scope, name, { value: refuse, writable: false, configurable: false });
};

/** The names of the lists, from a scope and its navigator. */
export const removeNames = (scope: object): void => {
  const { navigator } = scope as Scope;
  if (typeof navigator === 'object' && navigator !== null) for (const name of NAVIGATOR) remove(navigator, name);
  for (const name of GLOBALS) remove(scope, name);
};

export const removeCapabilities = (): void => {
  removeNames(globalThis);
  removeCodeMakers(globalThis);
};

/** What is still there, for tests: names of the lists above that are not `undefined`. */
export const remainingCapabilities = (scope: object = globalThis): readonly string[] => {
  const all = scope as Scope;
  const navigator = (all['navigator'] ?? {}) as Scope;
  return [
    ...GLOBALS.filter((name) => all[name] !== undefined),
    ...NAVIGATOR.filter((name) => navigator[name] !== undefined).map((name) => `navigator.${name}`),
  ];
};
