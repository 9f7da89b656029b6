/** What the rest of the model needs of a Starlark engine. `platform/worker` has the real one. */
import type { Analysis, FormatResult, Pause, RunEvent, RunResult, SourceRange, Variable } from './messages.ts';

export interface Program {
  /** As it appears in messages: `SKILL.star`. */
  readonly file: string;
  readonly text: string;
}

/** Zero means no limit. */
export interface RunLimits {
  /** Nested asks count; time held by `setWaiting` or the debugger does not. */
  readonly timeoutMs: number;
  readonly maxSteps: number;
  /** Characters on the console in all. */
  readonly maxPrint: number;
  readonly maxMemoryBytes: number;
}

export const DEFAULT_LIMITS: RunLimits = {
  timeoutMs: 300_000,
  maxSteps: 0,
  maxPrint: 100_000,
  maxMemoryBytes: 160 * 1024 * 1024,
};

export interface Breakpoint {
  readonly line: number;
  readonly condition?: string;
}

export interface DebugOptions {
  readonly breakpoints: readonly Breakpoint[];
  readonly stopOnEntry: boolean;
}

export interface RunRequest {
  readonly program: Program;
  /** The text of a JSON object. */
  readonly inputJson: string;
  readonly limits?: Partial<RunLimits>;
  /** A run without it cannot be paused, and pays nothing for the debugger. */
  readonly debug?: DebugOptions;
}

export interface HostCall {
  readonly id: number;
  readonly fn: 'ask' | 'command';
  /** `{"prompt": …, "opts": {…}}` or `{"argv": …, "argvType": "list", "opts": {…}}`. */
  readonly argsJson: string;
  readonly range: SourceRange;
  readonly steps: number;
  readonly ms: number;
}

/** A refusal ends the run with an error of kind `host`. */
export type HostAnswer =
  | { readonly ok: true; readonly valueJson: string }
  | { readonly ok: false; readonly code: string; readonly message: string };

export type TraceEvent = Omit<Extract<RunEvent, { t: 'trace' }>, 't'>;
export type PrintEvent = Omit<Extract<RunEvent, { t: 'print' }>, 't'>;
export type ProgressEvent = Omit<Extract<RunEvent, { t: 'progress' }>, 't'>;

/** Serves a run. Everything but `call` only listens. */
export interface RunHost {
  /** The signal aborts when the run ends before the answer. A rejection is a refusal with code `failed`. */
  readonly call: (call: HostCall, signal: AbortSignal) => Promise<HostAnswer>;
  readonly trace?: (event: TraceEvent) => void;
  readonly print?: (event: PrintEvent) => void;
  readonly progress?: (event: ProgressEvent) => void;
  readonly paused?: (pause: Pause) => void;
}

export type ResumeCommand = 'continue' | 'stepIn' | 'stepOver' | 'stepOut';

export type EvaluateResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

export interface RunHandle {
  /** Never rejects: whatever goes wrong is an error in the result. */
  readonly result: Promise<RunResult>;
  readonly cancel: (reason: string) => void;
  /** The clock pauses while a person is asked something. Calls nest. */
  readonly setWaiting: (waiting: boolean) => void;
  readonly pause: () => void;
  readonly resume: (how: ResumeCommand) => void;
  readonly setBreakpoints: (breakpoints: readonly Breakpoint[]) => void;
  /** Frame 0 is the innermost. Host functions are not available. */
  readonly evaluate: (frame: number, expression: string) => Promise<EvaluateResult<Variable>>;
  readonly expand: (ref: number) => Promise<EvaluateResult<readonly Variable[]>>;
}

export interface StarlarkEngine {
  readonly analyse: (program: Program) => Promise<Analysis>;
  readonly format: (program: Program) => Promise<FormatResult>;
  readonly run: (request: RunRequest, host: RunHost) => RunHandle;
}
