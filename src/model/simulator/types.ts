/** What the simulator takes and gives. `SPEC.md` has the rules. */
import type { Json } from '../../base/json.ts';
import type { CacheEntry } from '../cache/types.ts';
import type { Message, ToolSpec, Wire } from '../provider/types.ts';

export interface SimRequest {
  readonly method: string;
  /** With its query, if there is one: `/v1/messages`. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Of the server that was asked, for addresses in answers. */
  readonly origin?: string;
}

export interface SimChunk {
  readonly text: string;
  /** Milliseconds after the chunk before it; of the first one, after the request. */
  readonly afterMs: number;
}

export interface SimResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly SimChunk[];
  /** `cut`: the connection breaks after the last chunk. `hang`: nothing more comes, and it never ends. */
  readonly end: 'close' | 'cut' | 'hang';
  /** Anyone who delivers it says when the first byte left: only then can others read what this request wrote to the cache. */
  readonly begun: () => void;
}

/** A tool that the provider runs itself. */
export interface ServerTool {
  readonly kind: string;
  /** As it is called. */
  readonly name: string;
}

/** What the simulated model reads: any wire, in one form. */
export interface SimConversation {
  readonly wire: Wire;
  readonly model: string;
  readonly system: string;
  readonly tools: readonly ToolSpec[];
  /** Tools that the provider runs itself; none where the wire has none. */
  readonly serverTools?: readonly ServerTool[];
  readonly messages: readonly Message[];
  readonly toolChoice: 'auto' | 'any' | 'none' | { readonly name: string };
  /** At most one call in an answer. */
  readonly oneCall?: boolean;
  /** It is to think before it answers. */
  readonly thinking: boolean;
  /** With a thinking budget every answer begins with thinking; without it the next request would be refused. */
  readonly mustThink?: boolean;
  /** Noise in the scores of skills; absent: none. */
  readonly jitter?: (skill: string) => number;
  /** The answer is to be JSON: of this schema, or any object. */
  readonly format?: { readonly schema: Json | undefined };
}

export interface SimToolCall {
  readonly name: string;
  readonly input: Json;
}

/** What the simulated model says. */
export interface SimReply {
  readonly text: string;
  readonly toolCalls: readonly SimToolCall[];
  readonly thinking?: string;
  readonly stop?: 'max_tokens' | 'refusal' | 'pause_turn';
  readonly fault?: SimFault;
}

export type SimBehaviour = (conversation: SimConversation) => SimReply;

export const FAULT_KINDS = [
  'rate_limit',
  'overloaded',
  'server_error',
  'cut',
  'stream_error',
  'slow',
  'hang',
  'refusal',
  'malformed_tool_input',
  'malformed_sse',
  'truncated_json',
  'unknown_block',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface SimFault {
  readonly kind: FaultKind;
  /** Seconds; for the kinds that are answered with a status. */
  readonly retryAfter?: number;
}

export interface SimClock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface Simulator {
  readonly handle: (request: SimRequest) => Promise<SimResponse>;
  /** The simulator's time: that of its clock, and what `advance` added. */
  readonly now: () => number;
  readonly advance: (ms: number) => void;
  /** What its cache holds now. */
  readonly entries: () => readonly CacheEntry[];
  /** Forgets everything: cache, ids, scenario counts, moved time. */
  readonly reset: () => void;
}
