/**
 * Whole requests in transcripts of Claude Code (from 2.1.300 on): a shape (system prompt and tools), messages by their hash,
 * and for every request what it keeps of the one before and what it adds. Every part has a digest, and is used only if it
 * matches; messages that have no line of their own are found among the lines of the conversation.
 */
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { sha256 } from '../../../base/hash.ts';
import { readMessageText } from '../../cache/read-anthropic.ts';
import { canonicalJson } from '../../cache/read-parts.ts';
import { readRequest } from '../../cache/read-request.ts';
import type { CacheBlock, CacheRequest } from '../../cache/types.ts';

const WIRE = 'anthropic-messages';

interface Message {
  readonly role: string;
  readonly content: readonly Json[];
}

interface Marked {
  readonly path: readonly Json[];
  readonly value: JsonObject;
}

interface Kept {
  readonly hashes: readonly string[];
  readonly shapeHash: string;
  readonly params: JsonObject;
  readonly marks: readonly Marked[];
  readonly startedAt: number | undefined;
  readonly isCut: boolean;
}

/** A request that was put together from parts whose digests match. */
export interface Whole {
  readonly startedAt: number | undefined;
  readonly betas: readonly string[];
  readonly body: () => string;
  readonly request: () => CacheRequest;
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

const withoutMarker = (block: Json): Json => {
  if (!isObject(block)) return block;
  const { cache_control: _marker, ...rest } = block;
  return Array.isArray(rest['content']) ? { ...rest, content: list(rest['content']).map(withoutMarker) } : rest;
};

const messageOf = (role: string, content: Json): Message => ({
  role,
  content: (Array.isArray(content) ? list(content) : [content]).map((block) =>
    typeof block === 'string' ? { type: 'text', text: block } : withoutMarker(block),
  ),
});

/** Who called a tool is told with a call, and left out once a session was resumed. */
const withoutCaller = ({ role, content }: Message): Message => ({
  role,
  content: content.map((block) => {
    if (!isObject(block) || block['type'] !== 'tool_use') return block;
    const { caller: _caller, ...rest } = block;
    return rest;
  }),
});

const digestOf = (value: unknown): string => sha256(canonicalJson(value));

const marksOf = (value: Json | undefined): readonly Marked[] =>
  list(value).flatMap((mark) =>
    isObject(mark) && isObject(mark['value']) ? [{ path: list(mark['path']), value: mark['value'] }] : [],
  );

const markedAt = (marks: readonly Marked[], ...path: readonly Json[]): JsonObject | undefined =>
  marks.find((mark) => mark.path.length === path.length && path.every((key, at) => mark.path[at] === key))?.value;

const marked = (items: readonly Json[], marks: readonly Marked[], ...path: readonly Json[]): readonly Json[] =>
  items.map((item, index) => {
    const value = markedAt(marks, ...path, index);
    return value && isObject(item) ? { ...item, cache_control: value } : item;
  });

export class Replay {
  readonly #shapes = new Map<string, JsonObject>();
  readonly #messages = new Map<string, Message>();
  readonly #requests = new Map<string, Kept>();
  readonly #blocks = new Map<string, readonly CacheBlock[]>();
  #envelope: { readonly body: string; readonly request: CacheRequest } | undefined;

  /** A line that belongs to it. */
  add(line: JsonObject): void {
    if (line['type'] === 'api-request-shape') this.#addShape(line);
    else if (line['type'] === 'api-request-blob') this.#addBlob(line);
    else if (line['type'] === 'api-request') this.#addRequest(line);
  }

  get isEmpty(): boolean {
    return this.#requests.size === 0;
  }

  /** A message as the lines of the conversation have it. */
  said(role: string, content: Json): void {
    const message = messageOf(role, content);
    this.#messages.set(digestOf(message), message);
    if (role !== 'assistant') return;
    const plain = withoutCaller(message);
    this.#messages.set(digestOf(plain), plain);
  }

