/** What the host of metaskills needs, does and tells. */
import type { Metaskill } from '../skill/metaskill-package.ts';
import type { Program, RunHandle, StarlarkEngine } from '../starlark/engine.ts';
import type { SourceRange } from '../starlark/messages.ts';

/** The start of a run, for anyone who may have to be asked first. */
export interface RunStart {
  /** The turn that starts it. */
  readonly turnId?: string;
  /** Aborts when nobody waits for the answer any longer. */
  readonly signal?: AbortSignal;
  /** Time in which a person decides does not count (D30): true before, false after. */
  readonly setWaiting?: (waiting: boolean) => void;
}

/** A skill as the host knows it. */
export interface HostSkill {
  readonly name: string;
  readonly metaskill: Metaskill | undefined;
  /** What a caller needs to read before it can give the right input. */
  readonly body: string;
  /** Why the policy forbids it, as the model gets it. */
  readonly refusal: string | undefined;
  /** Of a skill that runs only with consent (D27): gives the refusal, or nothing once its files are trusted. */
  readonly consent?: (start: RunStart) => Promise<string | undefined>;
  /** The program's bytes as text, or why it cannot be read. */
  readonly readProgram: () => Promise<
    { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string }
  >;
}

export interface AskRequest {
  readonly prompt: string;
  readonly purpose: string;
  readonly maxTurns: number;
  readonly signal: AbortSignal;
  /** The wall clock pauses while a person decides: true before, false behind. */
  readonly setWaiting: (waiting: boolean) => void;
}

export interface AskAnswer {
  readonly answer: string;
  readonly exhausted: boolean;
  readonly turns: number;
}

export interface CommandRequest {
  readonly argv: readonly string[];
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  readonly setWaiting: (waiting: boolean) => void;
}

export type CommandAnswer =
  | { readonly kind: 'exited'; readonly exitCode: number; readonly output: string; readonly truncated?: boolean }
  /** Not allowed, not found, timed out, or failed to start; `message` has no `error:` in front. */
  | { readonly kind: 'failed'; readonly message: string; readonly output?: string };

/** One thing that the program did. Steps survive every failure. */
export interface Step {
  readonly kind: 'ask' | 'command';
  readonly label: string;
  readonly range: SourceRange | undefined;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly ok: boolean;
  readonly request: string;
  readonly response: string;
  /** Clamps and cuts, in words. */
  readonly notes: readonly string[];
}

/** What a debugger may do with a run. */
export type RunControl = Pick<RunHandle, 'pause' | 'resume' | 'setBreakpoints' | 'evaluate' | 'expand'> & {
  readonly cancel: () => void;
};

/** A run that has just begun. */
export interface StartedRun {
  readonly name: string;
  readonly program: Program;
  readonly inputJson: string;
  readonly askCalls: number;
  readonly commandCalls: number;
  readonly control: RunControl;
}

export type MetaskillEvent =
  | {
      readonly type: 'metaskill.started';
      readonly name: string;
      readonly askCalls: number;
      readonly commandCalls: number;
      readonly notes: readonly string[];
    }
  | { readonly type: 'metaskill.step'; readonly name: string; readonly step: Step }
  | {
      readonly type: 'metaskill.trace';
      readonly name: string;
      readonly kind: string;
      readonly dataJson: string;
      readonly range: SourceRange | undefined;
    }
  | {
      readonly type: 'metaskill.finished';
      readonly name: string;
      readonly status: string;
      readonly askCalls: number;
      readonly commandCalls: number;
      readonly durationMs: number;
    };

export interface HostDeps {
  readonly engine: StarlarkEngine | undefined;
  readonly find: (name: string) => HostSkill | undefined;
  readonly ask: (request: AskRequest) => Promise<AskAnswer>;
  readonly command: (request: CommandRequest) => Promise<CommandAnswer>;
  /** Milliseconds, from anywhere. */
  readonly now: () => number;
  readonly onEvent?: (event: MetaskillEvent) => void;
  readonly onPrint?: (text: string, range: SourceRange | undefined) => void;
}
