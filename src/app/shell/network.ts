/** Which hosts the page has talked to. The page's own files do not count: they are the page. */

import type { HostLog } from '../../platform/provider/host-log.ts';

export interface HostTraffic {
  readonly host: string;
  readonly requests: number;
  /** Bodies only, in bytes. */
  readonly sent: number;
  readonly received: number;
}

export interface NetworkFacts {
  /** The same array until something changes. */
  readonly hosts: () => readonly HostTraffic[];
  readonly subscribe: (listener: () => void) => () => void;
}

/** What the clients of providers have counted. */
export const createNetwork = (log: Pick<HostLog, 'entries' | 'subscribe'>): NetworkFacts => {
  let seen = log.entries();
  let hosts: readonly HostTraffic[] = [];
  const look = (): readonly HostTraffic[] => {
    const entries = log.entries();
    if (entries !== seen) {
      seen = entries;
      hosts = entries.map(({ host, requests, sentBytes, receivedBytes }) => ({
        host,
        requests,
        sent: sentBytes,
        received: receivedBytes,
      }));
    }
    return hosts;
  };
  return { hosts: look, subscribe: log.subscribe };
};

export const bytesText = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
};

export const networkText = (hosts: readonly HostTraffic[]): string => {
  const [first, ...others] = hosts;
  if (!first) return 'No network use so far';
  const sum = (part: 'sent' | 'received'): string => bytesText(hosts.reduce((total, host) => total + host[part], 0));
  const where = others.length === 0 ? first.host : `${hosts.length} hosts`;
  return `Network: ${where}, ${sum('sent')} sent, ${sum('received')} received`;
};