  #addShape({ shapeHash, shape }: JsonObject): void {
    if (isObject(shape) && digestOf(shape) === shapeHash) this.#shapes.set(text(shapeHash), shape);
  }

  #addBlob({ hash, message }: JsonObject): void {
    if (!isObject(message)) return;
    const sent = messageOf(text(message['role']), message['content'] ?? null);
    if (digestOf(sent) === hash) this.#messages.set(hash, sent);
  }

  #addRequest(line: JsonObject): void {
    const base = this.#requests.get(text(line['base']));
    const keep = typeof line['keep'] === 'number' ? line['keep'] : 0;
    // What it goes on from is not here: the digests of its first messages are not known.
    if (keep > (base?.hashes.length ?? 0)) return;
    const time = Date.parse(text(line['timestamp']));
    this.#requests.set(text(line['id']), {
      hashes: [...(base?.hashes.slice(0, keep) ?? []), ...list(line['tail']).map(text)],
      shapeHash: text(line['shapeHash']),
      params: isObject(line['params']) ? line['params'] : {},
      marks: marksOf(line['cacheControl']),
      startedAt: Number.isFinite(time) ? time : undefined,
      isCut: Boolean(line['cut']) || Boolean(line['withheld']),
    });
  }

  /** Undefined: it is not here, or a part of it is missing, cut, or not what its digest says. */
  whole(id: string): Whole | undefined {
    const kept = this.#requests.get(id);
    if (!kept || kept.isCut) return undefined;
    const { hashes, shapeHash, params, marks, startedAt } = kept;
    const shape = this.#shapes.get(shapeHash);
    if (!shape || !hashes.every((hash) => this.#messages.has(hash))) return undefined;
    const messages = (): readonly Message[] => hashes.flatMap((hash) => this.#messages.get(hash) ?? []);
    const envelope = (sent: readonly unknown[]): string =>
      JSON.stringify({
        ...params,
        system: marked(list(shape['system']), marks, 'system'),
        tools: marked(list(shape['tools']), marks, 'tools'),
        messages: sent,
      });
    return {
      startedAt,
      betas: list(params['betas']).map(text),
      body: () =>
        envelope(
          messages().map(({ role, content }, at) => ({
            role,
            content: marked(content, marks, 'messages', at, 'content'),
          })),
        ),
      request: () => this.#requestOf(envelope([]), hashes, marks),
    };
  }

  /** Each message is read once, and its blocks are the same objects in all requests that hold it in the same place. */
  #requestOf(envelope: string, hashes: readonly string[], marks: readonly Marked[]): CacheRequest {
    if (this.#envelope?.body !== envelope) {
      const read = readRequest(envelope, WIRE, this.#envelope?.request);
      if (!read.ok) throw new Error(read.error);
      this.#envelope = { body: envelope, request: read.value };
    }
    const { request } = this.#envelope;
    const blocks = [...request.blocks];
    const roles: string[] = [];
    hashes.forEach((hash, at) => {
      const message = this.#messages.get(hash);
      roles.push(message?.role ?? '');
      this.#blocksOf(hash, at).forEach((block, index) => {
        const value = markedAt(marks, 'messages', at, 'content', index);
        blocks.push(value ? { ...block, marker: { ttl: value['ttl'] === '1h' ? '1h' : '5m' } } : block);
      });
    });
    const params = new Map(request.params);
    if (blocks.some(({ images }) => images !== undefined)) params.set('has_images', 'true');
    if (blocks.some(({ citations }) => citations)) params.set('citations', 'true');
    return { ...request, blocks, roles, params };
  }

  #blocksOf(hash: string, at: number): readonly CacheBlock[] {
    const key = `${at} ${hash}`;
    const known = this.#blocks.get(key);
    if (known) return known;
    const blocks = readMessageText(JSON.stringify(this.#messages.get(hash)), at);
    this.#blocks.set(key, blocks);
    return blocks;
  }
}
