/** A suite of queries, and what each should load. */
import type { Json } from '../../../base/json.ts';

export const QUERY_KINDS = ['should', 'should-not', 'near-miss', 'explicit'] as const;
export const SPLITS = ['train', 'validation'] as const;

export interface TriggerQuery {
  readonly id: string;
  readonly query: string;
  /** Any of these; none: no skill may load; absent: not judged. */
  readonly expect?: readonly string[];
  /** Every one of `expect` must load. */
  readonly all: boolean;
  readonly forbid: readonly string[];
  /** Helpers that do not count. */
  readonly allow: readonly string[];
  readonly kind?: (typeof QUERY_KINDS)[number];
  readonly split?: (typeof SPLITS)[number];
  readonly tags: readonly string[];
  /** Earlier turns of the person. */
  readonly context: readonly string[];
  readonly repeats?: number;
  readonly weight: number;
  readonly note?: string;
  /** What another format said, word for word. */
  readonly x?: Json;
  /** From 1, in the file that it was read from. */
  readonly line: number;
}

export interface Suite {
  readonly skill?: string;
  readonly defaults: { readonly repeats: number; readonly maxTurns: number };
  readonly queries: readonly TriggerQuery[];
}

export interface SuiteFault {
  readonly line: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

export interface ReadSuite {
  readonly suite: Suite;
  readonly format: 'triggers' | 'eval-queries' | 'evals' | 'promptfoo' | 'waza' | 'skill-reach';
  readonly warnings: readonly SuiteFault[];
}

export const DEFAULTS: Suite['defaults'] = { repeats: 5, maxTurns: 3 };
export const MOST_QUERIES = 10_000;
export const MOST_BYTES = 4_000_000;
export const MOST_CHARACTERS = 20_000;
