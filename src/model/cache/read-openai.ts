/**
 * OpenAI's wires. The order in which OpenAI renders a prompt is not published; here it is tools, then instructions and leading
 * system or developer messages, then the rest, because a change of tools is reported as losing everything.
 */
import { itemsOf, type JsonMember, type JsonNode, memberOf, valueOf } from '../../base/json-scan.ts';
import type { WriteTtl } from '../provider/types.ts';
import { readMarker } from './read-anthropic.ts';
import { copied } from '../../base/text.ts';
import {
  asTextBlock,
  blocksOf,
  countImages,
  fault,
  faultsOf,
  isEmptyString,
  type ItemCache,
  MARKER_KEYS,
  presentMember,
  type ReadItem,
  readParams,
  stringAt,
  textWithout,
} from './read-parts.ts';
import type { CacheBlock, CacheRequest, RequestFault, Tier } from './types.ts';

interface Place {
  readonly tier: Tier;
  readonly label: string;
  readonly role?: string;
  readonly message?: number;
}

/** Part types that can carry `prompt_cache_breakpoint`. */
const MARKABLE: ReadonlySet<string> = new Set([
  'input_text',
  'input_image',
  'input_file',
  'text',
  'image_url',
  'input_audio',
  'file',
  'refusal',
]);

const SYSTEM_ROLES: ReadonlySet<string> = new Set(['system', 'developer']);

const readBreakpoint = (
  body: string,
  node: JsonNode,
  label: string,
  requestTtl: WriteTtl,
): { readonly marker?: { readonly ttl: WriteTtl }; readonly faults: readonly RequestFault[] } => {
  const member = presentMember(body, node, 'prompt_cache_breakpoint');
  if (!member) return readMarker(body, node, label);
  const ttl = presentMember(body, member, 'ttl');
  const value = ttl === undefined ? requestTtl : valueOf(body, ttl);
  if (value === '30m' || value === '12h') return { marker: { ttl: value }, faults: [] };
  const path = `${label}.prompt_cache_breakpoint.ttl`;
  return { faults: [fault('breakpoint-ttl', `Invalid value for '${path}': supported values are '30m' and '12h'.`)] };
};

const readPart = (body: string, node: JsonNode, place: Place, requestTtl: WriteTtl): ReadItem => {
  const kind = stringAt(body, node, 'type') ?? 'unknown';
  const images = countImages(body, node);
  const { marker, faults } = readBreakpoint(body, node, place.label, requestTtl);
  const unmarkable = isEmptyString(memberOf(node, 'text')) ? 'empty' : MARKABLE.has(kind) ? undefined : 'kind';
  const block: CacheBlock = {
    ...place,
    kind,
    text: textWithout(body, node),
    start: node.start,
    end: node.end,
    ...(marker && { marker }),
    ...(unmarkable && { unmarkable }),
    ...(images > 0 && { images }),
  };
  return { blocks: [block], faults, role: place.role ?? '' };
};

const readParts = (
  body: string,
  node: JsonNode | undefined,
  place: Place,
  textType: string,
  requestTtl: WriteTtl,
): ReadItem => {
  const role = place.role ?? '';
  if (node?.kind === 'string') {
    const { start, end } = node;
    const text = asTextBlock(textType, body, node);
    const empty = isEmptyString(node) && { unmarkable: 'empty' as const };
    return { blocks: [{ ...place, kind: textType, text, start, end, ...empty }], faults: [], role };
  }
  const parts = itemsOf(node).map((item, index) =>
    readPart(body, item, { ...place, label: `${place.label}[${index}]` }, requestTtl),
  );
  return { blocks: blocksOf(parts), faults: faultsOf(parts), role };
};

/** A block that cannot carry a breakpoint. */
const plainBlock = (
  place: Place,
  kind: string,
  text: string,
  at: { readonly start: number; readonly end: number },
): CacheBlock => ({ ...place, kind, text, start: at.start, end: at.end, unmarkable: 'kind' });

