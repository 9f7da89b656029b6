/**
 * One conversation of a transcript: its messages in the order of the file, and the request behind every answer. Tools,
 * system prompt and reminders are not in a transcript; one block stands for them.
 */
import { readMessageText } from '../../cache/read-anthropic.ts';
import type { CacheBlock, CacheRequest } from '../../cache/types.ts';
import type { Json } from '../../../base/json.ts';
import type { Ttl } from '../../provider/types.ts';

interface TranscriptMessage {
  readonly role: 'user' | 'assistant';
  /** Of an answer; its blocks come one by one. */
  readonly id?: string;
  readonly content: Json[];
  blocks?: readonly CacheBlock[];
}

/** What a request sent: the first messages of a list that only grows. */
export interface Sent {
  readonly messages: readonly TranscriptMessage[];
  readonly count: number;
}

const HEAD_LABEL = 'tools and system';

/** Stands for what a transcript does not hold; the same in all requests of a conversation. */
const UNRECORDED = 'unrecorded';

const headOf = (of: string, ttl: Ttl, tokens: number | undefined): CacheBlock => {
  const text = JSON.stringify({ type: UNRECORDED, of });
  const block = { tier: 'system', label: HEAD_LABEL, kind: UNRECORDED, text, start: 0, end: text.length } as const;
  return { ...block, marker: { ttl }, ...(tokens !== undefined && { tokens }) };
};

const blocksOf = (message: TranscriptMessage, index: number): readonly CacheBlock[] =>
  (message.blocks ??= readMessageText(JSON.stringify({ role: message.role, content: message.content }), index));

interface Rebuilt {
  readonly model: string;
  readonly ttl: Ttl;
  /** Equal for requests that are taken to have the same tools and system prompt. */
  readonly head: string;
  /** Tokens of them, as far as bills tell. */
  readonly headTokens?: number | undefined;
}

/** The request, as far as it is known: Claude Code marks its head and the end of the conversation. */
export const rebuiltRequest = ({ messages, count }: Sent, { model, ttl, head, headTokens }: Rebuilt): CacheRequest => {
  const blocks: CacheBlock[] = [headOf(head, ttl, headTokens)];
  const roles: string[] = [];
  for (let index = 0; index < count; index++) {
    const message = messages[index];
    if (!message) break;
    roles.push(message.role);
    for (const block of blocksOf(message, index)) blocks.push(block);
  }
  const params = new Map<string, string>();
  return { wire: 'anthropic-messages', model, blocks, automatic: { ttl }, params, roles, faults: [], length: 0 };
};

/** As JSON, for anyone who wants to look at it. */
export const rebuiltBody = ({ messages, count }: Sent, { model, head }: Rebuilt): string =>
  JSON.stringify({
    model,
    system: [{ type: UNRECORDED, of: head }],
    messages: messages.slice(0, count).map(({ role, content }) => ({ role, content })),
  });

export class Transcript {
  #messages: TranscriptMessage[] = [];
  /** How many messages there were when a line was written. */
  readonly #places = new Map<string, { readonly messages: readonly TranscriptMessage[]; readonly count: number }>();
  readonly #answers = new Map<string, TranscriptMessage>();
  /** Everything that was ever said in it, also what was dropped since. */
  readonly said: TranscriptMessage[] = [];
  /** Set by a summary, until the next request. */
  isCompacted = false;

  /** What the next request would send. */
  get sent(): Sent {
    return { messages: this.#messages, count: this.#messages.length };
  }

  /** A line of any kind: later ones name it as their parent. */
  remember(uuid: string | undefined): void {
    if (uuid !== undefined) this.#places.set(uuid, this.sent);
  }

  user(content: Json): void {
    const blocks = Array.isArray(content) ? [...(content as Json[])] : [content];
    this.#push({ role: 'user', content: blocks });
  }

  /** Answers come block by block, between results of calls that are done already. */
  answer(id: string, content: readonly Json[]): void {
    const known = this.#answers.get(id);
    if (known) {
      known.content.push(...content);
      delete known.blocks;
      return;
    }
    const message: TranscriptMessage = { role: 'assistant', id, content: [...content] };
    this.#answers.set(id, message);
    this.#push(message);
  }

  #push(message: TranscriptMessage): void {
    this.#messages.push(message);
    this.said.push(message);
  }

  /** A person went back: what was said after that line is no longer part of the conversation. */
  rewind(parent: string | undefined): void {
    const place = parent === undefined ? undefined : this.#places.get(parent);
    if (!place || place.messages !== this.#messages || place.count >= this.#messages.length) return;
    const dropped = this.#messages.slice(place.count);
    if (!dropped.some(({ role }) => role === 'assistant')) return;
    this.#messages = this.#messages.slice(0, place.count);
  }

  compact(): void {
    this.#messages = [];
    this.isCompacted = true;
  }
}
