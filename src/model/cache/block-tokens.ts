/** What is counted of a block, and how many tokens that is. */
import { sharedItems } from '../../base/growing-list.ts';
import type { ModelFacts } from '../provider/model-book.ts';
import type { Tokenizer } from '../provider/types.ts';
import { imageSizes } from './image-size.ts';
import type { CacheBlock, CacheRequest } from './types.ts';

/** The most that an image costs, and the cost of one whose pixels nobody knows. */
const IMAGE_TOKENS = 1_600;
/** Claude's models see an image at no more than this on its longer side. */
const LONGEST_SIDE = 1_568;
const PIXELS_PER_TOKEN = 750;

/** Not published for every Claude model; this is the number of the nearest ones. */
const UNKNOWN_TOOL_PROMPT = { auto: 290, forced: 410 } as const;

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** All text of content that is a string or a list of blocks. */
const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value.map((item: unknown) => countable(stringOf(fieldsOf(item)['type']), item)).join('\n');
};

const sourceText = (value: unknown): string => {
  const source = fieldsOf(value);
  // Base64 is not text that a model reads.
  return source['type'] === 'text' ? stringOf(source['data']) : textOf(source['content']);
};

const callText = (name: unknown, input: unknown): string =>
  `${stringOf(name)} ${typeof input === 'string' ? input : JSON.stringify(input ?? {})}`;

const countable = (kind: string, value: unknown): string => {
  const fields = fieldsOf(value);
  switch (kind) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return stringOf(fields['text']);
    case 'instructions':
      return textOf(value);
    case 'thinking':
      return stringOf(fields['thinking']);
    case 'redacted_thinking':
      return stringOf(fields['data']);
    case 'reasoning':
      return textOf(fields['summary']) + textOf(fields['content']);
    case 'summary_text':
    case 'reasoning_text':
      return stringOf(fields['text']);
    case 'tool_use':
    case 'server_tool_use':
      return callText(fields['name'], fields['input']);
    case 'function_call':
      return callText(fields['name'], fields['arguments']);
    case 'tool_call': {
      const call = fieldsOf(fields['function']);
      return callText(call['name'], call['arguments']);
    }
    case 'tool_result':
      return textOf(fields['content']);
    case 'function_call_output':
      return textOf(fields['output']);
    case 'document':
      return [stringOf(fields['title']), stringOf(fields['context']), sourceText(fields['source'])].join('\n').trim();
    case 'image':
    case 'image_url':
    case 'input_image':
    case 'input_audio':
    case 'file':
    case 'input_file':
      return '';
    default:
      return JSON.stringify(value);
  }
};

/** Members of a chat message that are not text for the model. */
const NAMES: ReadonlySet<string> = new Set(['tool_call_id', 'name', 'id']);

const MEMBER = /^"(?:[^"\\]|\\.)*"\s*:/;

const readText = (block: CacheBlock): string => {
  if (block.kind === 'tool') return block.text;
  // A member of a message is `"key":value`, not a value.
  if (MEMBER.test(block.text)) {
    if (NAMES.has(block.kind)) return '';
    const member = fieldsOf(JSON.parse(`{${block.text}}`))[block.kind];
    return typeof member === 'string' ? member : JSON.stringify(member);
  }
  return countable(block.kind, JSON.parse(block.text));
};

const TEXTS = new WeakMap<CacheBlock, string>();

/** What a tokenizer should count of one block. */
export const blockText = (block: CacheBlock): string => {
  const known = TEXTS.get(block);
  if (known !== undefined) return known;
  const text = readText(block);
  TEXTS.set(block, text);
  return text;
};

/** What a tokenizer should count, one string per block of `request.blocks`. */
export const blockTexts = (request: CacheRequest): readonly string[] => request.blocks.map(blockText);

const IMAGES = new WeakMap<CacheBlock, number>();

