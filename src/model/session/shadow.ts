/**
 * The cache model, running beside every session: what the provider will do with a request, and afterwards why it did not.
 * One shadow serves all sessions of a page, because entries are shared between them.
 */
import { errorMessage } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { createBlockCounter } from '../cache/block-tokens.ts';
import { createCacheModel, type CacheCall, type SentCall } from '../cache/engine.ts';
import { readRequest } from '../cache/read-request.ts';
import type { CacheEntry, CacheRequest, Prediction, RecordedCall } from '../cache/types.ts';
import type { Payload } from '../event/types.ts';
import { modelFacts, type ModelBook } from '../provider/model-book.ts';
import type { CallResult, ProviderId, Tokenizer, Wire } from '../provider/types.ts';

/** Calls that verdicts can refer to. */
const HISTORY = 200;

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
  /** The body as it went out; a retry is another request to the provider. */
  readonly sent: (body: string, at: number) => void;
  readonly answered: (result: CallResult & { readonly ok: true }) => Payload<'cache.explained'> | undefined;
  readonly failed: (result: CallResult) => void;
}

/** A call that was answered, with the request that it belongs to. */
export interface ShadowRecord {
  readonly requestId: string;
  readonly call: RecordedCall;
}

export interface Shadow {
  /** Nothing if the request cannot be judged; the reason is logged. */
  readonly begin: (request: ShadowRequest) => Promise<ShadowCall | undefined>;
  readonly entries: (now: number) => readonly CacheEntry[];
  /** Oldest first. */
  readonly history: readonly ShadowRecord[];
  readonly clear: () => void;
}

export type Explain = (
  current: ShadowRecord,
  history: readonly ShadowRecord[],
) => Payload<'cache.explained'> | undefined;

export interface ShadowDeps {
  readonly tokenizer: Tokenizer;
  readonly explain: Explain;
  readonly log: Log;
  readonly book?: ModelBook;
}

export const createShadow = (deps: ShadowDeps): Shadow => {
  const { log, book } = deps;
  const model = createCacheModel(book ? { book } : {});
  const count = createBlockCounter(deps.tokenizer);
  const history: ShadowRecord[] = [];
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

  const remember = (request: ShadowRequest, body: string, result: CallResult): ShadowRecord => {
    const record: ShadowRecord = {
      requestId: request.requestId,
      call: {
        provider: request.provider,
        wire: request.wire,
        model: request.model,
        body,
        startedAt: result.startedAt,
        ...(result.firstByteAt !== undefined && { firstByteAt: result.firstByteAt }),
        endedAt: result.endedAt,
        ...(result.usage && { usage: result.usage }),
        ...(result.diagnosis && { diagnosis: result.diagnosis }),
        response: {
          ...(result.responseId !== undefined && { id: result.responseId }),
          ...(result.model !== undefined && { model: result.model }),
          ...(result.upstream !== undefined && { upstream: result.upstream }),
        },
        keyId: request.scope,
        sessionId: request.sessionId,
      },
    };
    history.push(record);
    if (history.length > HISTORY) history.shift();
    return record;
  };

  return {
    begin: async (request) => {
      const call = await prepare(request);
      if (!call) return undefined;
      let sent: SentCall | undefined;
      let sentBody = request.body;
      return {
        prediction: model.predict(call),
        sent: (body, at) => {
          sent?.failed();
          sentBody = body;
          sent = model.send({ ...call, startedAt: at });
        },
        answered: (result) => {
          sent?.answered(result.firstByteAt ?? result.endedAt);
          const before = history.slice();
          return deps.explain(remember(request, sentBody, result), before);
        },
        failed: (result) => {
          // Whoever answered at all has read the prompt, and may have kept it.
          if (result.firstByteAt === undefined) sent?.failed();
          else sent?.answered(result.firstByteAt);
        },
      };
    },
    entries: model.entries,
    history,
    clear: () => {
      model.clear();
      history.length = 0;
      lastRead.clear();
    },
  };
};
