/** Which prefixes of a run differ from the locked ones, and what the next request pays for it; SPEC.md GRD5 to GRD7. */
import { blockTexts } from '../cache/block-tokens.ts';
import { createCacheModel } from '../cache/engine.ts';
import { explain } from '../cache/explain/explain.ts';
import type { Verdict } from '../cache/explain/types.ts';
import { createRequestReader } from '../cache/forecast.ts';
import { readRequest } from '../cache/read-request.ts';
import { commonLength } from '../../base/json-rescan.ts';
import type { RecordedCall } from '../cache/types.ts';
import type { Tokenizer } from '../provider/types.ts';
import { bodyWith, type CachedPrefix, prefixKey } from './prefix.ts';

/** The first part that differs. `before` is empty where there was none, `after` where none exists now. */
export interface Difference {
  /** `model`, `messages`, or the place of a part. */
  readonly at: string;
  readonly before: string;
  readonly after: string;
}

export interface Drift {
  readonly locked: CachedPrefix;
  readonly current: CachedPrefix;
  readonly difference: Difference;
  readonly verdict: Verdict;
}

export interface Compared {
  readonly same: readonly CachedPrefix[];
  readonly drifted: readonly Drift[];
  /** Like none of the lock. */
  readonly added: readonly CachedPrefix[];
  /** Of the lock, and in no request. */
  readonly unused: readonly CachedPrefix[];
}

/** Characters around the first difference. */
const BEFORE = 24;
const MOST = 72;
/** Prefixes less alike than this are two different ones. */
const LEAST_ALIKE = 0.25;

const commonEnd = (left: string, right: string, most: number): number => {
  let length = 0;
  while (length < most && left.at(-1 - length) === right.at(-1 - length)) length++;
  return length;
};

const textAlike = (left: string, right: string): number => {
  const start = commonLength(left, right);
  const end = commonEnd(left, right, Math.min(left.length, right.length) - start);
  return (start + end) / Math.max(1, left.length, right.length);
};

/** From 0 to 1, by the characters that both have. */
const alike = (left: CachedPrefix, right: CachedPrefix): number => {
  if (left.wire !== right.wire) return 0;
  const texts = new Set(left.parts.map(({ json }) => json));
  const places = new Map(left.parts.map(({ at, json }) => [at, json]));
  const size = ({ parts }: CachedPrefix): number => parts.reduce((sum, { json }) => sum + json.length, 0);
  const common = right.parts.reduce(
    (sum, { at, json }) => sum + json.length * (texts.has(json) ? 1 : textAlike(places.get(at) ?? '', json)),
    0,
  );
  return common / Math.max(1, size(left), size(right));
};

const excerpts = (before: string, after: string): { readonly before: string; readonly after: string } => {
  const from = Math.max(0, commonLength(before, after) - BEFORE);
  const cut = (text: string): string =>
    text === '' ? '' : `${from > 0 ? '…' : ''}${text.slice(from, from + MOST)}${text.length > from + MOST ? '…' : ''}`;
  return { before: cut(before), after: cut(after) };
};

const differenceOf = (locked: CachedPrefix, current: CachedPrefix): Difference => {
  if (locked.model !== current.model) return { at: 'model', before: locked.model, after: current.model };
  const length = Math.max(locked.parts.length, current.parts.length);
  for (let index = 0; index < length; index++) {
    const [before, after] = [locked.parts[index], current.parts[index]];
    if (before?.json === after?.json) continue;
    return { at: (after ?? before)?.at ?? '', ...excerpts(before?.json ?? '', after?.json ?? '') };
  }
  return { at: 'messages', before: locked.messageTtl ?? '', after: current.messageTtl ?? '' };
};

const MINUTE = 60_000;

