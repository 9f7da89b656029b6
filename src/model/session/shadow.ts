/**
 * The cache model, running beside every session: what the provider will do with a request. One shadow serves all sessions of
 * a page, because entries are shared between them.
 */
import { errorMessage } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { createBlockCounter } from '../cache/block-tokens.ts';
import { createCacheModel, type CacheCall, type SentCall } from '../cache/engine.ts';
import { readRequest } from '../cache/read-request.ts';
import type { CacheEntry, CacheRequest, Prediction } from '../cache/types.ts';
import { modelFacts, type ModelBook } from '../provider/model-book.ts';
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

export interface ShadowCall {
  readonly prediction: Prediction;
  /** It went out; a retry is another request to the provider. */
  readonly sent: (at: number) => void;
  readonly answered: (result: CallResult & { readonly ok: true }) => void;
  readonly failed: (result: CallResult) => void;
}

export interface Shadow {
  /** Nothing if the request cannot be judged; the reason is logged. */
  readonly begin: (request: ShadowRequest) => Promise<ShadowCall | undefined>;
  readonly entries: (now: number) => readonly CacheEntry[];
  /** What other sessions sent last. */
  readonly neighbors: Neighbors;
  readonly clear: () => void;
}

export interface ShadowDeps {
  readonly tokenizer: Tokenizer;
  readonly log: Log;
  readonly book?: ModelBook;
}

export const createShadow = (deps: ShadowDeps): Shadow => {
  const { log, book } = deps;
  const model = createCacheModel(book ? { book } : {});
  const count = createBlockCounter(deps.tokenizer);
  const neighbors = createNeighbors();
  // Of each conversation the last request as it was read: what both begin with is not read again.
  const lastRead = new Map<string, CacheRequest>();

  const prepare = async (request: ShadowRequest): Promise<CacheCall | undefined> => {
    const key = `${request.sessionId} ${request.wire}`;
    const read = readRequest(request.body, request.wire, lastRead.get(key));
    const problem = (why: string): undefined => {
      log({ level: 'warning', code: 'cache.no_prediction', text: `no prediction for this request: ${why}` });
      return undefined;
    };
    if (!read.ok) return problem(read.error);
    lastRead.set(key, read.value);
    try {
      const tokens = await count(read.value, modelFacts(request.model, book));
      return {
        request: read.value,
        tokens,
        // The simulator counts as we do; any other provider has its own tokenizer.
        estimated: request.provider !== 'simulator',
        startedAt: request.startedAt,
        scope: `${request.provider} ${request.scope}`,
      };
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
        prediction: model.predict(call),
        sent: (at) => {
          sent?.failed();
          sent = model.send({ ...call, startedAt: at });
        },
        answered: (result) => {
          sent?.answered(result.firstByteAt ?? result.endedAt);
        },
        failed: (result) => {
          // Whoever answered at all has read the prompt, and may have kept it.
          if (result.firstByteAt === undefined) sent?.failed();
          else sent?.answered(result.firstByteAt);
        },
      };
    },
    entries: model.entries,
    neighbors,
    clear: () => {
      model.clear();
      neighbors.clear();
      lastRead.clear();
    },
  };
};
