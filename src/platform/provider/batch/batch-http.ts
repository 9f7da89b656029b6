/** What both batch APIs need of HTTP. */
import { errorMessage } from '../../../base/errors.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { askedWait, classifyError } from '../../../model/provider/errors.ts';
import { secretsOf } from '../../../model/provider/keys.ts';
import type { ProviderError } from '../../../model/provider/types.ts';

export interface BatchConnection {
  readonly apiKey: string;
  readonly baseUrl?: string;
  readonly fetch: typeof fetch;
  readonly signal?: AbortSignal;
}

export interface BatchHttp {
  /** The response, with a status that is good. */
  readonly ask: (method: string, url: string, body?: BodyInit) => Promise<Result<Response, ProviderError>>;
  readonly json: (method: string, url: string, body?: BodyInit) => Promise<Result<unknown, ProviderError>>;
}

const MOST_ERROR = 20_000;
/** A row with an answer of a model; more is not a row. */
const MOST_LINE = 32_000_000;

const refusal = (text: string): { errorType?: string; message: string } => {
  try {
    const json = JSON.parse(text) as { error?: { type?: unknown; code?: unknown; message?: unknown } };
    const { type, code, message } = json.error ?? {};
    const word = typeof code === 'string' ? code : type;
    return {
      ...(typeof word === 'string' && { errorType: word }),
      message: typeof message === 'string' ? message : text.slice(0, 300),
    };
  } catch {
    return { message: text.slice(0, 300) };
  }
};

export const notABatch = (url: string): Result<never, ProviderError> =>
  err({
    class: 'server_error',
    code: 'malformed_stream',
    message: `The answer of ${new URL(url).host} isn't a batch.`,
    nextStep: 'Check the base URL.',
    retryable: false,
  });

/** No retries: a create that was answered with an error may have been made all the same. */
export const createBatchHttp = (
  { apiKey, fetch: use, signal }: BatchConnection,
  headers: Readonly<Record<string, string>>,
): BatchHttp => {
  const ask: BatchHttp['ask'] = async (method, url, body) => {
    const told = { url, isBrowser: false, secrets: secretsOf(apiKey) };
    try {
      const response = await use(url, {
        method,
        headers: { ...headers, ...(typeof body === 'string' && { 'content-type': 'application/json' }) },
        // A key does not follow to wherever a server points.
        redirect: 'error',
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      });
      if (response.ok) return ok(response);
      const names = new Map([...response.headers].map(([name, value]) => [name.toLowerCase(), value]));
      const said = refusal((await response.text()).slice(0, MOST_ERROR));
      const error = classifyError({ ...told, status: response.status, headers: names, ...said });
      const asked = error.retryable ? askedWait(names, Date.now()) : undefined;
      return err(asked === undefined ? error : { ...error, retryAfterMs: asked });
    } catch (thrown) {
      const cause = signal?.aborted === true ? 'cancelled' : 'connection';
      return err({
        ...classifyError({ ...told, cause, message: errorMessage(thrown) }),
        retryable: cause === 'connection',
      });
    }
  };
  return {
    ask,
    json: async (method, url, body) => {
      const response = await ask(method, url, body);
      if (!response.ok) return response;
      try {
        return ok((await response.value.json()) as unknown);
      } catch (thrown) {
        const message = errorMessage(thrown);
        return err(
          classifyError({ url, isBrowser: false, secrets: secretsOf(apiKey), cause: 'malformed_stream', message }),
        );
      }
    },
  };
};

/** A file of lines, without holding all of it. */
export async function* linesOf(response: Response): AsyncGenerator<string> {
  if (!response.body) return;
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MOST_LINE) throw new Error('A row of the batch is longer than 32 MB.');
    for (const line of lines) if (line.trim() !== '') yield line;
  }
  rest += decoder.decode();
  if (rest.trim() !== '') yield rest;
}
