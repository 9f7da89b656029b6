/** Cumulative hashes over the blocks of a request, as the provider renders it. */
import { createGrowingList, sharedItems } from '../../base/growing-list.ts';
import { sha256 } from '../../base/hash.ts';
import type { ModelFacts } from '../provider/model-book.ts';
import type { CacheBlock, CacheRequest, Tier } from './types.ts';

/** A parameter that is part of the match from `tier` on; `value` is canonical, `''` where it is absent or the default. */
export interface TierParam {
  readonly name: string;
  readonly tier: Tier;
  readonly value: string;
}

export interface HashChain {
  /** Indexes into `request.blocks` of those that the provider renders, in render order. */
  readonly rendered: readonly number[];
  /** Those blocks. */
  readonly blocks: readonly CacheBlock[];
  /** Cumulative hash of each rendered block. */
  readonly hashes: readonly string[];
}

/** Keeps hashes, so that appending to a conversation hashes only what is new. */
export interface HashMemo {
  /** Of one block: its role and the hash of its text. */
  readonly hashOf: (block: CacheBlock) => string;
  readonly next: (before: string, hash: string) => string;
  /** Hashes of the blocks that a recent chain with these salts begins with too. */
  readonly recall: (salts: string, blocks: readonly CacheBlock[]) => readonly string[];
  readonly keep: (salts: string, blocks: readonly CacheBlock[], hashes: readonly string[]) => void;
  /** How many blocks were really hashed. */
  readonly hashed: () => number;
}

/** When a memo has kept this much it starts again; a long conversation has a few thousand blocks. */
const MAX_KEPT_BLOCKS = 20_000;
const MAX_KEPT_CHARACTERS = 32_000_000;

/** Conversations that continue side by side. */
const MAX_CHAINS = 16;

interface KeptChain {
  readonly salts: string;
  readonly blocks: readonly CacheBlock[];
  readonly hashes: readonly string[];
}

export const createHashMemo = (): HashMemo => {
  let byBlock = new WeakMap<CacheBlock, string>();
  let chains: readonly KeptChain[] = [];
  const byText = new Map<string, string>();
  const links = new Map<string, Map<string, string>>();
  let characters = 0;
  let keptBlocks = 0;
  let linked = 0;
  let hashed = 0;

  const textHash = (text: string): string => {
    const known = byText.get(text);
    if (known !== undefined) return known;
    hashed++;
    keptBlocks++;
    characters += text.length;
    if (keptBlocks > MAX_KEPT_BLOCKS || characters > MAX_KEPT_CHARACTERS) {
      byText.clear();
      byBlock = new WeakMap();
      keptBlocks = 1;
      characters = text.length;
    }
    const hash = sha256(text);
    byText.set(text, hash);
    return hash;
  };

  return {
    hashOf: (block) => {
      const known = byBlock.get(block);
      if (known !== undefined) return known;
      const hash = `${block.role ?? ''} ${textHash(block.text)}`;
      byBlock.set(block, hash);
      return hash;
    },
    recall: (salts, blocks) => {
      let best: readonly string[] = [];
      for (const chain of chains) {
        const count = chain.salts === salts ? sharedItems(chain.blocks, blocks) : 0;
        if (count > best.length) best = chain.hashes.slice(0, count);
      }
      return best;
    },
    keep: (salts, blocks, hashes) => {
      // A chain that the new one continues is of no more use.
      const others = chains.filter(
        (chain) =>
          chain.salts !== salts ||
          chain.blocks[0] !== blocks[0] ||
          chain.hashes.at(-2) !== hashes[chain.hashes.length - 2],
      );
      chains = [{ salts, blocks, hashes }, ...others].slice(0, MAX_CHAINS);
    },
    next: (before, hash) => {
      const known = links.get(before)?.get(hash);
      if (known !== undefined) return known;
      const after = sha256(before + hash);
      if (++linked > MAX_KEPT_BLOCKS * 4) {
        links.clear();
        linked = 1;
      }
      const from = links.get(before) ?? new Map<string, string>();
      links.set(before, from.set(hash, after));
      return after;
    },
    hashed: () => hashed,
  };
};