/** Where the pixels are known, as Anthropic publishes it; the formulas of others count other things. */
const imageTokens = (block: CacheBlock, facts: ModelFacts): number => {
  const { images = 0 } = block;
  if (images === 0 || facts.family !== 'anthropic') return images * IMAGE_TOKENS;
  const known = IMAGES.get(block);
  if (known !== undefined) return known;
  const sizes = imageSizes(block.text).slice(0, images);
  const tokens = sizes.reduce(
    (sum, { width, height }) => {
      const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
      return sum + Math.min(IMAGE_TOKENS, Math.ceil((width * height * scale * scale) / PIXELS_PER_TOKEN));
    },
    (images - sizes.length) * IMAGE_TOKENS,
  );
  IMAGES.set(block, tokens);
  return tokens;
};

/** Without what a forced call adds to it. */
export const tokensOfBlock = (block: CacheBlock, count: number, facts: ModelFacts): number =>
  (block.tokens ?? Math.ceil(count * facts.tokenFactor)) + imageTokens(block, facts);

/** Tokens per block from the o200k counts of `blockTexts`: `ceil(count × factor)`, plus images. */
export const blockTokens = (request: CacheRequest, counts: readonly number[], facts: ModelFacts): readonly number[] =>
  withForced(
    request,
    request.blocks.map((block, index) => tokensOfBlock(block, counts[index] ?? 0, facts)),
    facts,
  );

const withForced = (request: CacheRequest, tokens: readonly number[], facts: ModelFacts): readonly number[] => {
  const forced = forcedToolTokens(request, facts);
  const first = forced === 0 ? -1 : request.blocks.findIndex((block) => block.tier === 'messages');
  return first === -1 ? tokens : tokens.map((count, index) => (index === first ? count + forced : count));
};

/** All that has to be known of a request. */
type Labelled = { readonly blocks: readonly { readonly label: string }[] };

const hasTools = (request: Labelled, facts: ModelFacts): boolean =>
  facts.family === 'anthropic' && request.blocks.some((block) => block.label.startsWith('tools['));

/** Hidden tokens that the provider adds when there are tools. They are counted as part of the first tool's prefix. */
export const toolPromptTokens = (request: Labelled, facts: ModelFacts): number =>
  hasTools(request, facts) ? (facts.toolPromptTokens ?? UNKNOWN_TOOL_PROMPT).auto : 0;

/** What is added when a call is forced: with the conversation, because the tiers before it are kept then. */
export const forcedToolTokens = (request: CacheRequest, facts: ModelFacts): number => {
  const isForced = /"(?:any|tool|required|function)"/.test(request.params.get('tool_choice') ?? '');
  if (!isForced || !hasTools(request, facts)) return 0;
  const { auto, forced } = facts.toolPromptTokens ?? UNKNOWN_TOOL_PROMPT;
  return forced - auto;
};

/** Counts requests; a block object that was counted before is not counted again. */
export const createBlockCounter = (
  tokenizer: Tokenizer,
): ((request: CacheRequest, facts: ModelFacts) => Promise<readonly number[]>) => {
  const counted = new WeakMap<CacheBlock, number>();
  // Of the newest request: the next one begins with the same blocks.
  let last:
    | { readonly blocks: readonly CacheBlock[]; readonly tokens: readonly number[]; readonly facts: ModelFacts }
    | undefined;
  return async (request, facts) => {
    const { blocks } = request;
    const before = last?.facts === facts ? last : undefined;
    const shared = before ? sharedItems(before.blocks, blocks) : 0;
    const behind = blocks.slice(shared);
    const fresh = behind.filter((block) => !counted.has(block));
    if (fresh.length > 0) {
      const counts = await tokenizer.count(fresh.map(blockText));
      fresh.forEach((block, index) => counted.set(block, counts[index] ?? 0));
    }
    const tokens = before?.tokens.slice(0, shared) ?? [];
    for (const block of behind) tokens.push(tokensOfBlock(block, counted.get(block) ?? 0, facts));
    last = { blocks, tokens, facts };
    return withForced(request, tokens, facts);
  };
};
