/** Known programs, recognized by what they send. Their strings change with versions; nothing here is needed, all of it helps. */
import { blockText } from '../cache/block-tokens.ts';
import type { CacheBlock, CacheRequest } from '../cache/types.ts';
import type { ChainKind, Harness } from './call.ts';

/** They come before the conversation. */
const systemTexts = ({ blocks }: CacheRequest): readonly string[] => {
  const texts: string[] = [];
  for (const block of blocks) {
    if (block.tier === 'messages') break;
    if (block.tier === 'system' && block.kind === 'text') texts.push(blockText(block));
  }
  return texts;
};

const BILLING = /^x-anthropic-billing-header\b/;
const CLAUDE_CODE =
  /^You are (?:Claude Code, Anthropic's official CLI|a Claude agent, built on Anthropic's Claude Agent SDK)/;

/** Undefined: nobody knows. */
export const harnessOf = (request: CacheRequest): Harness | undefined => {
  const texts = systemTexts(request);
  const version = /\bcc_version=(\d+\.\d+\.\d+)/.exec(texts.find((text) => BILLING.test(text)) ?? '')?.[1];
  if (version !== undefined || texts.some((text) => CLAUDE_CODE.test(text) || BILLING.test(text)))
    return { name: 'claude-code', ...(version !== undefined && { version }) };
  return undefined;
};

const lastUserText = ({ blocks }: CacheRequest): string => {
  const block = blocks.findLast(({ role, kind }) => role === 'user' && (kind === 'text' || kind === 'input_text'));
  return block ? blockText(block) : '';
};

const COMPACTION = /create a detailed summary of|You are performing a CONTEXT CHECKPOINT COMPACTION/;
const SUB_AGENT =
  /\bcc_is_subagent=true|^You are (?:an agent for Claude Code|a file search specialist|a software architect and planning specialist)/;
const SIDE =
  /^(?:Generate a concise, sentence-case title|You are naming a coding session|Summarize this coding conversation in under|Analyze if this message indicates a new conversation topic|You are an expert at analyzing git history)/;

const messageCount = ({ blocks }: CacheRequest): number =>
  new Set(blocks.filter(({ tier }) => tier === 'messages').map(({ message }) => message)).size;

/** A call that nobody waits for: a title, a topic, a quota. */
const isSide = (request: CacheRequest, texts: readonly string[]): boolean => {
  if (texts.some((text) => SIDE.test(text)) || SIDE.test(lastUserText(request))) return true;
  const hasTools = request.blocks.some(({ label }: CacheBlock) => label.startsWith('tools['));
  const hasMarker = request.automatic !== undefined || request.blocks.some(({ marker }) => marker !== undefined);
  return harnessOf(request) !== undefined && !hasTools && !hasMarker && messageCount(request) <= 2;
};

/** What a request of a known program is for; undefined where its content does not say. */
export const kindOfRequest = (request: CacheRequest): ChainKind | undefined => {
  const texts = systemTexts(request);
  if (COMPACTION.test(lastUserText(request))) return 'compaction';
  if (texts.some((text) => SUB_AGENT.test(text))) return 'sub-agent';
  if (isSide(request, texts)) return 'side-call';
  return harnessOf(request) ? 'main' : undefined;
};