interface Salt {
  readonly name: string;
  readonly tier: Tier;
  /** Values that mean the same as no value. */
  readonly defaults?: readonly string[];
}

/**
 * The documentation says "depending on the model" for thinking, effort and the output format, and nothing for betas and
 * context management; here they cost the messages and no more.
 */
const UNSURE_TIER: Tier = 'messages';

const ANTHROPIC_SALTS: readonly Salt[] = [
  { name: 'speed', tier: 'system', defaults: ['"standard"'] },
  { name: 'web_tools', tier: 'system' },
  { name: 'citations', tier: 'system' },
  { name: 'tool_choice', tier: 'messages', defaults: ['{"type":"auto"}', '"auto"'] },
  { name: 'disable_parallel_tool_use', tier: 'messages', defaults: ['false'] },
  { name: 'parallel_tool_calls', tier: 'messages', defaults: ['true'] },
  { name: 'has_images', tier: 'messages' },
  { name: 'thinking', tier: UNSURE_TIER },
  { name: 'output_config.effort', tier: UNSURE_TIER },
  { name: 'output_config.format', tier: UNSURE_TIER },
  { name: 'output_config.task_budget', tier: UNSURE_TIER },
  { name: 'reasoning', tier: UNSURE_TIER },
  { name: 'reasoning_effort', tier: UNSURE_TIER },
  { name: 'response_format', tier: UNSURE_TIER, defaults: ['{"type":"text"}'] },
  { name: 'betas', tier: UNSURE_TIER, defaults: ['[]'] },
  { name: 'context_management', tier: UNSURE_TIER },
];

/** A change of any of them is one of OpenAI's reasons for a miss of the whole prompt. */
const OPENAI_SALTS: readonly Salt[] = [
  { name: 'text.format', tier: 'tools', defaults: ['{"type":"text"}'] },
  { name: 'response_format', tier: 'tools', defaults: ['{"type":"text"}'] },
  { name: 'reasoning.effort', tier: 'tools' },
  { name: 'reasoning_effort', tier: 'tools' },
  { name: 'text.verbosity', tier: 'tools', defaults: ['"medium"'] },
  { name: 'verbosity', tier: 'tools', defaults: ['"medium"'] },
  { name: 'service_tier', tier: 'tools', defaults: ['"auto"', '"default"'] },
];

/** Before 5.6 only the schema of the output is known to be part of the prompt. */
const OPENAI_PREFIX_SALTS = OPENAI_SALTS.filter(({ name }) => name === 'text.format' || name === 'response_format');

const SALTS: Readonly<Record<ModelFacts['caching'], readonly Salt[]>> = {
  anthropic: ANTHROPIC_SALTS,
  'openai-breakpoints': OPENAI_SALTS,
  'openai-prefix': OPENAI_PREFIX_SALTS,
  unknown: [],
};

const EFFORTS: ReadonlySet<string> = new Set(['output_config.effort', 'reasoning_effort', 'reasoning.effort']);

/** How the thinking is shown to the user is not part of the prompt. */
const thinkingValue = (value: string, facts: ModelFacts): string => {
  const parsed = JSON.parse(value) as { readonly type?: unknown; readonly budget_tokens?: unknown };
  const isOff = parsed.type === 'disabled' && (facts.thinking === 'budget' || facts.thinking === 'none');
  return isOff ? '' : JSON.stringify([parsed.type, parsed.budget_tokens]);
};

const sortedBetas = (value: string, betas: readonly string[]): string => {
  const inBody = JSON.parse(value === '' ? '[]' : value) as unknown;
  const all = new Set([...(Array.isArray(inBody) ? inBody.map(String) : []), ...betas]);
  return JSON.stringify([...all].toSorted());
};

