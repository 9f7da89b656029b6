/** The types of the library. Imports nothing, so that the declarations of the package are this file and `index.ts`. */

/** Whose rules apply. */
export type Profile = 'standard' | 'strict' | 'metis' | 'metaskill' | 'claude-upload' | 'claude-code';

/** A skill with an error isn't valid. */
export type Severity = 'error' | 'warning' | 'info' | 'hint';

export interface Problem {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  /** Path below the checked folder. */
  readonly file: string;
  /** Lines and columns count from 1, columns in code points. The end is exclusive. */
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** Whether `fixSkill` or `lathe check --fix` can fix it. */
  readonly fixable: boolean;
}

export interface SkillReport {
  /** The skill's folder below the checked folder. The empty string is the folder itself. */
  readonly path: string;
  readonly name: string | undefined;
  readonly valid: boolean;
  readonly problems: readonly Problem[];
}

export interface FolderReport {
  /** True if there is at least one skill, and every skill is valid. */
  readonly valid: boolean;
  readonly skills: readonly SkillReport[];
  /** Folders that look like skills but can't be read. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

export interface CheckOptions {
  /** Default: `standard`. */
  readonly profile?: Profile;
}

export interface CheckSkillOptions extends CheckOptions {
  /** The name of the skill's folder. Without it, Lathe doesn't compare it with the name. */
  readonly folder?: string;
}

export interface FixOptions extends CheckSkillOptions {
  /** Also apply fixes that an author may want to decide on. */
  readonly unsafe?: boolean;
}

export interface FixedSkill {
  readonly text: string;
  readonly applied: readonly { readonly rule: string; readonly title: string }[];
  /** What is left. */
  readonly problems: readonly Problem[];
}

export type Client =
  | 'claude-code'
  | 'codex'
  | 'gemini'
  | 'copilot'
  | 'cursor'
  | 'opencode'
  | 'windsurf'
  | 'kiro'
  | 'goose'
  | 'metis';

export interface ListingOptions {
  /** The home folder, for the user's own skills. Default: none. */
  readonly home?: string;
  /** Where the agent starts, below the folder. */
  readonly workingFolder?: string;
  /** The agent's version. Default: the newest version that Lathe knows. */
  readonly version?: string;
  readonly model?: string;
  /** Tokens. Default: the model's. */
  readonly contextWindow?: number;
}

export interface Listing {
  readonly client: Client;
  /** The version that these rules come from. Undefined: Lathe knows only the agent's documentation. */
  readonly version: string | undefined;
  /** What the model reads about the skills. */
  readonly text: string;
  /** Whether `text` is the agent's wording, byte for byte. */
  readonly exact: boolean;
  readonly entries: readonly {
    readonly name: string;
    readonly path: string;
    readonly state: 'kept' | 'cut' | 'name-only' | 'dropped' | 'hidden';
    /** Why the entry isn't complete. Empty if it is. */
    readonly reason: string;
  }[];
  /** Undefined: Lathe doesn't know whether there is a budget. */
  readonly budget:
    | {
        readonly unit: 'columns' | 'tokens' | 'characters';
        readonly limit: number | undefined;
        readonly used: number;
        readonly wanted: number;
      }
    | undefined;
  readonly notes: readonly string[];
}

export interface CacheVerdict {
  /** The line of the recording. Undefined if several lines made the request. */
  readonly line: number | undefined;
  readonly kind: 'hit' | 'start' | 'miss' | 'waste' | 'unknown';
  /** Such as `tool-added` or `ttl-expired`. */
  readonly cause: string;
  readonly evidence: readonly string[];
  /** Prompt tokens that the request could have read from the cache and didn't. */
  readonly tokensLost: number;
  /** US dollars. Undefined if the price is unknown. */
  readonly costLost: number | undefined;
  /** What to change. Empty if nothing needs a change. */
  readonly repair: string;
  readonly certainty: 'sure' | 'likely';
}

export interface Explanation {
  /** One per request, in the order of the recording. */
  readonly verdicts: readonly CacheVerdict[];
  /** Lines that can't be read. */
  readonly faults: readonly { readonly line: number; readonly message: string }[];
}

export interface PlannedRequest {
  readonly wire: 'anthropic-messages' | 'openai-responses' | 'openai-chat';
  /** The exact body, as text. */
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

export interface CachePrediction {
  /** Estimated tokens of the whole prompt. */
  readonly promptTokens: number;
  readonly read: number;
  readonly written: number;
  readonly uncached: number;
  /** US dollars for the prompt. Undefined if the price is unknown. */
  readonly usd: number | undefined;
  /** True if the estimate is too close to a limit to be sure. */
  readonly uncertain: boolean;
  /** What the provider would refuse with status 400. */
  readonly faults: readonly string[];
}

export interface MetaskillOptions {
  /** What `ask` returns, in turn. */
  readonly answers?: readonly string[];
  /** What `command` returns, in turn. Lathe runs no command. */
  readonly commands?: readonly { readonly exit_code: number; readonly output: string }[];
  readonly timeoutSeconds?: number;
}

export interface MetaskillResult {
  readonly ok: boolean;
  /** What the model would read. It starts with `error:` if the run failed. */
  readonly result: string;
  /** What the program asked the host for, in turn. */
  readonly steps: readonly { readonly kind: 'ask' | 'command'; readonly durationMs: number; readonly ok: boolean }[];
  readonly trace: readonly unknown[];
  /** Lines that the program printed. */
  readonly printed: readonly string[];
}

export interface SimulatorServerOptions {
  /** Default: 0, any free port. */
  readonly port?: number;
  /** A scenario in YAML. Without it, the simulator answers by itself. */
  readonly scenario?: string;
  /** Wait between tokens as a real model does. Default: false. */
  readonly realisticSpeed?: boolean;
}

export interface SimulatorServer {
  /** The base URL for Anthropic SDKs. OpenAI SDKs take this URL followed by `/v1`. */
  readonly url: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}
