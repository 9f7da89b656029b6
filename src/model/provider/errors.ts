/** From whatever went wrong to what happened and what to do now. */
import { takeCodePoints } from '../../base/text.ts';
import { connectionError, hostOf, isLoopback, localServer, type Surroundings } from './connection-errors.ts';
import { KEY_VARIABLES, redact } from './keys.ts';
import type { ErrorClass, ProviderError, ProviderId } from './types.ts';

export interface ErrorInfo extends Surroundings {
  /** What broke, if it was not the provider that refused. */
  readonly cause?:
    | 'cancelled'
    | 'timeout'
    | 'idle'
    | 'connection'
    | 'broken_off'
    | 'malformed_stream'
    | 'no_key'
    | 'unsendable_key';
  readonly provider?: ProviderId;
  readonly status?: number;
  /** The provider's word, such as `overloaded_error`. */
  readonly errorType?: string;
  readonly message?: string;
  /** Names in lower case. */
  readonly headers?: ReadonlyMap<string, string>;
  /** Never to appear in a message. */
  readonly secrets?: readonly string[];
}

interface Verdict {
  readonly class: ErrorClass;
  readonly code: string;
  readonly message: string;
  readonly nextStep: string;
  readonly retryable: boolean;
}

/** A provider's message may hold a whole page. */
const MAX_MESSAGE = 600;
const MAX_READ = 20_000;

const verdict = (
  errorClass: ErrorClass,
  code: string,
  message: string,
  nextStep: string,
  retryable = false,
): Verdict => ({
  class: errorClass,
  code,
  message: message.replace(/^the (?=simulator|provider)/, 'The '),
  nextStep,
  retryable,
});

const TOO_LONG =
  /prompt is too long|context.?(?:length|window|limit)|maximum (?:context|model length|prompt length|number of tokens)|too many (?:input )?tokens|exceeds? the (?:available )?context|input is too long|exceed_context_size/i;
/** Not the bare word: a name that the request holds may have it too. */
const BILLING =
  /credit balance|insufficient_quota|insufficient credits|billing (?:account|details|hard limit|is (?:not|disabled))|(?:activate|enable) billing|billing_(?:hard_limit|not_active)|exceeded your current quota|requires more credits/i;
const NO_BROWSER = /CORS requests are not allowed|direct browser access/i;
const MODEL = /\bmodel\b|no endpoints found/i;

/** What the provider itself said, for the end of a sentence. */
const said = ({ message }: ErrorInfo): string => (message ? `: ${message}${/[.!?…]$/.test(message) ? '' : '.'}` : '.');

/** Where a key goes (D33). */
const keyPlace = ({ isBrowser, provider }: ErrorInfo): string => {
  const name = provider && KEY_VARIABLES[provider];
  if (isBrowser) return 'into the settings';
  return name === undefined ? 'into the environment' : `into the environment variable ${name}`;
};

const ownVerdict = (info: ErrorInfo, cause: NonNullable<ErrorInfo['cause']>): Verdict => {
  const host = hostOf(info.url);
  switch (cause) {
    case 'cancelled':
      return verdict('cancelled', 'cancelled', 'Request stopped.', 'Send again to retry.');
    case 'no_key':
      return verdict('auth', 'no_key', `No API key for ${host}.`, `Put one ${keyPlace(info)}.`);
    case 'unsendable_key':
      return verdict(
        'auth',
        'wrong_key',
        `The key for ${host} has an invalid character.`,
        `Copy the whole key again from the provider, without quotes or line breaks, and put it ${keyPlace(info)}.`,
      );
    case 'timeout':
      return verdict(
        'network',
        'timeout',
        `${host} didn’t respond in time${said(info)}`,
        'Try again. If it keeps happening, raise the timeout or choose another model. The provider may have billed the request.',
      );
    case 'idle':
      return verdict(
        'network',
        'timeout',
        `${host} stopped sending in the middle of the response${said(info)}`,
        'Lathe kept the partial response. Try again.',
      );
    case 'broken_off':
      return verdict(
        'network',
        'connection_lost',
        `The connection to ${host} broke in the middle of the response${said(info)}`,
        'Lathe kept the partial response. Check the network and try again.',
      );
    case 'malformed_stream':
      return verdict(
        'server_error',
        'malformed_stream',
        `${host} sent an invalid response${said(info)}`,
        'Lathe kept the partial response, and the raw chunks show the rest. Check that the base URL belongs to this kind of provider.',
      );
    case 'connection':
      return connectionError(info);
  }
};

const authVerdict = (info: ErrorInfo): Verdict | undefined => {
  const host = hostOf(info.url);
  const { status, errorType, message = '' } = info;
  if (status !== 401 && status !== 403 && !/authentication|permission|invalid_api_key/.test(errorType ?? ''))
    return undefined;
  if (NO_BROWSER.test(message)) {
    return verdict(
      'auth',
      'org_forbids_browser',
      `This key’s organization forbids requests from a browser${said(info)}`,
      'Use another organization’s key, run the CLI, or use OpenRouter.',
    );
  }
  if (status === 403 && info.isBrowser && isLoopback(host)) {
    return verdict('auth', 'local_no_cors', `${host} refuses this page${said(info)}`, localServer(info).allow);
  }
  if (status === 403 || /permission/.test(errorType ?? '')) {
    return verdict(
      'auth',
      'forbidden',
      `${host} forbids this${said(info)}`,
      'Check the key’s permissions, and whether its organization and region have access to the model.',
    );
  }
  return verdict(
    'auth',
    'wrong_key',
    `${host} doesn’t accept the key${said(info)}`,
    'Check that the key is complete, isn’t revoked, and belongs to this provider.',
  );
};

