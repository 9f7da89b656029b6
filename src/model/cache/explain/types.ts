/** What the explainer says. `SPEC.md` has the rules and the list of causes. */
import type { ModelBook } from '../../provider/model-book.ts';
import type { RecordedCall } from '../types.ts';

/** First the list of 21, in the order of the rules EX1 to EX21. */
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
  // What is said of requests that belong together, and of known harnesses: EX70 to EX79.
  'hit',
  'chain-start',
  'compaction',
  'conversation-not-cached',
  'shared-prefix-differs',
  'not-recorded',
  'date-line',
  'late-tool-list',
  'billing-header',
] as const;
export type CauseId = (typeof CAUSES)[number];

/** How much a verdict matters. */
export const VERDICT_KINDS = ['hit', 'start', 'miss', 'waste', 'unknown'] as const;
export type VerdictKind = (typeof VERDICT_KINDS)[number];

/** A part of a prompt that its writer knows: a skill's line, AGENTS.md, a tool. */
export interface OwnSegment {
  /** Such as `skill-index`, `preloaded`, `instructions`, `memory`, `tool`. */
  readonly kind: string;
  /** What a person calls it: the skill's or the tool's name, `AGENTS.md`. */
  readonly name: string;
  /** Below the opened folder; absent where no file comes after it. */
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
}

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
  /** Where it is known what is there. */
  readonly segment?: OwnSegment;
}

export interface Verdict {
  readonly kind: VerdictKind;
  readonly cause: CauseId;
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

/**
 * How a request stands to an earlier one. `continues`: what was said before is in it, and more. `again`: the same
 * conversation once more. `compacted`: it continues from a summary. `beside`: another conversation.
 */
export type Relation = 'continues' | 'again' | 'compacted' | 'beside';

export interface ExplainContext {
  /** Other earlier calls, of any session, whose entries could have been read; `previous` need not be among them. */
  readonly history?: readonly RecordedCall[];
  /** What anyone who recorded the call knows of how it stands to `previous`. Absent: the content tells. */
  readonly relation?: Relation;
  /** Earlier calls of the conversation that read something although nothing of its own was left (EX87). */
  readonly revived?: readonly RecordedCall[];
  /** Counts a string as o200k does. Absent: four characters are a token. */
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
