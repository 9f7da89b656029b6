/** What every provider is asked and answers, in one form. Wires translate from and to it; nothing else knows a wire. */
import type { Json } from '../../base/json.ts';

export const PROVIDERS = ['simulator', 'anthropic', 'openai', 'openrouter', 'compatible'] as const;
export type ProviderId = (typeof PROVIDERS)[number];

export const WIRES = ['anthropic-messages', 'openai-responses', 'openai-chat'] as const;
export type Wire = (typeof WIRES)[number];

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  /** What OpenAI calls the message that it came in, such as `commentary`; wants to be told again. */
  readonly phase?: string;
}

export interface ImageBlock {
  readonly type: 'image';
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  /** Parsed; if the model's JSON could not be parsed, this is its text and `malformed` says why. */
  readonly input: Json;
  readonly malformed?: string;
}

export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly text: string;
  readonly isError: boolean;
}

/** Goes back byte for byte to the wire that it came from: the signature covers it. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  /** For people; may be empty where the provider hides it. */
  readonly text: string;
  readonly wire: Wire;
  readonly raw: Json;
}

/** Whatever a wire sent that Lathe does not know. It goes back untouched to the same wire and is left out of others. */
export interface OpaqueBlock {
  readonly type: 'opaque';
  readonly wire: Wire;
  readonly raw: Json;
}

export type Block = TextBlock | ImageBlock | ToolUseBlock | ToolResultBlock | ThinkingBlock | OpaqueBlock;

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Block[];
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Json;
}

export const TTLS = ['5m', '1h'] as const;
export type Ttl = (typeof TTLS)[number];
export const BREAKPOINT_MODES = ['static', 'rolling', 'automatic', 'off'] as const;
/** `static`: last tool and last stable system block (D32); `rolling` adds the last block; `automatic` leaves it to the provider. */
export type BreakpointMode = (typeof BREAKPOINT_MODES)[number];

export interface CachePlan {
  readonly mode: BreakpointMode;
  readonly ttl: { readonly tools: Ttl; readonly system: Ttl; readonly messages: Ttl };
}