const refusal = (info: ErrorInfo): Verdict => {
  const host = hostOf(info.url);
  const { status, errorType = '', message = '' } = info;
  const words = `${errorType} ${message}`;
  if (status === 402 || errorType === 'billing_error' || BILLING.test(words)) {
    return verdict(
      'other',
      'billing',
      `The account is out of credit${said(info)}`,
      'Add credit at the provider, or use another key.',
    );
  }
  const auth = authVerdict(info);
  if (auth) return auth;
  const isRateLimit = status === 429 || errorType.startsWith('rate_limit');
  if (status === 413 || errorType === 'request_too_large' || (!isRateLimit && TOO_LONG.test(words))) {
    return verdict(
      'context_overflow',
      'context_too_long',
      `The request is too long for the model${said(info)}`,
      'Start a new session, choose a model with a larger context window, or load fewer skills.',
    );
  }
  if (isRateLimit) {
    const wait = info.headers?.get('retry-after');
    return verdict(
      'rate_limit',
      'rate_limited',
      `${host} limits the number of requests or tokens${said(info)}`,
      wait === undefined ? 'Wait a moment and try again.' : `Try again ${waitText(wait)}.`,
      true,
    );
  }
  if (status === 529 || status === 503 || errorType === 'overloaded_error' || errorType === 'slow_down') {
    return verdict(
      'server_error',
      'overloaded',
      `${host} is overloaded${said(info)}`,
      'Wait a moment and try again, or choose another model.',
      true,
    );
  }
  if (status === 404 || errorType === 'not_found_error' || errorType === 'model_not_found') {
    return MODEL.test(words)
      ? verdict(
          'invalid_request',
          'model_not_found',
          `${host} has no such model${said(info)}`,
          'Choose one from the model list. A local server may need to load it first.',
        )
      : verdict('invalid_request', 'not_found', `${host} has nothing at this URL${said(info)}`, 'Check the base URL.');
  }
  return other(info, host);
};

const other = (info: ErrorInfo, host: string): Verdict => {
  const { status, errorType = '' } = info;
  if (status === 408 || status === 409) {
    return verdict(
      'server_error',
      'server_busy',
      `${host} couldn’t accept the request${said(info)}`,
      'Try again.',
      true,
    );
  }
  const isServer = status === undefined ? /^(?:api_error|server_error|timeout_error)$/.test(errorType) : status >= 500;
  if (isServer) {
    return verdict(
      'server_error',
      'server_error',
      `${host} failed${said(info)}`,
      'Try again. If it keeps failing, check the provider’s status page.',
      true,
    );
  }
  if (status === 400 || status === 422 || /^invalid_|_error$/.test(errorType)) {
    return verdict(
      'invalid_request',
      'invalid_request',
      `${host} refused the request${said(info)}`,
      'The message names the field. The request view shows the sent body.',
    );
  }
  return verdict(
    'other',
    'unknown',
    status === undefined
      ? `The request to ${host} failed${said(info)}`
      : `${host} responded with status ${status}${said(info)}`,
    'The raw response shows more.',
  );
};

const waitText = (retryAfter: string): string => {
  const seconds = Number(retryAfter);
  return Number.isFinite(seconds) ? `in ${seconds} s` : `after ${retryAfter}`;
};

export const classifyError = (given: ErrorInfo): ProviderError => {
  const { message: whole = '', ...rest } = given;
  // Keys go before the cut: of one that is cut in two, a part would stay.
  const message = takeCodePoints(redact(whole.slice(0, MAX_READ), given.secrets).trim(), MAX_MESSAGE);
  const info: ErrorInfo = { ...rest, ...(message !== '' && { message }) };
  const found = info.cause === undefined ? refusal(info) : ownVerdict(info, info.cause);
  const requestId = given.headers?.get('request-id') ?? given.headers?.get('x-request-id');
  return {
    ...found,
    ...(given.status !== undefined && { status: given.status }),
    ...(requestId !== undefined && { requestId }),
  };
};

/** Longer waits are for a person to decide. */
const MAX_WAIT_MS = 60_000;

/** What the headers of a refusal ask for, in milliseconds. */
export const askedWait = (headers: ReadonlyMap<string, string> | undefined, now: number): number | undefined => {
  const exact = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(exact)) return exact;
  const given = headers?.get('retry-after');
  if (given === undefined) return undefined;
  const seconds = Number(given);
  if (Number.isFinite(seconds)) return seconds * 1000;
  const date = Date.parse(given);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};

/**
 * How long to wait before the next attempt; undefined if there should be none. The provider's word counts, else half a
 * second that doubles, up to eight. `jitter` is from 0 to 1.
 */
export const retryDelay = (
  error: ProviderError,
  headers: ReadonlyMap<string, string> | undefined,
  failedAttempts: number,
  now: number,
  jitter: number,
): number | undefined => {
  if (error.class === 'cancelled' || error.code === 'timeout') return undefined;
  const word = headers?.get('x-should-retry');
  if (word === 'false' || (word !== 'true' && !error.retryable)) return undefined;
  const asked = askedWait(headers, now);
  if (asked !== undefined) return asked <= MAX_WAIT_MS ? Math.max(0, asked) : undefined;
  return Math.min(500 * 2 ** (failedAttempts - 1), 8000) * (1 - jitter * 0.25);
};
