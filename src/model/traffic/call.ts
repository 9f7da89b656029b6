/** One call of any agent, with all that its recording knows of it. */
import type { Verdict } from '../cache/explain/types.ts';
import type { RecordedCall } from '../cache/types.ts';

export const CHAIN_KINDS = ['main', 'sub-agent', 'nested-ask', 'side-call', 'compaction'] as const;
export type ChainKind = (typeof CHAIN_KINDS)[number];

/** The program that made a call, where that can be reported. */
export interface Harness {
  /** `claude-code`, `codex`, `lathe`. */
  readonly name: string;
  readonly version?: string;
}

/** What the recording itself says of the conversation that a call belongs to. */
export interface Conversation {
  /** Equal for all calls of one conversation, and for no others. */
  readonly id: string;
  readonly kind: ChainKind;
  /** The conversation that started this one. */
  readonly parent?: string;
  /** The calls before were summed up, and this one continues from the summary. */
  readonly isCompacted?: boolean;
}

export interface Source {
  /** As it was opened. */
  readonly file: string;
  /** From 1; in files without lines the number of the entry. */
  readonly line: number;
}

/** `known` of a call says how much of its body is known, `usage` is absent where none was reported. */
export interface Call extends RecordedCall {
  /** How its source names it: the id of a request or of an answer. */
  readonly id?: string;
  /** The provider's, from a header: it joins what was kept of a call in different places. */
  readonly requestId?: string;
  readonly source?: Source;
  readonly harness?: Harness;
  readonly conversation?: Conversation;
  /** What the session itself said of its start, when it could see what other sessions had left. */
  readonly told?: Verdict;
}

/**
 * A call whose body is built when somebody asks for it: the bodies of a conversation repeat each other, and kept as they are
 * they would take the square of what was said. Do not spread such a call: that would build the body permanently.
 */
export const callWithBody = (facts: Omit<Call, 'body'>, body: () => string): Call =>
  Object.defineProperty(facts, 'body', { get: body, enumerable: true }) as Call;
