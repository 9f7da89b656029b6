/** From explained calls to steps: requests with the sizes of their blocks, and what somebody outside the recording did to the cache. */
import { isObject, type Json } from '../../base/json.ts';
import { ok, type Result } from '../../base/result.ts';
import { blockText, blockTokens } from '../cache/block-tokens.ts';
import { createCacheModel } from '../cache/engine.ts';
import { withoutBilling } from '../cache/explain/billing-block.ts';
import { passesOf } from '../cache/explain/passes.ts';
import { hasServerHistory } from '../cache/openai-breakpoints.ts';
import { readRequest } from '../cache/read-request.ts';
import type { CacheBlock, CacheRequest } from '../cache/types.ts';
import { modelFacts, type ModelBook } from '../provider/model-book.ts';
import { promptTokens, type Tokenizer } from '../provider/types.ts';
import type { Call } from '../traffic/call.ts';
import type { Explained } from '../traffic/explainer.ts';
import { OLD_API, observed } from './run.ts';
import type { Item, Step } from './types.ts';

export interface Prepared {
  /** In the order of the recording, with the steps of those whose body is known. */
  readonly calls: readonly { readonly key: string; readonly call: Call; readonly step: Step | undefined }[];
  /** In the order of their time. */
  readonly steps: readonly Step[];
  /** Tokens by o200k of a string of the recording; of another one a guess. */
  readonly countOf: (text: string) => number;
  /** Counts strings that the recording does not hold. */
  readonly count: (texts: readonly string[]) => Promise<readonly number[]>;
  readonly book: ModelBook | undefined;
}

export interface PrepareOptions {
  readonly tokenizer: Tokenizer;
  readonly book?: ModelBook;
}

/** Requests that start closer together than this are parallel if nobody recorded when the first was answered. */
const PARALLEL_MS = 1_000;

/** Providers bill a few tokens after the last breakpoint even where it ends the prompt. More than this is something else. */
const MOST_TAIL = 100;

/** What a model made, part by part, as the simulator counts it. */
const answerTexts = (content: Json | undefined): readonly string[] | undefined => {
  if (!Array.isArray(content)) return undefined;
  return (content as readonly Json[]).map((part) => {
    if (!isObject(part)) return '';
    const text = part['text'] ?? part['thinking'];
    if (typeof text === 'string') return text;
    return typeof part['name'] === 'string' ? `${part['name']} ${JSON.stringify(part['input'] ?? {})}` : '';
  });
};

/** The part of a block that stands for what was not recorded. */
const piece = (block: CacheBlock, from: number, to: number): CacheBlock => ({
  ...block,
  label: `${block.label} ${from}`,
  text: JSON.stringify({ type: 'unrecorded', of: block.text, from }),
  tokens: to - from,
});

const isUnrecorded = (block: CacheBlock | undefined): block is CacheBlock => block?.kind === 'unrecorded';

/** Most places inside what was not recorded; with the end of it and of the conversation they are the four that a provider takes. */
const MOST_PIECES = 2;

/** Bills tell where reads end inside tools and system prompt that were not recorded: there are breakpoints. */
const splitHeads = (
  requests: readonly { readonly call: Call; readonly request: CacheRequest }[],
): readonly CacheRequest[] => {
  const places = new Map<string, Map<number, number>>();
  for (const { call, request } of requests) {
    const [head] = request.blocks;
    const read = passesOf(call).first?.read ?? 0;
    if (!isUnrecorded(head) || read === 0 || read >= (head.tokens ?? 0)) continue;
    const own = places.get(head.text) ?? new Map<number, number>();
    places.set(head.text, own.set(read, (own.get(read) ?? 0) + 1));
  }
  return requests.map(({ request }) => {
    const [head, ...rest] = request.blocks;
    const own = isUnrecorded(head) ? places.get(head.text) : undefined;
    const size = head?.tokens ?? 0;
    const cuts = [...(own ?? [])]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, MOST_PIECES)
      .flatMap(([at]) => (at < size ? [at] : []))
      .toSorted((a, b) => a - b);
    if (!head || cuts.length === 0) return request;
    const ends = [...cuts, size];
    return { ...request, blocks: [...ends.map((end, at) => piece(head, ends[at - 1] ?? 0, end)), ...rest] };
  });
};

