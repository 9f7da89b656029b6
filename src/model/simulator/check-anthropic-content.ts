/** What the Messages API refuses in a conversation. */
import { createGrowingList, sharedItems } from '../../base/growing-list.ts';
import { type Json, type JsonObject, isObject } from '../../base/json.ts';
import { STRANGE_TYPE } from './faults.ts';
import { signThinking } from './ids.ts';
import { fieldsOf, listOf, textOf } from './json-read.ts';
import { invalid, type SimError } from './sim-error.ts';

/** Those of the SDK's types, betas included. */
const BLOCK_TYPES = (
  'advisor_tool_result bash_code_execution_tool_result code_execution_tool_result compaction container_upload document ' +
  'fallback image mcp_tool_listing mcp_tool_result mcp_tool_use redacted_thinking search_result server_tool_use text ' +
  'text_editor_code_execution_tool_result thinking tool_addition tool_removal tool_result tool_search_tool_result tool_use ' +
  'web_fetch_tool_result web_search_tool_result'
).split(' ');

/** The SDK adds `parsed_output` to what it hands out, and people send that back. */
export const TEXT_FIELDS = new Set(['type', 'text', 'cache_control', 'citations', 'parsed_output']);
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

const tags = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

export const wrongTag = (where: string, found: Json | undefined, expected: readonly string[]): SimError =>
  invalid(
    `${where}: Input tag '${textOf(found)}' found using 'type' does not match any of the expected tags: ${tags(expected)}`,
  );

/** `'a', 'b' or 'c'`. */
export const oneOf = (names: readonly string[]): string => `${tags(names.slice(0, -1))} or '${names.at(-1) ?? ''}'`;

const checkText = (block: JsonObject, where: string, mayBeBlank: boolean): SimError | undefined => {
  const { text } = block;
  if (typeof text !== 'string') return invalid(`${where}.text: Field required`);
  if (text === '' && !mayBeBlank) return invalid('messages: text content blocks must be non-empty');
  if (text.trim() === '' && !mayBeBlank)
    return invalid('messages: text content blocks must contain non-whitespace text');
  const stranger = strangerIn(block, TEXT_FIELDS);
  return stranger === undefined ? undefined : invalid(`${where}.text.${stranger}: Extra inputs are not permitted`);
};

/** Where the kinds of a source have what they stand for. */
const SOURCES: Readonly<Record<string, string>> = { text: 'data', url: 'url', file: 'file_id' };

const BASE64 = /^[A-Za-z0-9+/\s]+(?:={1,2}\s*)?$/;

