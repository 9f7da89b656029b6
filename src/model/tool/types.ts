/** Tools as the dispatcher knows them (contract: `SPEC.md`). */
import type { Json } from '../../base/json.ts';
import type { SideEffects, ToolErrorClass } from '../event/tool-classes.ts';
import type { EventDraft } from '../event/types.ts';

/** An expected failure of a tool. The message reaches the model as it is. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly class: ToolErrorClass;
  constructor(message: string, errorClass: ToolErrorClass = 'execution_error') {
    super(message);
    this.class = errorClass;
  }
}

export interface ToolOutput {
  readonly text: string;
  /** A result that is a failure for the model (a command with a non-zero exit code, an `error:` of a metaskill). */
  readonly isError?: boolean;
  readonly metadata?: { readonly [key: string]: Json };
  readonly filesModified?: readonly string[];
  readonly commandExecuted?: string;
}

/** Of one call. */
export interface ToolContext {
  readonly toolUseId: string;
  readonly turnId: string;
  readonly signal: AbortSignal;
  /** 0 in a session's own turns, 1 inside an `ask`. */
  readonly depth: number;
  /** The `tool.called` event. */
  readonly eventId: string;
  readonly emit: (draft: EventDraft) => string;
  /** The clocks of timeouts pause while a person decides. */
  readonly setWaiting: (waiting: boolean) => void;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Json;
  readonly sideEffects: SideEffects;
  /** Its `path` and `paths` are checked to lie inside the folder before it is called. */
  readonly requiresWorkspace: boolean;
  /** The tool checks its input itself, so that its own errors reach the model (D20). */
  readonly validatesItself?: boolean;
  /** Seconds; by default 60, and 600 for execute and network. */
  readonly timeoutSeconds?: number;
  /** Throws `ToolError` for what is expected. */
  readonly run: (input: Json, context: ToolContext) => Promise<ToolOutput>;
}

export type Approval =
  | { readonly decision: 'allow'; readonly scope: 'once' | 'session' | 'always' }
  | { readonly decision: 'deny'; readonly reason?: string }
  | { readonly decision: 'timeout' };

export interface ApprovalRequest {
  readonly id: string;
  readonly toolUseId: string;
  readonly toolName: string;
  readonly sideEffects: SideEffects;
  readonly input: Json;
  /** Of a command. */
  readonly argv?: readonly string[];
  readonly signal: AbortSignal;
}

/** Asks a person. Absent: nobody is there, and asking is denying. */
export type Approve = (request: ApprovalRequest) => Promise<Approval>;
