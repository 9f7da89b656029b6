/** What the cache model reads, remembers and says. `SPEC.md` has the rules. */
import type { Json } from '../../base/json.ts';
import type { ProviderDiagnosis, Usage, Wire, WriteTtl } from '../provider/types.ts';

export type Tier = 'tools' | 'system' | 'messages';

/** One block of a request in render order: a tool, a system block, a content block of a message. */
export interface CacheBlock {
  readonly tier: Tier;
  /** Such as `tools[3]`, `system[0]`, `messages[2].content[1]`. */
  readonly label: string;
  /** The wire's own word: `tool`, `text`, `tool_use`, `tool_result`, `thinking`, `image`, … */
  readonly kind: string;
  /** Of the message that it belongs to. */
  readonly role?: string;
  /** The raw JSON text without its marker: exactly what a hash covers. */
  readonly text: string;
  /** UTF-16 offsets of the block in the body's text, marker included. */
  readonly start: number;
  readonly end: number;
  readonly marker?: { readonly ttl: WriteTtl };
  /** Index of the message (or input item) that it belongs to. */
  readonly message?: number;
  /** Why no breakpoint can lie here; absent where one can. */
  readonly unmarkable?: 'thinking' | 'empty' | 'kind';
  /** A tool that is not part of the prompt until it is asked for. */
  readonly deferred?: true;
  /** How many images are in it, nested ones included. */
  readonly images?: number;
  /** Tokens, where they are known otherwise than by counting: of a first block that stands for what was not recorded. */
  readonly tokens?: number;
  /** Citations are switched on in it. */
  readonly citations?: true;
}

/** Something that the provider answers with a 400. Rules are listed in `SPEC.md`. */
export interface RequestFault {
  readonly rule: string;
  /** In the provider's own style, naming the path. */
  readonly message: string;
  readonly status: 400;
}

/** A body, read for its cache. Parameters that salt a tier are here as canonical text. */
export interface CacheRequest {
  readonly wire: Wire;
  readonly model: string;
  readonly blocks: readonly CacheBlock[];
  /** Top-level automatic marker. */
  readonly automatic?: { readonly ttl: WriteTtl };
  /** Parameter name → canonical JSON, only those that take part in matching or in a verdict (`tool_choice`, `thinking`, …). */
  readonly params: ReadonlyMap<string, string>;
  readonly cacheKey?: string;
  /** Of every message in order, `''` where an item has none. */
  readonly roles: readonly string[];
  /** Markers that could not be read. */
  readonly faults: readonly RequestFault[];
  /** Characters of the body. */
  readonly length: number;
}

/**
 * `exact`: the bytes that were sent. `reconstructed`: put together from what a recording holds of the conversation.
 * `absent`: not recorded; `body` is empty.
 */
export type BodyKnowledge = 'exact' | 'reconstructed' | 'absent';

/** One call as it was recorded: a line of `lathe explain`, and what a session keeps of every request. Times in ms. */
/** What the writer of a prompt knows of its parts. */
export interface OwnPrompt {
  /** Requests of one folder are meant to share their prefix; those of two are not. */
  readonly folder: string;
  /** Their strings, joined, are the stable system prompt. */
  readonly parts: readonly { readonly kind: string; readonly id: string; readonly text: string }[];
  readonly skills: readonly {
    readonly name: string;
    /** Its SKILL.md, below the opened folder. */
    readonly file?: string | undefined;
    /** Lines of that file, from 1. */
    readonly descriptionLine?: number | undefined;
    readonly bodyLine?: number | undefined;
  }[];
}

/** A response, as far as it is known. */
export interface KnownResponse {
  readonly id?: string;
  readonly model?: string;
  /** In the wire's form. */
  readonly content?: Json;
  /** The provider that a gateway chose. */
  readonly upstream?: string;
  readonly workspaceId?: string;
  readonly speed?: string;
}

export interface RecordedCall {
  /** A `ProviderId`, or whatever else a recording says. */
  readonly provider: string;
  readonly wire: Wire;
  readonly model: string;
  /** The exact body as text. */
  readonly body: string;
  readonly startedAt: number;
  /** The recording has no times: those of the call only keep its order, and nothing is judged by them. */
  readonly isTimeless?: boolean;
  readonly firstByteAt?: number;
  readonly endedAt?: number;
  readonly usage?: Usage;
  readonly diagnosis?: ProviderDiagnosis;
  readonly response?: KnownResponse;
  /** A fingerprint of the key, never the key. */
  readonly keyId?: string;
  readonly sessionId?: string;
  /** Of a sub-agent inside its session. */
  readonly agentId?: string;
  /** How much of the body is known; absent: it is exact. */
  readonly known?: BodyKnowledge;
  /** Headers of the request that change matching, such as betas. */
  readonly betas?: readonly string[];
  /** Usage as it was recorded, for those who ask which counters it had. */
  readonly rawUsage?: Json;
  /** The provider refused or broke off before it answered: nothing was written. */
  readonly failed?: boolean;
  /** What the reader of a recording had to assume. */
  readonly notes?: readonly string[];
  /** The body as it was read, where a reader builds it from shared parts; `body` is then written when it is asked for. */
  readonly request?: () => CacheRequest;
  /** Of a session of ours. */
  readonly own?: OwnPrompt;
}

export interface CacheEntry {
  readonly id: number;
  readonly model: string;
  readonly scope: string;
  /** Cumulative hash of everything up to and with the block. */
  readonly hash: string;
  readonly tokens: number;
  readonly label: string;
  readonly ttl: WriteTtl;
  readonly writtenAt: number;
  readonly visibleAt: number;
  readonly expiresAt: number;
  readonly lastUsedAt: number;
  readonly reads: number;
}

export interface BreakpointReport {
  readonly label: string;
  readonly block: number;
  readonly ttl: WriteTtl;
  readonly origin: 'explicit' | 'automatic' | 'implicit' | 'server-tool';
  /** Tokens of the prefix that ends here. */
  readonly tokens: number;
  readonly outcome: 'read' | 'written' | 'below-floor' | 'covered' | 'not-written';
  /** One sentence. */
  readonly reason: string;
}

export interface Prediction {
  readonly usage: {
    readonly uncached: number;
    readonly read: number;
    readonly writes: Readonly<Partial<Record<WriteTtl, number>>>;
  };
  readonly promptTokens: number;
  readonly hit: CacheEntry | undefined;
  readonly breakpoints: readonly BreakpointReport[];
  readonly floor: number | undefined;
  /** True if a decision lies within the error of the token estimate. */
  readonly uncertain: boolean;
  /** What the provider would refuse with a 400. */
  readonly faults: readonly RequestFault[];
  /** What the numbers rest on where the model knows little, in one sentence. */
  readonly note?: string;
}