export const EFFORTS = ['minimal', 'low', 'medium', 'high', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

export type Thinking =
  | { readonly mode: 'off' }
  | { readonly mode: 'adaptive' }
  | { readonly mode: 'budget'; readonly tokens: number };

export interface CanonicalRequest {
  readonly model: string;
  readonly tools: readonly ToolSpec[];
  /** Empty text means that none exists. */
  readonly system: { readonly stable: string; readonly volatile: string };
  readonly messages: readonly Message[];
  readonly maxOutputTokens: number;
  readonly stream: boolean;
  /** Absent: whatever the model does by itself. */
  readonly thinking?: Thinking;
  readonly effort?: Effort;
  readonly cache: CachePlan;
  /** Hash of tools and stable prompt; for providers that route by a key. */
  readonly cacheKey: string;
  /** For the provider's own diagnosis: the id of the previous response, `null` on the first call, absent: do not ask. */
  readonly previousResponseId?: string | null;
  /** Stable per session; OpenRouter pins its route to it. */
  readonly sessionId?: string;
}

/** TTLs under which a provider reports writes; `unknown` where it gives only a sum. */
export type WriteTtl = Ttl | '30m' | '12h' | 'unknown';

/** Tokens of one call. The whole prompt is `uncached + read + Σ writes`. */
export interface Usage {
  readonly uncached: number;
  readonly read: number;
  readonly writes: Readonly<Partial<Record<WriteTtl, number>>>;
  readonly output: number;
  /** Part of `output`; absent if not reported. */
  readonly reasoning?: number;
  /** False: the wire said nothing about its cache, so `read` and `writes` are zero only for want of news. */
  readonly cacheReported: boolean;
  /** The stream ended early: this is what had been said until then. */
  readonly partial: boolean;
  /** What the provider itself charged, in USD (OpenRouter). */
  readonly charged?: number;
  /** One request may be answered in several passes (server tools, a compaction on the way); the counts above are their sum. */
  readonly passes?: readonly UsagePass[];
}

/** One pass of the model over a prompt. */
export interface UsagePass extends Pick<Usage, 'uncached' | 'read' | 'writes' | 'output'> {
  /** The provider's word: `message`, `compaction`, `advisor_message`. */
  readonly kind: string;
}

export const writtenTokens = (usage: Usage): number =>
  Object.values(usage.writes).reduce((sum: number, tokens) => sum + (tokens ?? 0), 0);
export const promptTokens = (usage: Usage): number => usage.uncached + usage.read + writtenTokens(usage);

export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'stop_sequence' | 'refusal' | 'pause_turn' | 'other';

/** What the provider itself says about its cache. */
export interface ProviderDiagnosis {
  readonly state: 'none' | 'pending' | 'hit' | 'miss' | 'not_found' | 'unavailable';
  /** The provider's word, such as `system_changed`. */
  readonly reason?: string;
  readonly missedTokens?: number;
  readonly raw: Json;
}

export const ERROR_CLASSES = [
  'rate_limit',
  'auth',
  'server_error',
  'network',
  'context_overflow',
  'invalid_request',
  'cancelled',
  'other',
] as const;
export type ErrorClass = (typeof ERROR_CLASSES)[number];

/** Never holds a key. */
export interface ProviderError {
  readonly class: ErrorClass;
  /** Finer, for tests and views: `cors`, `wrong_key`, `org_forbids_browser`, `local_no_cors`, `local_network_permission`,
   * `mixed_content`, `overloaded`, `context_too_long`, `timeout`, `malformed_stream`, … */
  readonly code: string;
  /** What happened. */
  readonly message: string;
  /** What to do now. */
  readonly nextStep: string;
  readonly status?: number;
  readonly requestId?: string;
  readonly retryable: boolean;
  /** How long the provider asks to wait. */
  readonly retryAfterMs?: number;
}

/** Everything that a call tells while it runs, in order. */
export type CallEvent =
  | {
      readonly type: 'attempt';
      readonly attempt: number;
      readonly url: string;
      /** The exact body. Headers never appear here. */
      readonly body: string;
      readonly at: number;
    }
  | {
      readonly type: 'attempt_failed';
      readonly attempt: number;
      readonly error: ProviderError;
      readonly retryInMs?: number;
    }
  | { readonly type: 'headers'; readonly status: number; readonly requestId?: string; readonly at: number }
  /** The response's bytes as text, just as they came. */
  | { readonly type: 'chunk'; readonly text: string; readonly at: number }
  | { readonly type: 'block_start'; readonly index: number; readonly block: Block }
  | {
      readonly type: 'delta';
      readonly index: number;
      readonly kind: 'text' | 'thinking' | 'tool_input';
      readonly text: string;
    }
  | { readonly type: 'block_stop'; readonly index: number; readonly block: Block }
  | { readonly type: 'usage'; readonly usage: Usage };

interface CallFacts {
  readonly attempts: number;
  readonly startedAt: number;
  readonly firstByteAt?: number;
  readonly endedAt: number;
  readonly responseId?: string;
  readonly requestId?: string;
  /** As the response names it. */
  readonly model?: string;
  /** Which upstream served it (OpenRouter). */
  readonly upstream?: string;
  readonly diagnosis?: ProviderDiagnosis;
  readonly usage?: Usage;
  readonly content: readonly Block[];
}

export type CallResult =
  /** Without `usage` where the server reported none. */
  | (CallFacts & { readonly ok: true; readonly stopReason: StopReason })
  /** `content` and `usage` hold what had come. */
  | (CallFacts & { readonly ok: false; readonly error: ProviderError });

export interface Capabilities {
  readonly wire: Wire;
  readonly streaming: boolean;
  readonly tools: boolean;
  readonly thinking: boolean;
  /** The rule of the prompt-caching design (D32): true only when the adapter places what the provider honors and the provider reports it. */
  readonly supportsPromptCaching: boolean;
  readonly diagnostics: boolean;
  /** Modes of breakpoints that mean something on this route. */
  readonly breakpoints: readonly BreakpointMode[];
  readonly ttls: readonly Ttl[];
}

export interface ModelListing {
  readonly id: string;
  readonly label: string;
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
}

export interface ProviderClient {
  readonly id: ProviderId;
  readonly capabilities: (model: string) => Capabilities;
  /** The body that `call` would send, without sending it. */
  readonly preview: (request: CanonicalRequest) => WireRequest;
  /** Never rejects. */
  readonly call: (request: CanonicalRequest, options: CallOptions) => Promise<CallResult>;
  /** Sends a body that a person has written, to where `call` would send it. Never rejects. */
  readonly sendBody?: (body: WireRequest['body'], options: CallOptions) => Promise<CallResult>;
  readonly models: (
    signal?: AbortSignal,
  ) => Promise<
    | { readonly ok: true; readonly models: readonly ModelListing[] }
    | { readonly ok: false; readonly error: ProviderError }
  >;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: CallEvent) => void;
  /** What `preview` gave for this very request, and its body as text: the bytes that were looked at are those that are sent. */
  readonly prepared?: { readonly wire: WireRequest; readonly text: string };
}

/** Where a part of the prompt is in the body: a path into the JSON, and characters of the string there. */
export interface WirePlace {
  readonly path: readonly (string | number)[];
  /** UTF-16 offsets into the string at `path`; absent: the whole value. */
  readonly from?: number;
  readonly to?: number;
}

export interface WireRequest {
  readonly wire: Wire;
  /** Below the base URL, such as `/v1/messages`. */
  readonly path: string;
  /** In the order in which it is written. */
  readonly body: { readonly [key: string]: Json };
  readonly places: {
    readonly tools: readonly WirePlace[];
    readonly stable: WirePlace | undefined;
    readonly volatile: WirePlace | undefined;
    /** Of every message its blocks; a block that the wire leaves out has no place. */
    readonly messages: readonly (readonly (WirePlace | undefined)[])[];
  };
}

/** Counts tokens as o200k does; batches, because it may live in a worker. */
export interface Tokenizer {
  readonly count: (texts: readonly string[]) => Promise<readonly number[]>;
}
