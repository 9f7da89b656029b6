/** Many requests handed over at the same time, and answered within a day at half the price. */
import { isObject, parseJson, type Json } from '../../base/json.ts';
import type { Result } from '../../base/result.ts';
import { classifyError } from './errors.ts';
import { fromMessage } from './read-stream.ts';
import type { CallResult, ProviderError, Wire, WireRequest } from './types.ts';

export interface BatchRow {
  /** At most 64 of `[A-Za-z0-9_-]`. */
  readonly id: string;
  /** JSON, as text. */
  readonly body: string;
}

export interface BatchRowResult {
  readonly id: string;
  readonly result: CallResult;
}

export interface BatchState {
  readonly kind: 'working' | 'ended' | 'failed';
  /** Why it failed as a whole. */
  readonly message?: string;
}

/** How a batch is found again whose id was lost. */
export interface BatchMark {
  readonly run: string;
  readonly chunk: string;
  readonly rows: number;
  /** Not made before this. */
  readonly since: number;
}

export interface BatchClient {
  readonly create: (rows: readonly BatchRow[], mark: BatchMark) => Promise<Result<string, ProviderError>>;
  /** Batches that may be the one; where a provider keeps no marks, their rows have to be looked at. */
  readonly find: (mark: BatchMark) => Promise<Result<readonly string[], ProviderError>>;
  readonly state: (id: string) => Promise<Result<BatchState, ProviderError>>;
  /** Row by row, in any order. Throws what went wrong on the way. */
  readonly results: (id: string) => AsyncIterable<BatchRowResult>;
}

/** A batch has no stream. */
export const batchBody = ({ body }: WireRequest): string => {
  const { stream: _stream, stream_options: _options, ...rest } = body;
  return JSON.stringify(rest);
};

const failed = (error: ProviderError): CallResult => ({
  ok: false,
  error,
  attempts: 1,
  startedAt: 0,
  endedAt: 0,
  content: [],
});

const failure = (url: string, error: Json | undefined, status?: number): CallResult => {
  const { type, code, message } = isObject(error) ? error : {};
  const word = typeof code === 'string' ? code : type;
  return failed(
    classifyError({
      url,
      isBrowser: false,
      ...(status !== undefined && { status }),
      ...(typeof word === 'string' && { errorType: word }),
      message: typeof message === 'string' ? message : 'without a reason',
    }),
  );
};

/** Nobody ran it: it can be asked again. */
const unanswered = (word: string): CallResult =>
  failed({
    class: 'other',
    code: `batch_${word}`,
    message: `The request was not run: ${word}.`,
    nextStep: 'Run it again.',
    retryable: true,
  });

const answered = (wire: Wire, url: string, json: Json | undefined): CallResult => {
  const { isComplete, content, usage, stopReason, error, fault } = fromMessage(wire, json);
  if (error) return failure(url, { type: error.type ?? '', message: error.message }, error.status);
  if (fault !== undefined || !isComplete)
    return failure(url, { type: 'api_error', message: fault ?? 'The answer is not complete.' });
  return {
    ok: true,
    attempts: 1,
    startedAt: 0,
    endedAt: 0,
    content,
    stopReason: stopReason ?? 'other',
    ...(usage && { usage }),
  };
};

/** One line of Anthropic's results, or of OpenAI's output or error file; nothing where it is none. */
export const readBatchLine = (wire: Wire, url: string, line: string): BatchRowResult | undefined => {
  const json = parseJson(line);
  if (!json.ok || !isObject(json.value) || typeof json.value['custom_id'] !== 'string') return undefined;
  const { custom_id: id, result, response, error } = json.value;
  if (wire === 'anthropic-messages') {
    if (!isObject(result)) return undefined;
    if (result['type'] === 'succeeded') return { id, result: answered(wire, url, result['message']) };
    if (result['type'] !== 'errored')
      return { id, result: unanswered(result['type'] === 'expired' ? 'expired' : 'canceled') };
    const outer = result['error'];
    return { id, result: failure(url, isObject(outer) ? outer['error'] : undefined) };
  }
  if (isObject(response)) {
    const { status_code: status, body } = response;
    if (status === 200) return { id, result: answered(wire, url, body) };
    return {
      id,
      result: failure(url, isObject(body) ? body['error'] : undefined, typeof status === 'number' ? status : undefined),
    };
  }
  const code = isObject(error) ? error['code'] : undefined;
  return code === 'batch_expired' || code === 'batch_cancelled'
    ? { id, result: unanswered(code.slice('batch_'.length)) }
    : { id, result: failure(url, error) };
};
