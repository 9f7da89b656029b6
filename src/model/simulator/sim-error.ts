/** Refusals in the words and shapes of the provider whose wire it is. */
import type { Json } from '../../base/json.ts';
import type { Wire } from '../provider/types.ts';

export interface SimError {
  readonly status: number;
  /** The provider's word for the kind: `invalid_request_error`. */
  readonly type: string;
  readonly message: string;
  /** OpenAI's two. */
  readonly param?: string;
  readonly code?: string;
  /** Anthropic's, for programs. */
  readonly details?: { readonly [key: string]: Json };
  /** Seconds. */
  readonly retryAfter?: number;
}

export const invalid = (
  message: string,
  extra: { readonly param?: string; readonly code?: string } = {},
): SimError => ({
  status: 400,
  type: 'invalid_request_error',
  message,
  ...extra,
});

export const unknownModel = (wire: Wire, model: string): SimError =>
  wire === 'anthropic-messages'
    ? { status: 404, type: 'not_found_error', message: `model: ${model}` }
    : {
        status: 404,
        type: 'invalid_request_error',
        message: `The model \`${model}\` does not exist or you do not have access to it.`,
        code: 'model_not_found',
      };

/** Anyone who asks for embeddings or images is told that it is not the address that is wrong. */
export const notServed = (method: string, path: string): SimError => ({
  status: 404,
  type: 'not_found_error',
  message:
    `The simulator doesn't serve ${method} ${path}. It answers messages, responses, and chat completions, ` +
    'counts tokens, lists models, and runs batches.',
});

/** Any key does; none does not. */
export const noKey = (wire: Wire): SimError =>
  wire === 'anthropic-messages'
    ? { status: 401, type: 'authentication_error', message: 'x-api-key header is required' }
    : {
        status: 401,
        type: 'invalid_request_error',
        message:
          "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
      };

/** The statuses that a fault asks for. */
export const faultError = (
  wire: Wire,
  kind: 'rate_limit' | 'overloaded' | 'server_error',
  retryAfter: number | undefined,
): SimError => {
  const extra = retryAfter === undefined ? {} : { retryAfter };
  const isAnthropic = wire === 'anthropic-messages';
  switch (kind) {
    case 'rate_limit':
      return isAnthropic
        ? {
            status: 429,
            type: 'rate_limit_error',
            message: 'This request would exceed the rate limit for your organization. Please try again later.',
            retryAfter: 1,
            ...extra,
          }
        : {
            status: 429,
            type: 'requests',
            message: `Rate limit reached for requests. Please try again in ${retryAfter ?? 1}s.`,
            code: 'rate_limit_exceeded',
            retryAfter: 1,
            ...extra,
          };
    case 'overloaded':
      return isAnthropic
        ? { status: 529, type: 'overloaded_error', message: 'Overloaded', ...extra }
        : {
            status: 503,
            type: 'service_unavailable_error',
            message: 'The engine is currently overloaded, please try again later.',
            code: 'server_is_overloaded',
            ...extra,
          };
    case 'server_error':
      return isAnthropic
        ? { status: 500, type: 'api_error', message: 'Internal server error', ...extra }
        : {
            status: 500,
            type: 'server_error',
            message: 'The server had an error while processing your request. Sorry about that!',
            ...extra,
          };
  }
};

export const errorBody = (wire: Wire, error: SimError, requestId: string): string =>
  wire === 'anthropic-messages'
    ? JSON.stringify({
        type: 'error',
        error: { type: error.type, message: error.message, ...(error.details && { details: error.details }) },
        request_id: requestId,
      })
    : JSON.stringify(
        {
          error: {
            message: error.message,
            type: error.type,
            param: error.param ?? null,
            code: error.code ?? null,
          },
        },
        undefined,
        2,
      );
