/** Anthropic's Messages wire. Render order: tools, system, messages. */
import { itemsOf, type JsonNode, memberOf, scanJson, valueOf } from '../../base/json-scan.ts';
import type { Ttl } from '../provider/types.ts';
import {
  asTextBlock,
  blocksOf,
  canonicalJson,
  countImages,
  dotted,
  extrasOf,
  fault,
  faultsOf,
  isEmptyString,
  type ItemCache,
  presentMember,
  type ReadItem,
  readParams,
  stringAt,
  textWithout,
} from './read-parts.ts';
import type { CacheBlock, CacheRequest, RequestFault, Tier } from './types.ts';

const THINKING: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking']);
/** These change the system prompt and not the list of tools. */
const WEB_TOOL = /^web_(?:search|fetch)_/;

export const readMarker = (
  body: string,
  node: JsonNode | undefined,
  label: string,
): { readonly marker?: { readonly ttl: Ttl }; readonly faults: readonly RequestFault[] } => {
  const member = presentMember(body, node, 'cache_control');
  if (!member) return { faults: [] };
  const path = `${dotted(label)}${label === '' ? '' : '.'}cache_control`;
  if (stringAt(body, member, 'type') !== 'ephemeral')
    return { faults: [fault('marker-type', `${path}.type: Input should be 'ephemeral'`)] };
  const ttl = presentMember(body, member, 'ttl');
  const value = ttl === undefined ? '5m' : valueOf(body, ttl);
  if (value === '5m' || value === '1h') return { marker: { ttl: value }, faults: [] };
  return { faults: [fault('marker-ttl', `${path}.ephemeral.ttl: Input should be '5m' or '1h'`)] };
};

const isCiting = (body: string, node: JsonNode): boolean => {
  const citations = presentMember(body, node, 'citations');
  if (citations?.kind === 'object') return body[memberOf(citations, 'enabled')?.start ?? -1] === 't';
  return false;
};

interface Place {
  readonly tier: Tier;
  readonly label: string;
  readonly role?: string;
  readonly message?: number;
}

const readBlock = (body: string, node: JsonNode, place: Place): ReadItem => {
  const { start, end } = node;
  if (node.kind === 'string')
    return {
      role: place.role ?? '',
      faults: [],
      blocks: [
        {
          ...place,
          kind: 'text',
          text: asTextBlock('text', body, node),
          start,
          end,
          ...(isEmptyString(node) && { unmarkable: 'empty' as const }),
        },
      ],
    };
  const type = stringAt(body, node, 'type');
  const isTool = place.label.startsWith('tools[');
  const { marker, faults } = readMarker(body, node, place.label);
  const images = countImages(body, node);
  const kind = isTool && (type === undefined || type === 'custom') ? 'tool' : (type ?? 'unknown');
  const unmarkable = THINKING.has(kind)
    ? 'thinking'
    : kind === 'text' && isEmptyString(memberOf(node, 'text'))
      ? 'empty'
      : undefined;
  const block: CacheBlock = {
    ...place,
    tier: isTool && WEB_TOOL.test(kind) ? 'system' : place.tier,
    kind,
    text: textWithout(body, node),
    start,
    end,
    ...(marker && { marker }),
    ...(unmarkable && { unmarkable }),
    ...(images > 0 && { images }),
    ...(isTool && body[memberOf(node, 'defer_loading')?.start ?? -1] === 't' && { deferred: true as const }),
    ...(isCiting(body, node) && { citations: true as const }),
  };
  return { blocks: [block], faults: [...faults, ...strictFaults(body, node, block)], role: place.role ?? '' };
};

/** Refused since version 2026-10-21 of the API. */
const strictFaults = (body: string, node: JsonNode, { kind, role, label }: CacheBlock): readonly RequestFault[] => {
  if (kind === 'document' && role === 'assistant')
    return [fault('assistant-document', `${dotted(label)}: document blocks are not permitted in assistant messages`)];
  if (kind === 'text' && role === 'user' && presentMember(body, node, 'citations') !== undefined)
    return [fault('user-citations', `${dotted(label)}.text.citations: Extra inputs are not permitted`)];
  return [];
};

