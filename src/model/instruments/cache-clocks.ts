/** Entries of a cache with the time that they have left. */
import type { CacheEntry } from '../cache/types.ts';
import type { WriteTtl } from '../provider/types.ts';

const LIVES: Readonly<Partial<Record<WriteTtl, number>>> = {
  '5m': 300_000,
  '30m': 1_800_000,
  '1h': 3_600_000,
  '12h': 43_200_000,
};

export interface CacheClock {
  readonly id: number;
  readonly model: string;
  /** How far it reaches, for people. */
  readonly reaches: string;
  readonly label: string;
  readonly tokens: number;
  readonly ttl: WriteTtl;
  /** Milliseconds; 0 once it has expired. */
  readonly left: number;
  /** Of its life, 0 to 1. */
  readonly share: number;
  readonly reads: number;
}

const reachOf = (label: string): string => {
  const [, tier, index] = /^(\w+)\[(\d+)\]/.exec(label) ?? [];
  if (tier === 'tools') return 'tools';
  if (tier === 'system' || label === 'system' || label === 'instructions') return 'tools and stable prompt';
  if (index !== undefined) return `up to message ${Number(index) + 1}`;
  return label;
};

/** Those that live longest come first. */
export const cacheClocks = (entries: readonly CacheEntry[], now: number): readonly CacheClock[] =>
  entries
    .map((entry): CacheClock => {
      const left = Math.max(0, entry.expiresAt - now);
      const life = LIVES[entry.ttl] ?? Math.max(1, entry.expiresAt - entry.lastUsedAt);
      return {
        id: entry.id,
        model: entry.model,
        reaches: reachOf(entry.label),
        label: entry.label,
        tokens: entry.tokens,
        ttl: entry.ttl,
        left,
        share: Math.min(1, left / life),
        reads: entry.reads,
      };
    })
    .toSorted((a, b) => b.left - a.left || b.tokens - a.tokens);
