/** How OpenAI caches before GPT-5.6: the longest prefix of an earlier prompt, in steps, with no marker and no charge. */
import { hasServerHistory } from './openai-breakpoints.ts';
import { blockText } from './block-tokens.ts';
import { ESTIMATE_ERROR, type Plan, type RenderedCall, uncachedPlan } from './breakpoints.ts';
import { tierParams } from './hash-chain.ts';
import { commonLength } from '../../base/json-rescan.ts';
import { type PlannedWrite, publicEntry, type StoredEntry, type StoredPrompt, type StoreView } from './store.ts';

/** 1,024 to 2,048 by model; which model has which is not published. */
const FLOOR = 1_024;
const STEP = 128;

const MINUTE = 60_000;
/** "5 to 10 minutes of inactivity": sure until the first, possible until the second. */
const SURE_IDLE = 5 * MINUTE;
const MAX_IDLE = 10 * MINUTE;
const MAX_AGE = 60 * MINUTE;
const LONG_AGE = 24 * 60 * MINUTE;

interface PrefixOptions {
  readonly zeroDataRetention: boolean;
}

interface Match {
  readonly entry: StoredEntry;
  readonly tokens: number;
  /** The end was estimated inside a block. */
  readonly isPartial: boolean;
}

/** How many blocks both begin with. Hashes are cumulative, so one equal hash vouches for all before it. */
const commonBlocks = (left: readonly string[], right: readonly string[]): number => {
  let low = 0;
  let high = Math.min(left.length, right.length);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (left[middle - 1] === right[middle - 1]) low = middle;
    else high = middle - 1;
  }
  return low;
};

const matchOf = (call: RenderedCall, salt: string, entry: StoredEntry, prompt: StoredPrompt): Match => {
  const common = commonBlocks(call.chain.hashes, prompt.hashes);
  const whole = call.prefix[common - 1] ?? 0;
  const mine = call.blocks[common];
  const theirs = prompt.blocks[common];
  const isAlike =
    salt === prompt.salt &&
    mine &&
    mine.kind === theirs?.kind &&
    mine.role === theirs.role &&
    mine.tier === theirs.tier;
  const spoken = isAlike ? blockText(mine) : '';
  if (!isAlike || spoken === '') return { entry, tokens: whole, isPartial: false };
  // Tokens are known per block only; inside one they are taken to be spread evenly over its characters.
  const share = commonLength(spoken, blockText(theirs)) / spoken.length;
  const inside = Math.floor(((call.prefix[common] ?? whole) - whole) * share);
  return { entry, tokens: whole + inside, isPartial: inside > 0 };
};

const lifetimeOf = (call: RenderedCall, options: PrefixOptions): Pick<PlannedWrite, 'lifetime' | 'maxAge'> => {
  const asked = call.request.params.get('prompt_cache_retention');
  const isLong = asked === '"24h"' || (asked === undefined && !options.zeroDataRetention);
  return isLong ? { lifetime: LONG_AGE, maxAge: LONG_AGE } : { lifetime: MAX_IDLE, maxAge: MAX_AGE };
};

export const planPrefix = (call: RenderedCall, store: StoreView, options: PrefixOptions): Plan => {
  if (hasServerHistory(call))
    return uncachedPlan(call, {
      floor: FLOOR,
      uncertain: true,
      note: 'The provider stores part of this prompt (previous_response_id, conversation, or prompt). Lathe knows only the sent part.',
    });
  const { promptTokens, startedAt } = call;
  const salt = JSON.stringify(tierParams(call.request, call.facts));
  const best = store
    .findAll(call.space, startedAt)
    .flatMap((entry) => (entry.prompt ? [matchOf(call, salt, entry, entry.prompt)] : []))
    .reduce<Match | undefined>((top, match) => (top && top.tokens >= match.tokens ? top : match), undefined);
  const steps = best ? Math.floor(best.tokens / STEP) * STEP : 0;
  const hit = best && steps >= FLOOR ? best : undefined;
  const read = hit ? steps : 0;
  const idle = hit ? startedAt - hit.entry.lastUsedAt : 0;
  const isFading = hit !== undefined && hit.entry.lifetime === MAX_IDLE && idle > SURE_IDLE;
  const isNear = call.estimated && best !== undefined && Math.abs(best.tokens - FLOOR) <= FLOOR * ESTIMATE_ERROR;
  return {
    prediction: {
      usage: { read, uncached: promptTokens - read, writes: {} },
      promptTokens,
      hit: hit && publicEntry(hit.entry),
      breakpoints: [],
      floor: FLOOR,
      uncertain: isFading || isNear || (hit?.isPartial ?? false),
      faults: [],
      ...(isFading && {
        note: `This prefix was last used ${Math.round(idle / MINUTE)} minutes ago. The provider keeps it for 5 to 10 minutes.`,
      }),
    },
    reads: hit ? [hit.entry] : [],
    writes:
      promptTokens >= FLOOR
        ? [
            {
              key: call.space,
              hash: call.chain.hashes.at(-1) ?? '',
              tokens: Math.floor(promptTokens / STEP) * STEP,
              label: call.blocks.at(-1)?.label ?? '',
              ttl: 'unknown',
              ...lifetimeOf(call, options),
              prompt: { salt, blocks: call.blocks, hashes: call.chain.hashes },
            },
          ]
        : [],
  };
};