/** How the bytes of each kind of image begin, in base64. */
const BEGINNINGS: readonly (readonly [type: string, begins: RegExp])[] = [
  ['image/png', /^iVBORw0KGgo/],
  ['image/jpeg', /^\/9j\//],
  ['image/gif', /^R0lGOD/],
  ['image/webp', /^UklGR.{8}(?:XRUJQ|FdFQl)/],
];

/** What stands for a image or a file, of the types that a model reads. */
const checkData = (kind: string, source: JsonObject, where: string): SimError | undefined => {
  const at = `${where}.${kind}.source.base64`;
  const { data, media_type: media } = source;
  if (kind === 'image' && !IMAGE_TYPES.includes(textOf(media)))
    return invalid(`${at}.media_type: Input should be ${oneOf(IMAGE_TYPES)}`);
  if (kind === 'document' && media !== 'application/pdf')
    return invalid(`${at}.media_type: Input should be 'application/pdf'`);
  if (typeof data !== 'string') return invalid(`${at}.data: Field required`);
  if (data === '') return invalid(`${at}: ${kind} cannot be empty`);
  if (!BASE64.test(data)) return invalid(`${at}.data: Invalid base64 data`);
  // Bytes that nobody knows pass: a picture of a test need not be one.
  const [is = media] = BEGINNINGS.find(([, begins]) => begins.test(data)) ?? [];
  return kind === 'image' && is !== media
    ? invalid(
        `${at}: The image was specified using the ${textOf(media)} media type, but the image appears to be a ${textOf(is)} image`,
      )
    : undefined;
};

const checkSource = (block: JsonObject, where: string): SimError | undefined => {
  const kind = textOf(block['type']);
  const source = fieldsOf(block['source']);
  const type = textOf(source['type']);
  if (source['type'] === undefined) return invalid(`${where}.${kind}.source: Field required`);
  if (type === 'base64') return checkData(kind, source, where);
  if (type === 'text' && source['media_type'] !== 'text/plain')
    return invalid(`${where}.${kind}.source.text.media_type: Input should be 'text/plain'`);
  const key = SOURCES[type];
  if (type === 'url' && !/^https?:\/\//.test(textOf(source['url'])))
    return invalid(`${where}.${kind}.source.url.url: Only HTTPS URLs are supported.`);
  return key !== undefined && typeof source[key] !== 'string'
    ? invalid(`${where}.${kind}.source.${type}.${key}: Field required`)
    : undefined;
};

/** Where it was found, how it is called, and what it says. */
const checkSearchResult = (block: JsonObject, where: string): SimError | undefined => {
  const left = ['source', 'title'].find((key) => typeof block[key] !== 'string');
  if (left !== undefined) return invalid(`${where}.search_result.${left}: Field required`);
  if (!Array.isArray(block['content'])) return invalid(`${where}.search_result.content: Field required`);
  const odd = listOf(block['content']).findIndex((item) => fieldsOf(item)['type'] !== 'text');
  return odd === -1 ? undefined : invalid(`${where}.search_result.content.${odd}.type: Input should be 'text'`);
};

const isEmpty = (content: Json): boolean => content === '' || (Array.isArray(content) && content.length === 0);

const CALL_FIELDS = new Set(['type', 'id', 'name', 'input', 'cache_control', 'caller', 'toolset_name']);
const RESULT_FIELDS = new Set(['type', 'tool_use_id', 'content', 'is_error', 'cache_control', 'toolset_name']);

const strangerIn = (fields: JsonObject, known: ReadonlySet<string>): string | undefined =>
  Object.keys(fields).find((key) => !known.has(key));

const TOOL_ID = /^[a-zA-Z0-9_-]+$/;

const checkToolUse = (block: JsonObject, where: string, role: string): SimError | undefined => {
  if (role !== 'assistant') return invalid(`${where}: \`tool_use\` blocks can only be in \`assistant\` messages`);
  for (const key of ['id', 'name'])
    if (typeof block[key] !== 'string') return invalid(`${where}.tool_use.${key}: Field required`);
  if (!TOOL_ID.test(textOf(block['id'])))
    return invalid(`${where}.tool_use.id: String should match pattern '${TOOL_ID.source}'`);
  const stranger = strangerIn(block, CALL_FIELDS);
  if (stranger !== undefined) return invalid(`${where}.tool_use.${stranger}: Extra inputs are not permitted`);
  return isObject(block['input']) ? undefined : invalid(`${where}.tool_use.input: Input should be an object`);
};

const RESULT_TYPES = ['document', 'image', 'search_result', 'text', 'tool_reference'];

const checkToolResult = (block: JsonObject, where: string, role: string): SimError | undefined => {
  const { content } = block;
  if (role !== 'user') return invalid(`${where}: \`tool_result\` blocks can only be in \`user\` messages`);
  if (typeof block['tool_use_id'] !== 'string') return invalid(`${where}.tool_result.tool_use_id: Field required`);
  const stranger = strangerIn(block, RESULT_FIELDS);
  if (stranger !== undefined) return invalid(`${where}.tool_result.${stranger}: Extra inputs are not permitted`);
  if (content !== undefined && content !== null && typeof content !== 'string' && !Array.isArray(content))
    return invalid(`${where}.tool_result.content: Input should be a valid string or array`);
  for (const [at, item] of listOf(content).entries()) {
    const { type } = fieldsOf(item);
    if (!RESULT_TYPES.includes(textOf(type)) && type !== STRANGE_TYPE)
      return wrongTag(`${where}.tool_result.content.${at}`, type, RESULT_TYPES);
  }
  return block['is_error'] === true && isEmpty(content ?? '')
    ? invalid(`${where}.tool_result: content cannot be empty if \`is_error\` is true`)
    : undefined;
};

const checkBlock = (block: JsonObject, where: string, role: string, hasCalls: boolean): SimError | undefined => {
  if (typeof block['type'] !== 'string') return invalid(`${where}: Input should have a \`type\``);
  if (!BLOCK_TYPES.includes(block['type']) && block['type'] !== STRANGE_TYPE)
    return wrongTag(where, block['type'], BLOCK_TYPES);
  // Streams with calls leave blank strings behind, and the API takes them back.
  if (block['type'] === 'text') return checkText(block, where, hasCalls);
  switch (block['type']) {
    case 'image':
    case 'document':
      return checkSource(block, where);
    case 'search_result':
      return checkSearchResult(block, where);
    case 'tool_use':
      return checkToolUse(block, where, role);
    case 'tool_result':
      return checkToolResult(block, where, role);
    case 'thinking':
    case 'redacted_thinking':
      return role === 'assistant'
        ? undefined
        : invalid(`${where}: \`${block['type']}\` blocks can only be in \`assistant\` messages`);
    default:
      return undefined;
  }
};

const checkThinking = (content: readonly Json[], at: string): SimError | undefined => {
  for (const [index, item] of content.entries()) {
    const block = fieldsOf(item);
    if (block['type'] !== 'thinking') continue;
    if (typeof block['signature'] !== 'string')
      return invalid(`${at}.content.${index}.thinking.signature: Field required`);
    if (block['signature'] !== signThinking(textOf(block['thinking'])))
      return invalid(`${at}.content.${index}: Invalid \`signature\` in \`thinking\` block`);
  }
  return undefined;
};

const checkContent = (message: JsonObject, index: number, isLast: boolean): SimError | undefined => {
  const content = message['content'];
  const role = textOf(message['role']);
  if (content === undefined) return invalid(`messages.${index}.content: Field required`);
  if (isEmpty(content)) {
    if (role !== 'assistant') return invalid(`messages.${index}: ${role} messages must have non-empty content`);
    return isLast
      ? undefined
      : invalid(
          `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
        );
  }
  if (typeof content === 'string')
    return content.trim() === ''
      ? invalid('messages: text content blocks must contain non-whitespace text')
      : undefined;
  if (!Array.isArray(content)) return invalid(`messages.${index}.content: Input should be a valid array`);
  const hasCalls = role === 'assistant' && listOf(content).some((item) => fieldsOf(item)['type'] === 'tool_use');
  for (const [at, item] of listOf(content).entries()) {
    const fault = checkBlock(fieldsOf(item), `messages.${index}.content.${at}`, role, hasCalls);
    if (fault) return fault;
  }
  return role === 'assistant' ? checkThinking(listOf(content), `messages.${index}`) : undefined;
};

interface PlacedBlock {
  readonly block: JsonObject;
  readonly message: number;
  readonly at: number;
}

interface Turn {
  readonly role: string;
  /** Of the first message of the turn. */
  readonly index: number;
  readonly blocks: readonly PlacedBlock[];
  /** Whether it calls tools or brings results. */
  readonly hasTools: boolean;
}

const isToolBlock = ({ block }: PlacedBlock): boolean =>
  block['type'] === 'tool_use' || block['type'] === 'tool_result';

/** Each message as a turn of its own. */
const messageTurns = createGrowingList<JsonObject, Turn>(({ role, content }, index) => {
  const items: readonly Json[] = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  const blocks = items.map((item, at) => ({ block: fieldsOf(item), message: index, at }));
  return { role: textOf(role), index, blocks, hasTools: blocks.some(isToolBlock) };
});

/** Messages of one role in a row are one turn. A system message may stand between a call and its result. */
const turnsOf = (messages: readonly JsonObject[]): readonly Turn[] => {
  const turns: Turn[] = [];
  let joined: PlacedBlock[] = [];
  for (const turn of messageTurns(messages)) {
    if (turn.role === 'system') continue;
    const last = turns.at(-1);
    if (last?.role !== turn.role) {
      turns.push(turn);
      continue;
    }
    if (last.blocks !== joined) joined = [...last.blocks];
    joined.push(...turn.blocks);
    turns[turns.length - 1] = { ...last, blocks: joined, hasTools: last.hasTools || turn.hasTools };
  }
  return turns;
};

const idsOf = (turn: Turn | undefined, type: string, key: string): readonly string[] =>
  (turn?.blocks ?? []).filter(({ block }) => block['type'] === type).map(({ block }) => textOf(block[key]));

/** Results come before anything else that a user says. */
const leadingResults = (turn: Turn | undefined): readonly string[] => {
  const end = turn?.blocks.findIndex(({ block }) => block['type'] !== 'tool_result') ?? 0;
  return idsOf(
    turn && { ...turn, blocks: end === -1 ? turn.blocks : turn.blocks.slice(0, end) },
    'tool_result',
    'tool_use_id',
  );
};

const checkPairs = (turns: readonly Turn[]): SimError | undefined => {
  const known = new Set<string>();
  for (let at = 0; at < turns.length; at++) {
    const turn = turns[at];
    if (turn?.hasTools !== true) continue;
    const used = idsOf(turn, 'tool_use', 'id');
    if (new Set(used).size < used.length || used.some((id) => known.has(id)))
      return invalid(`messages.${turn.index}: \`tool_use\` ids must be unique`);
    for (const id of used) known.add(id);
    const answered = leadingResults(turns[at + 1]);
    const open = used.filter((id) => !answered.includes(id));
    if (open.length > 0)
      return invalid(
        `messages.${turn.index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. ` +
          'Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
      );
    const again = idsOf(turn, 'tool_result', 'tool_use_id').find((id, index, all) => all.indexOf(id) !== index);
    if (again !== undefined)
      return invalid(
        `messages.${turn.index}.content: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${again}`,
      );
    const before = idsOf(turns[at - 1], 'tool_use', 'id');
    for (const { block, message, at: place } of turn.blocks) {
      const id = textOf(block['tool_use_id']);
      if (block['type'] === 'tool_result' && !before.includes(id))
        return invalid(
          `messages.${message}.content.${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
            'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
        );
    }
  }
  return undefined;
};

const isThinking = (block: JsonObject): boolean =>
  block['type'] === 'thinking' || block['type'] === 'redacted_thinking';

/** With a thinking budget a call to tools, and an answer that is begun, go back with the thinking before them. */
const checkLeading = (turns: readonly Turn[], body: JsonObject): SimError | undefined => {
  if (fieldsOf(body['thinking'])['type'] !== 'enabled') return undefined;
  const at = turns.findLastIndex(({ role }) => role === 'assistant');
  const turn = turns[at];
  const first = turn?.blocks[0]?.block;
  const isBegun = at === turns.length - 1;
  if (!turn || first === undefined || at < turns.length - 2 || isThinking(first)) return undefined;
  if (!isBegun && !turn.blocks.some(({ block }) => block['type'] === 'tool_use')) return undefined;
  return invalid(
    `messages.${turn.index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${textOf(first['type'])}\`. ` +
      'When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks).',
  );
};

/** An answer that is begun must not end in a space: the model would continue with another word. */
const checkBegun = (turns: readonly Turn[]): SimError | undefined => {
  const last = turns.at(-1);
  const end = last?.role === 'assistant' ? last.blocks.at(-1)?.block : undefined;
  return end?.['type'] === 'text' && /\s$/.test(textOf(end['text']))
    ? invalid('messages: final assistant content cannot end with trailing whitespace')
    : undefined;
};

/** Messages with which nothing is wrong wherever they stand, but at the end. The next request has the same ones, and more. */
const FINE = new WeakSet<JsonObject>();
let lastFine: readonly JsonObject[] = [];
const messageFields = createGrowingList<Json, JsonObject>((item) => fieldsOf(item));

const MESSAGE_FIELDS = new Set(['role', 'content', 'clear_at', 'output_config']);

export const checkMessages = (body: JsonObject): SimError | undefined => {
  const list = body['messages'];
  if (list === undefined) return invalid('messages: Field required');
  if (!Array.isArray(list)) return invalid('messages: Input should be a valid array');
  if (list.length === 0) return invalid('messages: at least one message is required');
  const messages = messageFields(listOf(list));
  // All but the last were found fine with the previous request.
  const first = Math.max(0, Math.min(sharedItems(lastFine, messages), lastFine.length - 1, messages.length - 1));
  for (let index = first; index < messages.length; index++) {
    const message = messages[index] ?? {};
    const isLast = index === messages.length - 1;
    if (!isLast && FINE.has(message)) continue;
    const role = message['role'];
    if (role === undefined) return invalid(`messages.${index}.role: Field required`);
    if (role !== 'user' && role !== 'assistant' && role !== 'system')
      return invalid(`messages.${index}.role: Input should be 'user', 'assistant' or 'system'`);
    const stranger = strangerIn(message, MESSAGE_FIELDS);
    if (stranger !== undefined) return invalid(`messages.${index}.${stranger}: Extra inputs are not permitted`);
    const fault = checkContent(message, index, isLast);
    if (fault) return fault;
    if (!isLast) FINE.add(message);
  }
  lastFine = messages;
  const turns = turnsOf(messages);
  return checkPairs(turns) ?? checkLeading(turns, body) ?? checkBegun(turns);
};