/** The second request of a conversation that began with `before` and continues with `after`. */
const verdictBetween = async (tokenizer: Tokenizer, before: CachedPrefix, after: CachedPrefix): Promise<Verdict> => {
  const reader = createRequestReader(tokenizer);
  const cache = createCacheModel();
  const calls: RecordedCall[] = [];
  for (const [index, prefix] of [before, after].entries()) {
    const { wire, model } = prefix;
    const startedAt = index * MINUTE;
    const body = bodyWith(prefix, index * 2 + 1);
    const read = await reader.read({ wire, body, startedAt, scope: '', estimated: false });
    if (!read.ok) throw new Error(read.error);
    const sent = cache.send(read.value);
    const endedAt = startedAt + 1000;
    if (sent.prediction.faults.length > 0) sent.failed();
    else sent.answered(endedAt);
    const provider = wire === 'anthropic-messages' ? 'anthropic' : 'openai';
    const usage = { ...sent.prediction.usage, output: 1, cacheReported: true, partial: false };
    calls.push({ provider, wire, model, body, startedAt, firstByteAt: endedAt, endedAt, usage });
  }
  const [first, second] = calls;
  if (!second) throw new Error('no second request');
  const texts = new Map<string, number>();
  const wanted = calls.flatMap(({ body, wire }) => {
    const read = readRequest(body, wire);
    return read.ok ? blockTexts(read.value) : [];
  });
  const counted = await tokenizer.count(wanted);
  wanted.forEach((text, index) => texts.set(text, counted[index] ?? 0));
  return explain(first, second, {
    relation: 'continues',
    tokens: (text) => texts.get(text) ?? Math.ceil(text.length / 4),
  });
};

/** Tokens of tools and system prompt. */
export const tokensOf = async (tokenizer: Tokenizer, prefix: CachedPrefix): Promise<number> => {
  const body = bodyWith(prefix, 1);
  const read = await createRequestReader(tokenizer).read({
    wire: prefix.wire,
    body,
    startedAt: 0,
    scope: '',
    estimated: false,
  });
  if (!read.ok) throw new Error(read.error);
  const { request, tokens } = read.value;
  return request.blocks.reduce((sum, { tier }, index) => sum + (tier === 'messages' ? 0 : (tokens[index] ?? 0)), 0);
};

interface Pair {
  readonly locked: CachedPrefix;
  readonly current: CachedPrefix;
  readonly score: number;
}

export const compareWithLock = async (
  tokenizer: Tokenizer,
  locked: readonly CachedPrefix[],
  current: readonly CachedPrefix[],
): Promise<Compared> => {
  const keys = new Set(locked.map(prefixKey));
  const sent = new Set(current.map(prefixKey));
  const same = current.filter((prefix) => keys.has(prefixKey(prefix)));
  const free = new Set(locked.filter((prefix) => !sent.has(prefixKey(prefix))));
  const open = new Set(current.filter((prefix) => !keys.has(prefixKey(prefix))));
  const pairs = [...free]
    .flatMap((one): Pair[] => [...open].map((other) => ({ locked: one, current: other, score: alike(one, other) })))
    .filter(({ score }) => score >= LEAST_ALIKE)
    .toSorted((a, b) => b.score - a.score);
  const drifted: Drift[] = [];
  for (const pair of pairs) {
    if (!free.has(pair.locked) || !open.has(pair.current)) continue;
    free.delete(pair.locked);
    open.delete(pair.current);
    drifted.push({
      locked: pair.locked,
      current: pair.current,
      difference: differenceOf(pair.locked, pair.current),
      verdict: await verdictBetween(tokenizer, pair.locked, pair.current),
    });
  }
  return { same, drifted, added: [...open], unused: [...free] };
};

const CALENDAR =
  /^(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber)$/;

/** A shorter word with a digit may be a name: `worker-1`. */
const LEAST_VALUE = 6;

const isChanging = (word: string): boolean => (word.length >= LEAST_VALUE && /\d/.test(word)) || CALENDAR.test(word);

/** The same for strings that differ only in long words with digits and in names of days and months. */
const steady = ({ parts }: CachedPrefix): string =>
  parts.map(({ json }) => json.replace(/[\w.:+-]+/g, (word) => (isChanging(word) ? '#' : word))).join('\n');

/** The first two prefixes of one run that no lock could hold. */
export const changingValue = async (
  tokenizer: Tokenizer,
  prefixes: readonly CachedPrefix[],
): Promise<Drift | undefined> => {
  const seen = new Map<string, CachedPrefix>();
  for (const current of prefixes) {
    const key = JSON.stringify([current.wire, current.model, steady(current)]);
    const locked = seen.get(key);
    if (!locked) {
      seen.set(key, current);
      continue;
    }
    const verdict = await verdictBetween(tokenizer, locked, current);
    return { locked, current, difference: differenceOf(locked, current), verdict };
  }
  return undefined;
};