/** Members of a message beside its content, such as `tool_call_id`, take part in the prompt as blocks of their own. */
const readExtras = (body: string, node: JsonNode, place: Place, known: ReadonlySet<string>): readonly CacheBlock[] => {
  if (node.kind !== 'object') return [];
  const isExtra = (member: JsonMember): boolean =>
    !known.has(member.key) && presentMember(body, node, member.key) === member.value;
  return node.members.filter(isExtra).map(({ key, start, value: { end } }) => {
    const label = `${place.label}.${key}`;
    return plainBlock({ ...place, label }, key, copied(body.slice(start, end)), { start, end });
  });
};

const readTools = (body: string, root: JsonNode, cache: ItemCache): readonly ReadItem[] =>
  cache.read('tools', itemsOf(memberOf(root, 'tools')), '', (node, index) => {
    const label = `tools[${index}]`;
    const { marker, faults } = readMarker(body, node, label);
    const { unmarkable: _, ...block } = plainBlock({ tier: 'tools', label }, 'tool', textWithout(body, node), node);
    return { blocks: [{ ...block, ...(marker ? { marker } : { unmarkable: 'kind' }) }], faults, role: '' };
  });

const CHAT_KEYS: ReadonlySet<string> = new Set(['role', 'content', 'tool_calls', ...MARKER_KEYS]);

const readChatMessage = (body: string, node: JsonNode, place: Place, requestTtl: WriteTtl): ReadItem => {
  const role = place.role ?? '';
  const extras = readExtras(body, node, place, CHAT_KEYS);
  const content = readParts(
    body,
    memberOf(node, 'content'),
    { ...place, label: `${place.label}.content` },
    'text',
    requestTtl,
  );
  const calls = itemsOf(memberOf(node, 'tool_calls')).map((call, index) => {
    const label = `${place.label}.tool_calls[${index}]`;
    return plainBlock({ ...place, label }, 'tool_call', textWithout(body, call), call);
  });
  return { blocks: [...extras, ...content.blocks, ...calls], faults: content.faults, role };
};

/** Given by the API to its own output; the model does not read them. */
const UNRENDERED: ReadonlySet<string> = new Set(['id', 'status', ...MARKER_KEYS]);
const MESSAGE_KEYS: ReadonlySet<string> = new Set(['type', 'role', 'content', ...UNRENDERED]);

const readInputItem = (body: string, node: JsonNode, place: Place, requestTtl: WriteTtl): ReadItem => {
  const role = place.role ?? '';
  const type = stringAt(body, node, 'type') ?? (role === '' ? 'unknown' : 'message');
  if (type === 'message') {
    const extras = readExtras(body, node, place, MESSAGE_KEYS);
    const textType = role === 'assistant' ? 'output_text' : 'input_text';
    const label = `${place.label}.content`;
    const content = readParts(body, memberOf(node, 'content'), { ...place, label }, textType, requestTtl);
    return { blocks: [...extras, ...content.blocks], faults: content.faults, role };
  }
  const images = countImages(body, node);
  const output = memberOf(node, 'output');
  const isSplit = output?.kind === 'array' && type.endsWith('_output');
  const drop = type === 'item_reference' ? MARKER_KEYS : isSplit ? new Set([...UNRENDERED, 'output']) : UNRENDERED;
  const block: CacheBlock = {
    ...plainBlock(place, type, textWithout(body, node, drop), node),
    ...(images > 0 && !isSplit && { images }),
  };
  if (!isSplit) return { blocks: [block], faults: [], role };
  const parts = readParts(body, output, { ...place, label: `${place.label}.output` }, 'input_text', requestTtl);
  return { blocks: [block, ...parts.blocks], faults: parts.faults, role };
};

/**
 * Items in order, with those system and developer messages that come before all others in the system tier. A breakpoint
 * without a TTL has that of the request, so items that were read under another one are read again.
 */
