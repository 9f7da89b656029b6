/** A session as its transcript shows it. Made of events by `transcript.ts`; nothing in it is ever changed. */
import type { Json } from '../../base/json.ts';
import type { VerdictKind } from '../event/verdict-kind.ts';
import type { Usage } from '../provider/types.ts';

export interface RetryView {
  readonly code: string;
  readonly message: string;
}

export interface CallFailure {
  readonly code: string;
  readonly message: string;
  readonly nextStep: string;
}

export interface CallView {
  readonly requestId: string;
  /** Of `llm.call_started`. */
  readonly eventId: string;
  readonly model: string;
  readonly provider: string;
  readonly status: 'running' | 'completed' | 'failed';
  /** Attempts that failed and were tried again, in order. */
  readonly retries: readonly RetryView[];
  readonly latencyMs?: number;
  readonly usage?: Usage;
  /** Nothing where the price is not known. */
  readonly costUsd?: number;
  readonly stopReason?: string;
  /** The verdict about its cache. */
  /** Of the verdict. */
  readonly kind?: VerdictKind;
  readonly cause?: string;
  /** The place that the verdict is about. */
  readonly at?: string;
  readonly lostTokens?: number;
  readonly repair?: string;
  readonly failure?: CallFailure;
}

export interface ApprovalView {
  readonly status: 'open' | 'allowed' | 'denied' | 'timeout';
  /** The command, or the start of the input. */
  readonly summary: string;
  readonly scope?: 'once' | 'session' | 'always';
  readonly reason?: string;
}

/** What a load tool did. */
export interface SkillLoadView {
  readonly name: string;
  /** `pointer`: the body is in the conversation or the prompt already. */
  readonly kind: 'loaded' | 'pointer' | 'refused';
  readonly tokens?: number;
}

export type RunEntry =
  | {
      readonly kind: 'ask' | 'command';
      readonly label: string;
      readonly durationMs: number;
      readonly ok: boolean;
      readonly line?: number;
      readonly request: string;
      readonly response: string;
    }
  | { readonly kind: 'trace'; readonly label: string; readonly data: string; readonly line?: number };

export interface RunView {
  readonly name: string;
  readonly maxAsks: number;
  readonly maxCommands: number;
  readonly notes: readonly string[];
  readonly entries: readonly RunEntry[];
  readonly finished?: {
    readonly status: string;
    readonly asks: number;
    readonly commands: number;
    readonly durationMs: number;
  };
}

export interface ToolView {
  readonly toolUseId: string;
  readonly name: string;
  readonly input: Json;
  /** Why the model's input could not be read. */
  readonly malformed?: string;
  /** `asking`: a person is to decide. `cancelled`: the turn ended before it was made. */
  readonly status: 'waiting' | 'asking' | 'running' | 'completed' | 'failed' | 'cancelled';
  readonly latencyMs?: number;
  /** What the model gets. Untrusted. */
  readonly result?: { readonly text: string; readonly isError: boolean };
  readonly error?: string;
  readonly metadata?: Readonly<Record<string, Json>>;
  readonly files?: readonly string[];
  readonly approvals: readonly ApprovalView[];
  readonly skill?: SkillLoadView;
  readonly run?: RunView;
  /** The turns that its program asked for. */
  readonly nested: readonly TurnView[];
  /** Made for a `$name` of the user, or run by the user: not the model's own. */
  readonly by: 'model' | 'user';
}

export type AnswerBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | { readonly kind: 'tool'; readonly tool: ToolView }
  | { readonly kind: 'other'; readonly label: string };

export type TurnPart =
  | {
      readonly kind: 'user';
      readonly eventId: string;
      readonly text: string;
      readonly images: number;
      /** Bodies of skills, or refusals, that travel after the text (D19). */
      readonly attached: readonly string[];
    }
  | {
      readonly kind: 'answer';
      readonly key: string;
      /** Nothing for calls that were made for the user. */
      readonly call?: CallView;
      readonly blocks: readonly AnswerBlock[];
      /** The stream was cut: this is what came. */
      readonly partial: boolean;
    };

export interface TurnView {
  readonly kind: 'turn';
  readonly id: string;
  /** From 1, among the turns of a person; 0 for a nested one. */
  readonly number: number;
  readonly status: 'running' | 'completed' | 'cancelled' | 'interrupted';
  readonly stopReason?: string;
  /** Why it ended, and what to do next. */
  readonly message?: string;
  readonly parts: readonly TurnPart[];
}

/** Something that happened between turns. */
export interface MarkView {
  readonly kind: 'mark';
  readonly id: string;
  readonly lines: readonly string[];
}

export type TranscriptItem = TurnView | MarkView;