const readAll = (explained: readonly Explained[]): readonly (CacheRequest | undefined)[] => {
  let last: CacheRequest | undefined;
  const found = explained.map(({ call }) => {
    if (call.known === 'absent' || call.failed === true) return undefined;
    const read: Result<CacheRequest, string> = call.request
      ? ok(call.request())
      : readRequest(call.body, call.wire, last);
    if (!read.ok) return undefined;
    last = read.value;
    if (hasServerHistory({ request: read.value })) return undefined;
    const blocks = withoutBilling(read.value.blocks, call);
    return blocks === read.value.blocks ? read.value : { ...read.value, blocks };
  });
  const known = found.flatMap((request, index) => {
    const call = explained[index]?.call;
    return request && call ? [{ request, call, index }] : [];
  });
  const split = splitHeads(known);
  known.forEach(({ index }, at) => (found[index] = split[at]));
  return found;
};

const firstByteOf = ({ call }: Explained): number => {
  // Without times the order is all there is: each was answered before the next one was sent.
  if (call.isTimeless === true) return call.startedAt;
  return call.firstByteAt ?? Math.min(call.endedAt ?? Infinity, call.startedAt + PARALLEL_MS);
};

/** `explained` in the order of the recording. */
export const prepareWhatIf = async (
  explained: readonly Explained[],
  { tokenizer, book }: PrepareOptions,
): Promise<Prepared> => {
  const requests = readAll(explained);
  const answers = explained.map(({ call }) => answerTexts(call.response?.content));
  const texts = new Set(requests.flatMap((request) => request?.blocks.map(blockText) ?? []));
  for (const answer of answers) for (const text of answer ?? []) texts.add(text);
  const list = [...texts];
  const counted = await tokenizer.count(list);
  const counts = new Map(list.map((text, index) => [text, counted[index] ?? 0]));
  const countOf = (text: string): number => counts.get(text) ?? 0;

  const plain = explained.map((item, index): Step | undefined => {
    const request = requests[index];
    if (!request) return undefined;
    const { call, chain } = item;
    const answer = answers[index];
    return {
      key: String(index + 1),
      call,
      chain,
      request,
      items: request.blocks.map((block, origin) => ({ origin, block, count: countOf(blockText(block)) })),
      startedAt: call.startedAt,
      firstByteAt: firstByteOf(item),
      endedAt: call.endedAt ?? firstByteOf(item),
      usage: passesOf(call).first,
      answer: answer?.map(countOf),
    };
  });
  const inTime = plain
    .flatMap((step) => (step ? [step] : []))
    .toSorted((a, b) => a.startedAt - b.startedAt || Number(a.key) - Number(b.key));
  const measured = measure(inTime, book);
  const steps = observed(measured, book);
  const byKey = new Map(steps.map((step) => [step.key, step]));
  return {
    calls: explained.map(({ call }, index) => ({ key: String(index + 1), call, step: byKey.get(String(index + 1)) })),
    steps,
    countOf: (text) => counts.get(text) ?? Math.ceil(text.length / 4),
    count: (wanted) => tokenizer.count(wanted),
    book,
  };
};

/** Sizes of blocks, anchored at what was billed (FC10 to FC13). */
const measure = (steps: readonly Step[], book: ModelBook | undefined): readonly Step[] => {
  const model = createCacheModel({ apiVersion: OLD_API, ...(book && { book }) });
  return steps.map((step) => {
    const { request, items, startedAt, call } = step;
    const facts = modelFacts(request.model, book);
    const cacheCall = {
      request,
      tokens: blockTokens(
        request,
        items.map(({ count }) => count),
        facts,
      ),
      estimated: true,
      startedAt,
      scope: `${call.provider} ${call.keyId ?? ''}`,
      ...(call.betas && { betas: call.betas }),
    };
    model.send(cacheCall).answered(step.firstByteAt, step.usage);
    const { blocks, hidden } = model.sizes(cacheCall);
    const { usage } = step;
    const rest =
      usage?.cacheReported === true ? promptTokens(usage) - blocks.reduce((sum, own) => sum + own, hidden) : 0;
    const tail = rest > 0 && rest <= MOST_TAIL ? { tail: rest } : {};
    const sized = items.map(({ block, count, origin }, at): Item => ({
      origin: origin ?? at,
      block,
      count,
      measured: blocks[at] ?? 0,
    }));
    return Object.assign({}, step, tail, { items: sized });
  });
};
