/** What host and workers of the sandbox say to each other, beside the questions of `call-out.ts`. */

export type ThreadKind = 'shell' | 'git' | 'python';

/** One program to run. */
export interface ProgramParams {
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly stdin: Uint8Array;
  /** Variables that the program which asked for this one has set. */
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Bytes of output that anybody will look at. */
  readonly outputLimit: number;
}

export interface ProgramResult {
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** More was written than is here. */
  readonly truncated: boolean;
}

/** Written while a program runs. */
export interface OutputEvent {
  readonly output: 'stdout' | 'stderr';
  readonly bytes: Uint8Array;
}

export interface ProgressEvent {
  readonly progress: string;
}

/** Every program starts with these; nothing of the user's own environment. */
export const ENVIRONMENT = {
  HOME: '/workspace',
  PATH: '/usr/bin:/bin',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  USER: 'user',
} as const;

export const NO_BYTES = new Uint8Array();

const encoder = new TextEncoder();

/** A program that ends with a sentence. */
export const failedWith = (exitCode: number, stderr: string): ProgramResult => ({
  exitCode,
  stdout: NO_BYTES,
  stderr: encoder.encode(stderr),
  truncated: false,
});
