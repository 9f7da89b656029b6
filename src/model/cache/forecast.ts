/**
 * What a request that was not sent yet, or is imagined otherwise, reads, writes and costs (D40). Every such number in the app and
 * the CLI comes from here: bodies in, the known history beside them, and the rules of `engine.ts`.
 */
import { ok, type Result } from '../../base/result.ts';
import { costOf, type CostOptions } from '../provider/cost.ts';
import { modelFacts, type ModelBook } from '../provider/model-book.ts';
import type { Tokenizer, Wire } from '../provider/types.ts';
import { createBlockCounter } from './block-tokens.ts';
import { createCacheModel, type CacheCall, type CacheModel, type RequestSizes } from './engine.ts';
import { readRequest } from './read-request.ts';
import type { CacheRequest, Prediction } from './types.ts';

export interface ImaginedRequest {
  readonly wire: Wire;
  /** The exact body as text. */
  readonly body: string;
  /** Unix time in ms. */
  readonly startedAt: number;
  readonly scope: string;
  /** False where the provider counts as we do: the simulator. */
  readonly estimated: boolean;
  readonly betas?: readonly string[];
}

export interface Forecast extends Prediction, RequestSizes {
  /** USD of the prompt, without what the model says; nothing where a price is not known. */
  readonly usd: number | undefined;
}

/** What a change does to the next request: the same request with and without it, at the same time. */
export interface ForecastChange {
  readonly before: Forecast;
  readonly after: Forecast;
  /** Tokens that would have been read and are not. */
  readonly lost: number;
  /** USD more than without the change; negative where it saves. */
  readonly extraUsd: number | undefined;
}

type Known = Pick<CacheModel, 'predict' | 'sizes'>;

export const writtenIn = ({ usage }: Pick<Prediction, 'usage'>): number =>
  Object.values(usage.writes).reduce((sum: number, tokens) => sum + (tokens ?? 0), 0);

/** `history` is what is known of the provider's cache. Changes nothing. */
export const forecast = (history: Known, call: CacheCall, options: CostOptions = {}): Forecast => {
  const prediction = history.predict(call);
  const usage = { ...prediction.usage, output: 0, cacheReported: true, partial: false };
  return { ...prediction, ...history.sizes(call), usd: costOf(usage, call.request.model, options).usd };
};

export const forecastChange = (
  history: Known,
  before: CacheCall,
  after: CacheCall,
  options: CostOptions = {},
): ForecastChange => {
  const [without, changed] = [forecast(history, before, options), forecast(history, after, options)];
  return {
    before: without,
    after: changed,
    lost: Math.max(0, without.usage.read - changed.usage.read),
    extraUsd: without.usd === undefined || changed.usd === undefined ? undefined : changed.usd - without.usd,
  };
};

/** A moment before: long enough for an answer to have begun. */
const MOMENT = 1000;

/** The history as it is if `call` was answered a moment before it starts. What is in a cache already stays. */
export const warmed = (history: CacheModel, call: CacheCall): CacheModel => {
  const copy = history.fork();
  const startedAt = call.startedAt - MOMENT;
  copy.send({ ...call, startedAt }).answered(startedAt);
  return copy;
};

/** The same request once per turn, `apart` ms from each other, on a cache that has nothing yet. */
export const forecastTurns = (
  call: CacheCall,
  turns: number,
  apart: number,
  options: CostOptions = {},
): readonly Forecast[] => {
  const cache = createCacheModel(options.book ? { book: options.book } : {});
  return Array.from({ length: Math.max(0, Math.floor(turns)) }, (_, turn) => {
    const startedAt = call.startedAt + turn * apart;
    const told = forecast(cache, { ...call, startedAt }, options);
    cache.send({ ...call, startedAt }).answered(startedAt);
    return told;
  });
};

export interface RequestReader {
  /** Reads a body and counts its tokens; a sentence where it cannot be read. `previous` saves reading what both begin with. */
  readonly read: (imagined: ImaginedRequest, previous?: CacheRequest) => Promise<Result<CacheCall, string>>;
}

export const createRequestReader = (tokenizer: Tokenizer, book?: ModelBook): RequestReader => {
  const count = createBlockCounter(tokenizer);
  return {
    read: async ({ wire, body, startedAt, scope, estimated, betas }, previous) => {
      const read = readRequest(body, wire, previous);
      if (!read.ok) return read;
      const request = read.value;
      const tokens = await count(request, modelFacts(request.model, book));
      return ok({ request, tokens, estimated, startedAt, scope, ...(betas && { betas }) });
    },
  };
};