/** Everything that salts a tier, in a fixed order; absent and default values are `''`. */
export const tierParams = (
  request: CacheRequest,
  facts: ModelFacts,
  betas: readonly string[] = [],
): readonly TierParam[] =>
  SALTS[facts.caching].map(({ name, tier, defaults = [] }) => {
    let value = request.params.get(name) ?? '';
    if (name === 'thinking' && value.startsWith('{')) value = thinkingValue(value, facts);
    if (name === 'betas') value = sortedBetas(value, betas);
    if (EFFORTS.has(name) && value === JSON.stringify(facts.defaultEffort)) value = '';
    return { name, tier, value: defaults.includes(value) ? '' : value };
  });

const THINKING: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking']);

export const isThinking = ({ kind }: CacheBlock): boolean => THINKING.has(kind);

/** Thinking of earlier turns is not part of the prompt. */
export const forgetsThinking = ({ keepsThinking }: ModelFacts): boolean => keepsThinking !== 'all';

const RESULT_KINDS: ReadonlySet<string> = new Set(['tool_result', 'function_call_output']);
export const isToolResult = (block: CacheBlock): boolean => RESULT_KINDS.has(block.kind) || block.role === 'tool';

/** The last message in which a person says something, as against one that only brings results of tools. */
const lastSpoken = (request: CacheRequest): number =>
  request.blocks.findLast((block) => block.role === 'user' && !isToolResult(block))?.message ?? -1;

/** Whether every block up to here is rendered by every model. */
const plainUpTo = createGrowingList<CacheBlock, boolean>(
  (block, _, before = true) => before && block.deferred !== true && !isThinking(block),
);
const countUp = createGrowingList<unknown, number>((_, index) => index);

/** Which blocks are rendered: no deferred tools, no thinking that the model forgets. */
export const renderedBlocks = (request: CacheRequest, facts: ModelFacts): readonly number[] => {
  if (plainUpTo(request.blocks).at(-1) === true) return countUp(request.blocks);
  const forgetsBefore =
    facts.keepsThinking === 'all' ? -1 : facts.keepsThinking === 'none' ? Infinity : lastSpoken(request);
  const rendered: number[] = [];
  request.blocks.forEach((block, index) => {
    const isForgotten = forgetsBefore >= 0 && THINKING.has(block.kind) && (block.message ?? 0) < forgetsBefore;
    if (!block.deferred && !isForgotten) rendered.push(index);
  });
  return rendered;
};

const TIERS: readonly Tier[] = ['tools', 'system', 'messages'];

/** One tool more at the end loses everything before it too, so the whole list counts from the first tool on. */
const toolListHash = (blocks: readonly CacheBlock[], memo: HashMemo): string => {
  let hash = '';
  for (const block of blocks) {
    if (block.tier !== 'tools') break;
    hash = memo.next(hash, memo.hashOf(block));
  }
  return hash;
};

export const chainHashes = (
  request: CacheRequest,
  facts: ModelFacts,
  options: { readonly betas?: readonly string[]; readonly memo?: HashMemo } = {},
): HashChain => {
  const memo = options.memo ?? createHashMemo();
  const params = tierParams(request, facts, options.betas);
  const saltOf = (tier: Tier): string =>
    JSON.stringify(params.filter((param) => param.tier === tier && param.value !== ''));
  const rendered = renderedBlocks(request, facts);
  const isWhole = rendered.length === request.blocks.length;
  const blocks = isWhole ? request.blocks : rendered.map((index) => request.blocks[index] as CacheBlock);
  const list = facts.caching === 'openai-prefix' ? '' : toolListHash(blocks, memo);
  const salts = [list, ...TIERS.map(saltOf)].join('\n');
  const known = memo.recall(salts, blocks);
  const hashes = known.slice();
  let hash = known.at(-1) ?? list;
  let reached = known.length === 0 ? -1 : TIERS.indexOf(blocks[known.length - 1]?.tier ?? 'tools');
  for (const block of blocks.slice(known.length)) {
    // A salt counts from its tier on, also where the tier itself has no block.
    for (const tier of TIERS.slice(reached + 1, TIERS.indexOf(block.tier) + 1)) {
      hash = memo.next(hash, saltOf(tier));
      reached++;
    }
    hash = memo.next(hash, memo.hashOf(block));
    hashes.push(hash);
  }
  memo.keep(salts, blocks, hashes);
  return { rendered, blocks, hashes };
};
