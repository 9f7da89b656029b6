/** What of a request is meant to be cached, and a request that has nothing else; SPEC.md GRD1. */
import { itemsOf, type JsonNode, memberOf, scanJson, valueOf } from '../../base/json-scan.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { sha256 } from '../../base/hash.ts';
import { readRequest } from '../cache/read-request.ts';
import type { Wire, WriteTtl } from '../provider/types.ts';

/** A tool, a block of the system prompt, or a message that belongs to it. */
export interface PrefixPart {
  /** Where it is in the body, such as `tools[0]` or `system[1]`. */
  readonly at: string;
  /** Exactly as it was sent. */
  readonly json: string;
}

export interface CachedPrefix {
  readonly wire: Wire;
  readonly model: string;
  readonly parts: readonly PrefixPart[];
  /** Of what caches the messages after it; absent: nothing does, or the wire does it by itself. */
  readonly messageTtl?: WriteTtl;
}

interface PlacedPart extends PrefixPart {
  readonly start: number;
  readonly end: number;
}

/** Members that are lists of parts, in the order in which a cache reads them. */
const LISTS: Readonly<Record<Wire, readonly string[]>> = {
  'anthropic-messages': ['tools', 'system'],
  'openai-responses': ['tools', 'instructions', 'input'],
  'openai-chat': ['tools', 'messages'],
};

const CONVERSATIONS: ReadonlySet<string> = new Set(['input', 'messages']);
const SYSTEM_ROLES: ReadonlySet<unknown> = new Set(['system', 'developer']);

const partsIn = (body: string, root: JsonNode, name: string): readonly PlacedPart[] => {
  const member = memberOf(root, name);
  if (!member) return [];
  const part = (node: JsonNode, at: string): PlacedPart => ({
    at,
    json: body.slice(node.start, node.end),
    start: node.start,
    end: node.end,
  });
  if (member.kind !== 'array') {
    const isText = member.kind === 'string' && !CONVERSATIONS.has(name);
    return isText ? [part(member, name)] : [];
  }
  const items = itemsOf(member);
  const roleOf = (node: JsonNode): unknown => {
    const role = memberOf(node, 'role');
    return role ? valueOf(body, role) : undefined;
  };
  const other = CONVERSATIONS.has(name) ? items.findIndex((node) => !SYSTEM_ROLES.has(roleOf(node))) : -1;
  return (other === -1 ? items : items.slice(0, other)).map((node, index) => part(node, `${name}[${index}]`));
};

/** An error says why a body cannot be read. */
export const prefixOf = (body: string, wire: Wire): Result<CachedPrefix, string> => {
  const read = readRequest(body, wire);
  if (!read.ok) return read;
  const scan = scanJson(body);
  if (!scan.ok) return err(scan.error.message);
  const { model, blocks, automatic } = read.value;
  const all = LISTS[wire].flatMap((name) => partsIn(body, scan.value, name));
  const marked = blocks.filter(({ marker }) => marker !== undefined);
  const behind = automatic ?? marked.find(({ tier }) => tier === 'messages')?.marker;
  const last = marked.findLast(({ tier }) => tier !== 'messages');
  const isCut = behind === undefined && last !== undefined;
  const end = isCut ? all.findIndex((part) => part.start <= last.start && last.end <= part.end) : -1;
  const parts = end === -1 ? all : all.slice(0, end + 1);
  return ok({
    wire,
    model,
    parts: parts.map(({ at, json }) => ({ at, json })),
    ...(behind && { messageTtl: behind.ttl }),
  });
};

/** Equal for prefixes that a cache takes for the same. */
export const prefixKey = ({ wire, model, parts, messageTtl }: CachedPrefix): string =>
  sha256(JSON.stringify([wire, model, parts.map(({ json }) => json), messageTtl ?? null]));

const TURNS = ['Hello.', 'Hello. How can I help?', 'Go on.'];

/** A conversation that begins with it, and has so many messages. */
export const bodyWith = ({ wire, model, parts, messageTtl }: CachedPrefix, messages: number): string => {
  const listed = (name: string): readonly string[] =>
    parts.filter(({ at }) => at.startsWith(`${name}[`)).map(({ json }) => json);
  const alone = (name: string): string | undefined => parts.find(({ at }) => at === name)?.json;
  const isOurs = wire === 'anthropic-messages';
  const turns = TURNS.slice(0, messages).map((text, index) => {
    const isMarked = messageTtl !== undefined && index === messages - 1;
    const content = isMarked ? [{ type: 'text', text, cache_control: { type: 'ephemeral', ttl: messageTtl } }] : text;
    return JSON.stringify({ role: index % 2 === 0 ? 'user' : 'assistant', content });
  });
  const conversation = wire === 'openai-responses' ? 'input' : 'messages';
  const system = alone('system') ?? (listed('system').length > 0 ? `[${listed('system').join(',')}]` : undefined);
  const members: readonly (readonly [string, string | undefined])[] = [
    ['model', JSON.stringify(model)],
    ...(isOurs ? [['max_tokens', '100'] as const] : []),
    ['tools', listed('tools').length > 0 ? `[${listed('tools').join(',')}]` : undefined],
    ['system', isOurs ? system : undefined],
    ['instructions', alone('instructions')],
    [conversation, `[${[...listed(conversation), ...turns].join(',')}]`],
  ];
  const written = members.flatMap(([name, json]) => (json === undefined ? [] : [`${JSON.stringify(name)}:${json}`]));
  return `{${written.join(',')}}`;
};
