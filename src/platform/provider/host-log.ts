/** Which hosts were talked to, and how much. Bytes are those of bodies. */

export interface HostTraffic {
  readonly host: string;
  readonly requests: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

export interface HostLog {
  readonly add: (
    host: string,
    at: number,
    more: { readonly requests?: number; readonly sentBytes?: number; readonly receivedBytes?: number },
  ) => void;
  /** In the order of first contact; a new array only after a change. */
  readonly entries: () => readonly HostTraffic[];
  readonly subscribe: (listener: () => void) => () => void;
}

export const createHostLog = (): HostLog => {
  const hosts = new Map<string, HostTraffic>();
  const listeners = new Set<() => void>();
  let snapshot: readonly HostTraffic[] | undefined;
  return {
    add: (host, at, { requests = 0, sentBytes = 0, receivedBytes = 0 }) => {
      const known = hosts.get(host);
      hosts.set(host, {
        host,
        requests: (known?.requests ?? 0) + requests,
        sentBytes: (known?.sentBytes ?? 0) + sentBytes,
        receivedBytes: (known?.receivedBytes ?? 0) + receivedBytes,
        firstAt: known?.firstAt ?? at,
        lastAt: at,
      });
      snapshot = undefined;
      for (const listener of listeners) listener();
    },
    entries: () => (snapshot ??= [...hosts.values()]),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
