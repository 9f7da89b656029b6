/**
 * Whole requests in transcripts of Claude Code (from 2.1.300 on): a shape (system prompt and tools), messages by their hash,
 * and for every request what it keeps of the one before and what it adds. Every part has a digest, and is used only if it
 * matches; messages that have no line of their own are found among the lines of the conversation. Digests are made when
 * somebody asks for a request, each once: anyone who only opens a file does not wait for them.
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

/** A message of the transcript's own lines. An answer's blocks come one by one. */
interface Spoken {
  readonly role: string;
  readonly content: Json[];
}

interface Marked {
  readonly path: readonly Json[];
  readonly value: JsonObject;
}

interface Kept {
  /** The request whose first messages it keeps, and how many. */
  readonly base: Kept | undefined;
  readonly keep: number;
  readonly hashes: readonly string[];
  readonly shapeHash: string;
  readonly params: JsonObject;
  readonly marks: readonly Marked[];
  readonly startedAt: number | undefined;
  readonly isCut: boolean;
  /** All its messages are here, and are what their digests say; undefined: nobody has looked yet. */
  hasMessages?: boolean;
}

/** The messages of a request as blocks, before any of them is marked. */
interface Said {
  readonly hashes: readonly string[];
  readonly blocks: readonly CacheBlock[];
  readonly roles: readonly string[];
  /** Of each message: how many blocks come before it; and of all. */
  readonly starts: readonly number[];
  readonly hasImages: boolean;
  readonly isCiting: boolean;
}

const NOTHING_SAID: Said = { hashes: [], blocks: [], roles: [], starts: [0], hasImages: false, isCiting: false };

/** A request that is reported whole. */
export interface Whole {
  readonly startedAt: number | undefined;
  readonly betas: readonly string[];
  /** All its parts are here, and are what their digests say. Nothing else of it may be asked for where this is false. */
  readonly isSound: () => boolean;
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

const hasCaller = ({ content }: Message): boolean => content.some((block) => isObject(block) && 'caller' in block);

/** Who called a tool is reported with a call, and left out once a session was resumed. */
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

/** Markers of messages, by message and block; and those of the rest as text. */
const sortedMarks = (marks: readonly Marked[]) => {
  const isMessage = ({ path }: Marked): boolean => path[0] === 'messages';
  return { ofMessages: marks.filter(isMessage), ofHead: JSON.stringify(marks.filter((mark) => !isMessage(mark))) };
};

export class Replay {
  /** As they are in the file, by the digest that they claim. */
  readonly #claimed = new Map<string, Json[]>();
  #spoken: readonly Spoken[] = [];
  /** Digests of lines, which only grow. */
  readonly #digests = new WeakMap<Spoken, { readonly length: number; readonly digest: string }>();
  /** Of the lines of the conversation, by digest; made when the first message is missing. */
  #lines: Map<string, Message> | undefined;
  #resumed: Map<string, Message> | undefined;
  /** What was found sound, or not found. */
  readonly #shapes = new Map<string, JsonObject | undefined>();
  readonly #messages = new Map<string, Message | undefined>();
  readonly #requests = new Map<string, Kept>();
  /** By the place of the message, then by its digest. */
  readonly #blocks: Map<string, readonly CacheBlock[]>[] = [];
  /** Of the request that was read last: the next one mostly continues with it. */
  #said = NOTHING_SAID;
  #envelope: { readonly key: string; readonly request: CacheRequest } | undefined;

  /** A line that belongs to it. */
  add(line: JsonObject): void {
    if (line['type'] === 'api-request-shape') this.#claim(line['shapeHash'], line['shape']);
    else if (line['type'] === 'api-request-blob') this.#claim(line['hash'], line['message']);
    else if (line['type'] === 'api-request') this.#addRequest(line);
  }

  get isEmpty(): boolean {
    return this.#requests.size === 0;
  }

  /** All messages as the lines of the conversation have them so far. What was missing may be there now. */
  said(messages: readonly Spoken[]): void {
    this.#spoken = messages;
    this.#lines = undefined;
    this.#resumed = undefined;
    for (const found of [this.#shapes, this.#messages])
      for (const [hash, part] of found) if (part === undefined) found.delete(hash);
    for (const kept of this.#requests.values()) if (kept.hasMessages === false) delete kept.hasMessages;
  }

  #claim(hash: Json | undefined, value: Json | undefined): void {
    if (value === undefined) return;
    const known = this.#claimed.get(text(hash));
    if (known) known.push(value);
    else this.#claimed.set(text(hash), [value]);
  }

  #addRequest(line: JsonObject): void {
    const base = this.#requests.get(text(line['base']));
    const keep = typeof line['keep'] === 'number' ? line['keep'] : 0;
    // What it continues from is not here: the digests of its first messages are not known.
    if (keep > (base?.hashes.length ?? 0)) return;
    const time = Date.parse(text(line['timestamp']));
    this.#requests.set(text(line['id']), {
      base,
      keep,
      hashes: [...(base?.hashes.slice(0, keep) ?? []), ...list(line['tail']).map(text)],
      shapeHash: text(line['shapeHash']),
      params: isObject(line['params']) ? line['params'] : {},
      marks: marksOf(line['cacheControl']),
      startedAt: Number.isFinite(time) ? time : undefined,
      isCut: Boolean(line['cut']) || Boolean(line['withheld']),
    });
  }

  #shapeOf(hash: string): JsonObject | undefined {
    if (this.#shapes.has(hash)) return this.#shapes.get(hash);
    const found = this.#claimed
      .get(hash)
      ?.filter(isObject)
      .find((shape) => digestOf(shape) === hash);
    this.#shapes.set(hash, found);
    return found;
  }

