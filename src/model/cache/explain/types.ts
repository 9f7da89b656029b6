/** What the explainer says. `SPEC.md` has the rules and the list of causes. */
import type { ModelBook } from '../../provider/model-book.ts';
import type { RecordedCall } from '../types.ts';

/** The list of 21, in the order of the rules EX1 to EX21. */
export const CAUSES = [
  'volatile-value-in-system',
  'tool-order',
  'tools-changed',
  'json-reserialised',
  'history-edited',
  'breakpoint-on-unique-block',
  'below-floor',
  'ttl-expired',
  'lookback-overflow',
  'parallel-requests',
  'model-or-key-switch',
  'tier-parameter',
  'thinking-or-effort-changed',
  'thinking-blocks-changed',
  'gateway-effect',
  'marker-fault',
  'per-user-data-first',
  'whitespace-drift',
  'openai-cache-key',
  'provider-eviction',
  'usage-misread',
] as const;
export type CauseId = (typeof CAUSES)[number];

export interface VerdictPosition {
  /** A block such as `system[0]` or `messages[2].content[1]`, or a parameter such as `tool_choice`. */
  readonly label: string;
  /** Where in the block's JSON the difference lies, such as `text`; empty for the block as a whole. */
  readonly path: string;
  /** UTF-16 units into the text at `path`, or into the raw JSON of the block if that is no text. */
  readonly offset: number;
  /** What was there in the earlier request, and what is there now. */
  readonly before: string;
  readonly after: string;
}

export interface Verdict {
  readonly cause: CauseId | 'hit' | 'cold';
  /** Part of what could have been read was read. */
  readonly partial: boolean;
  readonly position: VerdictPosition | null;
  /** One sentence each. */
  readonly evidence: readonly string[];
  /** What the provider's own diagnosis says, and whether it agrees. */
  readonly providerSaid: string | null;
  readonly usageSays: string | null;
  /** Prompt tokens that could have been read and were not. */
  readonly tokensLost: number;
  /** USD; undefined where the price is unknown. */
  readonly costLost: number | undefined;
  /** What to change; empty where there is nothing to repair. */
  readonly repair: string;
  readonly certainty: 'sure' | 'likely';
  /** The earlier request that this one was held against. */
  readonly comparedWith: RecordedCall | null;
}

export interface ExplainContext {
  /** All earlier calls, of any session; `previous` need not be among them. */
  readonly history?: readonly RecordedCall[];
  /** Counts a text as o200k does. Absent: four characters are a token. */
  readonly tokens?: (text: string) => number;
  readonly book?: ModelBook;
}

/** What a detector found; tokens and money are added to it. */
export interface Finding {
  readonly cause: CauseId;
  readonly position?: VerdictPosition;
  readonly evidence: readonly string[];
  readonly repair: string;
  readonly certainty?: 'sure' | 'likely';
}