const readItems = (
  body: string,
  nodes: readonly JsonNode[],
  name: string,
  read: (node: JsonNode, place: Place) => ReadItem,
  cache: ItemCache,
  requestTtl: WriteTtl,
): readonly ReadItem[] => {
  const roleOf = (node: JsonNode | undefined): string => stringAt(body, node, 'role') ?? '';
  const firstOther = nodes.findIndex((node) => !SYSTEM_ROLES.has(roleOf(node)));
  const leading = firstOther === -1 ? nodes.length : firstOther;
  return cache.read(name, nodes, requestTtl, (node, message) => {
    const role = roleOf(node);
    const tier: Tier = message < leading ? 'system' : 'messages';
    return read(node, { tier, label: `${name}[${message}]`, message, ...(role !== '' && { role }) });
  });
};

const CACHE_PARAMS = [
  'prompt_cache_options',
  'prompt_cache_options.mode',
  'prompt_cache_options.ttl',
  'prompt_cache_options.prewarm',
  'prompt_cache_options.comparison_response_id',
  'prompt_cache_retention',
];
const RESPONSES_PARAMS = [
  'tool_choice',
  'parallel_tool_calls',
  'text.format',
  'text.verbosity',
  'reasoning.effort',
  'service_tier',
  'previous_response_id',
  'conversation',
  'prompt',
  'stream',
  'max_output_tokens',
  ...CACHE_PARAMS,
];
const CHAT_PARAMS = [
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'verbosity',
  'reasoning_effort',
  'reasoning',
  'service_tier',
  'stream',
  'max_tokens',
  'max_completion_tokens',
  ...CACHE_PARAMS,
];

/** Of the whole request; applies to every breakpoint that names none. */
const requestTtlOf = (params: ReadonlyMap<string, string>): WriteTtl =>
  params.get('prompt_cache_options.ttl') === '"12h"' ? '12h' : '30m';

const assemble = (
  body: string,
  root: JsonNode,
  model: string,
  params: Map<string, string>,
  items: readonly ReadItem[],
  roles: readonly string[],
): Omit<CacheRequest, 'wire'> => {
  const blocks = blocksOf(items);
  const cacheKey = stringAt(body, root, 'prompt_cache_key');
  const { marker: automatic, faults } = readMarker(body, root, '');
  if (blocks.some((block) => block.images !== undefined)) params.set('has_images', 'true');
  return {
    model,
    blocks,
    ...(automatic && { automatic }),
    params,
    ...(cacheKey !== undefined && { cacheKey }),
    roles,
    faults: [...faultsOf(items), ...faults],
    length: body.length,
  };
};

export const readChat = (body: string, root: JsonNode, model: string, cache: ItemCache): Omit<CacheRequest, 'wire'> => {
  const params = readParams(body, root, CHAT_PARAMS);
  const ttl = requestTtlOf(params);
  const read = (node: JsonNode, place: Place): ReadItem => readChatMessage(body, node, place, ttl);
  const messages = readItems(body, itemsOf(memberOf(root, 'messages')), 'messages', read, cache, ttl);
  const items = [...readTools(body, root, cache), ...messages];
  return assemble(
    body,
    root,
    model,
    params,
    items,
    messages.map((item) => item.role),
  );
};

export const readResponses = (
  body: string,
  root: JsonNode,
  model: string,
  cache: ItemCache,
): Omit<CacheRequest, 'wire'> => {
  const params = readParams(body, root, RESPONSES_PARAMS);
  const ttl = requestTtlOf(params);
  const instructions = presentMember(body, root, 'instructions');
  const readInstructions = (node: JsonNode): ReadItem => {
    const place: Place = { tier: 'system', label: 'instructions' };
    return { role: '', faults: [], blocks: [plainBlock(place, 'instructions', textWithout(body, node), node)] };
  };
  const head = cache.read('instructions', instructions ? [instructions] : [], '', readInstructions);
  const input = memberOf(root, 'input');
  const whole: Place = { tier: 'messages', label: 'input', role: 'user', message: 0 };
  const read = (node: JsonNode, place: Place): ReadItem => readInputItem(body, node, place, ttl);
  const rest =
    input?.kind === 'string'
      ? [readParts(body, input, whole, 'input_text', ttl)]
      : readItems(body, itemsOf(input), 'input', read, cache, ttl);
  return assemble(
    body,
    root,
    model,
    params,
    [...readTools(body, root, cache), ...head, ...rest],
    rest.map((item) => item.role),
  );
};