const readContent = (body: string, node: JsonNode | undefined, place: Place): ReadItem => {
  const role = place.role ?? '';
  if (node?.kind === 'string') return readBlock(body, node, place);
  const items = itemsOf(node).map((item, index) =>
    readBlock(body, item, { ...place, label: `${place.label}[${index}]` }),
  );
  return { blocks: blocksOf(items), faults: faultsOf(items), role };
};

const readMessage = (body: string, node: JsonNode, message: number): ReadItem => {
  const role = stringAt(body, node, 'role') ?? '';
  const label = `messages[${message}].content`;
  return readContent(body, memberOf(node, 'content'), { tier: 'messages', label, role, message });
};

/** The blocks of one message that stands alone, as JSON. Offsets are those in its own text. */
export const readMessageText = (text: string, message: number): readonly CacheBlock[] => {
  const scan = scanJson(text);
  return scan.ok ? readMessage(text, scan.value, message).blocks : [];
};

const PARAMS = [
  'thinking',
  'output_config.effort',
  'output_config.format',
  'output_config.task_budget',
  'speed',
  'betas',
  'context_management',
  'max_tokens',
  'stream',
  'temperature',
  'top_p',
  'top_k',
  'service_tier',
];

/** `disable_parallel_tool_use` is a parameter of its own here, wherever the wire puts it. */
const readToolChoice = (body: string, root: JsonNode, params: Map<string, string>): void => {
  const node = presentMember(body, root, 'tool_choice');
  if (!node) return;
  const value = valueOf(body, node);
  if (typeof value !== 'object' || value === null) {
    params.set('tool_choice', canonicalJson(value));
    return;
  }
  const { disable_parallel_tool_use: parallel, ...choice } = value as Readonly<Record<string, unknown>>;
  params.set('tool_choice', canonicalJson(choice));
  if (parallel !== undefined && parallel !== null) params.set('disable_parallel_tool_use', canonicalJson(parallel));
};

export const readAnthropic = (
  body: string,
  root: JsonNode,
  model: string,
  cache: ItemCache,
): Omit<CacheRequest, 'wire'> => {
  const tools = cache.read('tools', itemsOf(memberOf(root, 'tools')), '', (node, index) =>
    readBlock(body, node, { tier: 'tools', label: `tools[${index}]` }),
  );
  const prompt = memberOf(root, 'system');
  const system = cache.read('system', prompt ? [prompt] : [], '', (node) =>
    readContent(body, node, { tier: 'system', label: 'system' }),
  );
  const messages = cache.read('messages', itemsOf(memberOf(root, 'messages')), '', (node, index) =>
    readMessage(body, node, index),
  );
  const offered = blocksOf(tools);
  const web = offered.filter((block) => block.tier === 'system');
  const blocks = offered.filter((block) => block.tier === 'tools').concat(web, blocksOf(system), blocksOf(messages));
  const { marker: automatic, faults } = readMarker(body, root, '');
  const params = readParams(body, root, PARAMS);
  // The first beta of structured output had the format at the top.
  const format = readParams(body, root, ['output_format']).get('output_format');
  if (format !== undefined && !params.has('output_config.format')) params.set('output_config.format', format);
  readToolChoice(body, root, params);
  const extras = extrasOf(blocks).at(-1);
  if (extras?.images === true) params.set('has_images', 'true');
  if (extras?.citations === true) params.set('citations', 'true');
  if (web.length > 0) params.set('web_tools', canonicalJson(web.map((block) => block.kind).toSorted()));
  return {
    model,
    blocks,
    ...(automatic && { automatic }),
    params,
    roles: messages.map((item) => item.role),
    faults: [...faultsOf(tools), ...faultsOf(system), ...faultsOf(messages), ...faults],
    length: body.length,
  };
};