  #messageOf(hash: string): Message | undefined {
    if (this.#messages.has(hash)) return this.#messages.get(hash);
    const claimed = this.#claimed.get(hash)?.filter(isObject) ?? [];
    const found =
      claimed
        .map(({ role, content }) => messageOf(text(role), content ?? null))
        .find((message) => digestOf(message) === hash) ?? this.#lineOf(hash);
    this.#messages.set(hash, found);
    return found;
  }

  #digestOfLine(spoken: Spoken, message: Message): string {
    const { length } = spoken.content;
    const known = this.#digests.get(spoken);
    if (known?.length === length) return known.digest;
    const digest = digestOf(message);
    this.#digests.set(spoken, { length, digest });
    return digest;
  }

  #lineOf(hash: string): Message | undefined {
    this.#lines ??= new Map(
      this.#spoken.map((spoken) => {
        const message = messageOf(spoken.role, spoken.content);
        return [this.#digestOfLine(spoken, message), message];
      }),
    );
    const line = this.#lines.get(hash);
    if (line) return line;
    this.#resumed ??= new Map(
      [...this.#lines.values()].filter(hasCaller).map((message) => {
        const plain = withoutCaller(message);
        return [digestOf(plain), plain];
      }),
    );
    return this.#resumed.get(hash);
  }

  /** What it keeps of a request that was looked at is not looked at again. */
  #hasMessages(kept: Kept): boolean {
    const from = kept.base?.hasMessages === true ? kept.keep : 0;
    return (kept.hasMessages ??= kept.hashes.slice(from).every((hash) => this.#messageOf(hash) !== undefined));
  }

  /** Undefined: it is not here, or was cut. */
  whole(id: string): Whole | undefined {
    const kept = this.#requests.get(id);
    if (!kept || kept.isCut) return undefined;
    const { hashes, shapeHash, params, marks, startedAt } = kept;
    let isSound: boolean | undefined;
    return {
      startedAt,
      betas: list(params['betas']).map(text),
      isSound: () => (isSound ??= this.#shapeOf(shapeHash) !== undefined && this.#hasMessages(kept)),
      body: () =>
        this.#envelopeOf(
          kept,
          hashes.map((hash, at) => {
            const message = this.#messageOf(hash);
            return {
              role: message?.role,
              content: marked(message?.content ?? [], marks, 'messages', at, 'content'),
            };
          }),
        ),
      request: () => this.#requestOf(kept),
    };
  }

  #envelopeOf({ shapeHash, params, marks }: Kept, messages: readonly object[]): string {
    const shape = this.#shapeOf(shapeHash);
    return JSON.stringify({
      ...params,
      system: marked(list(shape?.['system']), marks, 'system'),
      tools: marked(list(shape?.['tools']), marks, 'tools'),
      messages,
    });
  }

  /** Most requests of a conversation have all but their messages in common. */
  #headOf(kept: Kept, marks: string): CacheRequest {
    const key = `${kept.shapeHash} ${marks} ${JSON.stringify(kept.params)}`;
    if (this.#envelope?.key !== key) {
      const read = readRequest(this.#envelopeOf(kept, []), WIRE, this.#envelope?.request);
      if (!read.ok) throw new Error(read.error);
      this.#envelope = { key, request: read.value };
    }
    return this.#envelope.request;
  }

  /** Each message is read once, and its blocks are the same objects in all requests that hold it in the same place. */
  #requestOf(kept: Kept): CacheRequest {
    const { ofMessages, ofHead } = sortedMarks(kept.marks);
    const request = this.#headOf(kept, ofHead);
    const { blocks: own, roles, starts, hasImages, isCiting } = this.#saidIn(kept);
    const head = request.blocks.length;
    const blocks = request.blocks.concat(own);
    for (const { path, value } of ofMessages) {
      const [, message, , item] = path;
      if (path.length !== 4 || path[2] !== 'content' || typeof message !== 'number' || typeof item !== 'number')
        continue;
      const place = head + (starts[message] ?? Infinity) + item;
      const block = place < head + (starts[message + 1] ?? 0) ? blocks[place] : undefined;
      if (block) blocks[place] = { ...block, marker: { ttl: value['ttl'] === '1h' ? '1h' : '5m' } };
    }
    const params = new Map(request.params);
    if (hasImages) params.set('has_images', 'true');
    if (isCiting) params.set('citations', 'true');
    return { ...request, blocks, roles, params };
  }

  #saidIn({ hashes }: Kept): Said {
    const before = this.#said;
    let shared = 0;
    while (shared < hashes.length && hashes[shared] === before.hashes[shared]) shared++;
    const isWhole = shared === before.hashes.length;
    const blocks = before.blocks.slice(0, before.starts[shared]);
    const roles = before.roles.slice(0, shared);
    const starts = before.starts.slice(0, shared + 1);
    for (let at = shared; at < hashes.length; at++) {
      const hash = hashes[at] ?? '';
      roles.push(this.#messageOf(hash)?.role ?? '');
      for (const block of this.#blocksOf(hash, at)) blocks.push(block);
      starts.push(blocks.length);
    }
    const fresh = isWhole ? blocks.slice(before.blocks.length) : blocks;
    this.#said = {
      hashes,
      blocks,
      roles,
      starts,
      hasImages: (isWhole && before.hasImages) || fresh.some(({ images }) => images !== undefined),
      isCiting: (isWhole && before.isCiting) || fresh.some(({ citations }) => citations === true),
    };
    return this.#said;
  }

  #blocksOf(hash: string, at: number): readonly CacheBlock[] {
    const here = (this.#blocks[at] ??= new Map<string, readonly CacheBlock[]>());
    const known = here.get(hash);
    if (known) return known;
    const blocks = readMessageText(JSON.stringify(this.#messageOf(hash)), at);
    here.set(hash, blocks);
    return blocks;
  }
}
