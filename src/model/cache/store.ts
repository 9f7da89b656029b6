/** What a provider keeps. Times in ms; nothing is thrown away early, because calls may come in any order. */
import type { WriteTtl } from '../provider/types.ts';
import type { CacheBlock, CacheEntry } from './types.ts';

const MINUTE = 60_000;

/** `unknown` is what providers keep without saying for how long; see `openai-prefix.ts`. */
export const LIFETIME_MS: Readonly<Record<WriteTtl, number>> = {
  '5m': 5 * MINUTE,
  '30m': 30 * MINUTE,
  '1h': 60 * MINUTE,
  '12h': 12 * 60 * MINUTE,
  unknown: 10 * MINUTE,
};

export interface PlannedWrite {
  /** Equal keys can be read for one another: scope, model, cache key and hash. */
  readonly key: string;
  readonly hash: string;
  readonly tokens: number;
  readonly label: string;
  readonly ttl: WriteTtl;
  readonly lifetime: number;
  /** Gone this long after it was written, however often it is read. */
  readonly maxAge?: number;
  /** For matching by prefix: what the whole prompt looked like. */
  readonly prompt?: StoredPrompt;
}

export interface StoredPrompt {
  readonly salt: string;
  readonly blocks: readonly CacheBlock[];
  readonly hashes: readonly string[];
}

export interface StoredEntry extends PlannedWrite {
  readonly id: number;
  readonly model: string;
  readonly scope: string;
  readonly writtenAt: number;
  /** `Infinity` until the response has begun. */
  visibleAt: number;
  lastUsedAt: number;
  reads: number;
  /** Reads by calls that have no response yet. */
  readonly openReads: Map<number, number>;
}

const expiryOf = (entry: StoredEntry): number => {
  const used = Math.max(entry.lastUsedAt, ...entry.openReads.values());
  return Math.min(used + entry.lifetime, entry.writtenAt + (entry.maxAge ?? Infinity));
};

const isReadable = (entry: StoredEntry, at: number): boolean => entry.visibleAt <= at && at <= expiryOf(entry);

/** `billed`: its tokens by the provider's own count, where that is known. */
export const publicEntry = (entry: StoredEntry, billed?: number): CacheEntry => ({
  id: entry.id,
  model: entry.model,
  scope: entry.scope,
  hash: entry.hash,
  tokens: billed ?? entry.tokens,
  label: entry.label,
  ttl: entry.ttl,
  writtenAt: entry.writtenAt,
  visibleAt: entry.visibleAt,
  expiresAt: expiryOf(entry),
  lastUsedAt: Math.max(entry.lastUsedAt, ...entry.openReads.values()),
  reads: entry.reads,
});

export interface StoreView {
  /** The readable entry of that key with the longest life. */
  readonly find: (key: string, at: number) => StoredEntry | undefined;
  readonly findAll: (key: string, at: number) => readonly StoredEntry[];
}

export interface Store extends StoreView {
  readonly write: (planned: PlannedWrite, model: string, scope: string, at: number) => StoredEntry;
  /** The entry can be read from `at` on, and takes the place of older ones that are the same. */
  readonly publish: (entry: StoredEntry, at: number) => void;
  readonly drop: (entry: StoredEntry) => void;
  readonly all: () => readonly StoredEntry[];
  readonly prune: (before: number) => void;
  readonly clear: () => void;
  /** Entries of its own, equal to these. */
  readonly copy: () => Store;
}

/** Whether everything in `older` can be found in `newer` too. */
const isSuperseded = (older: StoredEntry, newer: StoredEntry): boolean => {
  if (older.ttl !== newer.ttl || older.visibleAt === Infinity) return false;
  if (!older.prompt || !newer.prompt) return true;
  const last = older.prompt.hashes.length - 1;
  return older.prompt.hashes[last] === newer.prompt.hashes[last];
};

const PRUNE_FROM = 256;

export const createStore = (entries: readonly StoredEntry[] = []): Store => {
  const byKey = new Map<string, StoredEntry[]>();
  for (const entry of entries) byKey.set(entry.key, [...(byKey.get(entry.key) ?? []), entry]);
  let count = entries.length;
  let pruneAt = PRUNE_FROM;
  let lastId = Math.max(0, ...entries.map(({ id }) => id));

  const drop = (entry: StoredEntry): void => {
    const left = (byKey.get(entry.key) ?? []).filter((other) => other !== entry);
    count += left.length - (byKey.get(entry.key)?.length ?? 0);
    if (left.length === 0) byKey.delete(entry.key);
    else byKey.set(entry.key, left);
  };
  const findAll = (key: string, at: number): readonly StoredEntry[] =>
    (byKey.get(key) ?? []).filter((entry) => isReadable(entry, at));
  const all = (): readonly StoredEntry[] => [...byKey.values()].flat();

  return {
    findAll,
    find: (key, at) =>
      findAll(key, at).reduce<StoredEntry | undefined>(
        (best, entry) => (best && expiryOf(best) >= expiryOf(entry) ? best : entry),
        undefined,
      ),
    write: (planned, model, scope, at) => {
      const entry: StoredEntry = {
        ...planned,
        id: ++lastId,
        model,
        scope,
        writtenAt: at,
        visibleAt: Infinity,
        lastUsedAt: at,
        reads: 0,
        openReads: new Map(),
      };
      byKey.set(planned.key, [...(byKey.get(planned.key) ?? []), entry]);
      count++;
      return entry;
    },
    publish: (entry, at) => {
      entry.visibleAt = at;
      for (const other of byKey.get(entry.key) ?? []) if (other !== entry && isSuperseded(other, entry)) drop(other);
    },
    drop,
    all,
    prune: (before) => {
      if (count < pruneAt) return;
      for (const entry of all()) if (expiryOf(entry) < before) drop(entry);
      pruneAt = Math.max(PRUNE_FROM, count * 2);
    },
    clear: () => {
      byKey.clear();
      count = 0;
    },
    copy: () => createStore(all().map((entry) => Object.assign({}, entry, { openReads: new Map(entry.openReads) }))),
  };
};
