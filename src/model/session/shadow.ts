/**
 * The cache model, running beside every session: what the provider will do with a request. One shadow serves all sessions of
 * a page, because entries are shared between them.
 */
import { errorMessage } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { createCacheModel, type CacheCall, type RequestSizes, type SentCall } from '../cache/engine.ts';
import {
  createRequestReader,
  forecast,
  forecastChange,
  warmed,
  type Forecast,
  type ForecastChange,
} from '../cache/forecast.ts';
import type { CacheEntry, CacheRequest } from '../cache/types.ts';
import type { ModelBook } from '../provider/model-book.ts';
import type { CallResult, ProviderId, Tokenizer, Wire } from '../provider/types.ts';
import { createNeighbors, type Neighbors } from './verdicts.ts';

export interface ShadowRequest {
  readonly requestId: string;
  readonly provider: ProviderId;
  readonly wire: Wire;
  readonly model: string;
  readonly body: string;
  readonly startedAt: number;
  /** Tells apart keys and workspaces. */
  readonly scope: string;
  readonly sessionId: string;
}

/** A request that nobody has sent. */
export type ShadowQuestion = Omit<ShadowRequest, 'requestId'>;

export interface ShadowCall {
  readonly forecast: Forecast;
  /** It went out; a retry is another request to the provider. */
  readonly sent: (at: number) => void;
  readonly answered: (result: CallResult & { readonly ok: true }) => void;
  readonly failed: (result: CallResult) => void;
}

export interface Shadow {
  /** Nothing if the request cannot be judged; the reason is logged. */
  readonly begin: (request: ShadowRequest) => Promise<ShadowCall | undefined>;
  /** Of a request that is not sent. Nothing if it cannot be judged; the reason is logged. */
  readonly forecast: (question: ShadowQuestion) => Promise<Forecast | undefined>;
  /**
   * What a change does to a request that is not sent. `isWarm`: as if the unchanged one had been answered a moment ago, whether or
   * not that is known.
   */
  readonly change: (
    before: ShadowQuestion,
    after: ShadowQuestion,
    isWarm?: boolean,
  ) => Promise<ForecastChange | undefined>;
  /** A request that is not sent, read and counted as forecasts count it: to be asked on another history. */
  readonly measure: (question: ShadowQuestion) => Promise<CacheCall | undefined>;
  /** Tokens of a body that was read and counted, anchored at what was billed. */
  readonly sizes: (request: CacheRequest, tokens: readonly number[]) => RequestSizes;
  /** The forecast of a body that was read and counted. */
  readonly counted: (
    question: Pick<ShadowQuestion, 'provider' | 'scope' | 'startedAt'>,
    request: CacheRequest,
    tokens: readonly number[],
  ) => Forecast;
  readonly entries: (now: number) => readonly CacheEntry[];
  /** Those that the last requests of a session wrote or could read: entries of other sessions say nothing about this one. */
  readonly ofSession: (sessionId: string, entries: readonly CacheEntry[]) => readonly CacheEntry[];
  /** What other sessions sent last. */
  readonly neighbors: Neighbors;
  readonly clear: () => void;
}

export interface ShadowDeps {
  readonly tokenizer: Tokenizer;
  readonly log: Log;
  readonly book?: ModelBook;
}

/** The provider said something of an answer, not only that none exists. */
const hasBegun = ({ responseId, usage, content }: CallResult): boolean =>
  responseId !== undefined || usage !== undefined || content.length > 0;

const circumstances = ({ provider, scope, startedAt }: Pick<ShadowQuestion, 'provider' | 'scope' | 'startedAt'>) => ({
  startedAt,
  scope: `${provider} ${scope}`,
  // The simulator counts as we do; any other provider has its own tokenizer.
  estimated: provider !== 'simulator',
});

/** Requests of a session whose entries count as its own. */
const NEWEST = 4;

export const createShadow = (deps: ShadowDeps): Shadow => {
  const { log, book } = deps;
  const model = createCacheModel(book ? { book } : {});
  const reader = createRequestReader(deps.tokenizer, book);
  const prices = book ? { book } : {};
  const neighbors = createNeighbors();
  // Of each conversation the last request as it was read: what both begin with is not read again.
  const lastRead = new Map<string, CacheRequest>();
  // The newest requests of each session, its asks included.
  const lastSent = new Map<string, readonly CacheCall[]>();

  const prepare = async (request: ShadowQuestion): Promise<CacheCall | undefined> => {
    const key = `${request.sessionId} ${request.wire}`;
    const problem = (why: string): undefined => {
      log({ level: 'warning', code: 'cache.no_prediction', text: `no prediction for this request: ${why}` });
      return undefined;
    };
    try {
      const read = await reader.read(
        {
          wire: request.wire,
          body: request.body,
          ...circumstances(request),
        },
        lastRead.get(key),
      );
      if (!read.ok) return problem(read.error);
      lastRead.set(key, read.value.request);
      return read.value;
    } catch (thrown) {
      return problem(`its tokens cannot be counted (${errorMessage(thrown)})`);
    }
  };

  return {
    begin: async (request) => {
      const call = await prepare(request);
      if (!call) return undefined;
      let sent: SentCall | undefined;
      return {
        forecast: forecast(model, call, prices),
        sent: (at) => {
          sent?.failed();
          sent = model.send({ ...call, startedAt: at });
          lastSent.set(request.sessionId, [call, ...(lastSent.get(request.sessionId) ?? [])].slice(0, NEWEST));
        },
        answered: (result) => {
          sent?.answered(result.firstByteAt ?? result.endedAt, result.usage);
        },
        failed: (result) => {
          // An error leaves no entry. A response that broke off after it had begun was read, and may have been kept.
          if (result.firstByteAt !== undefined && hasBegun(result)) sent?.answered(result.firstByteAt);
          else sent?.failed();
        },
      };
    },
    forecast: async (question) => {
      const call = await prepare(question);
      return call && forecast(model, call, prices);
    },
    change: async (before, after, isWarm = false) => {
      const [unchanged, changed] = [await prepare(before), await prepare(after)];
      if (!unchanged || !changed) return undefined;
      return forecastChange(isWarm ? warmed(model, unchanged) : model, unchanged, changed, prices);
    },
    measure: async (question) => {
      const call = await prepare(question);
      if (!call) return undefined;
      const { hidden, blocks } = model.sizes(call);
      return { ...call, tokens: blocks, toolPromptTokens: hidden };
    },
    sizes: (request, tokens) => model.sizes({ request, tokens, startedAt: 0, scope: '' }),
    counted: (question, request, tokens) => forecast(model, { request, tokens, ...circumstances(question) }, prices),
    entries: model.entries,
    ofSession: (sessionId, entries) => {
      const own = new Set((lastSent.get(sessionId) ?? []).flatMap((call) => model.hashes(call)));
      return entries.filter(({ hash }) => own.has(hash));
    },
    neighbors,
    clear: () => {
      model.clear();
      neighbors.clear();
      lastRead.clear();
      lastSent.clear();
    },
  };
};
