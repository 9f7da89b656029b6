import { describe, expect, it } from 'vitest';
import { addressSpace } from './connection-errors.ts';
import { classifyError, retryDelay, type ErrorInfo } from './errors.ts';
import { createKeyFilter, keyId, redact, secretsOf, withoutKeys } from './keys.ts';
import { ERROR_CLASSES, type ErrorClass, type ProviderError } from './types.ts';

const ANTHROPIC = 'https://api.anthropic.com/v1/messages';
const PUBLIC = { protocol: 'https:', host: 'lathe.example' };
const LOCAL = { protocol: 'http:', host: 'localhost:5173' };
const classify = (more: Partial<ErrorInfo>): ProviderError =>
  classifyError({ url: ANTHROPIC, isBrowser: false, ...more });

type Refusal = [info: Partial<ErrorInfo>, code: string, class_: ErrorClass, retryable: boolean];

describe('what a provider refuses', () => {
  it.each<Refusal>([
    [{ status: 401, errorType: 'authentication_error', message: 'invalid bearer token' }, 'wrong_key', 'auth', false],
    [{ status: 401, errorType: 'invalid_api_key', message: 'Incorrect API key' }, 'wrong_key', 'auth', false],
    [
      { status: 401, message: 'CORS requests are not allowed for this Organization because of its settings' },
      'org_forbids_browser',
      'auth',
      false,
    ],
    [{ status: 403, errorType: 'permission_error', message: 'no' }, 'forbidden', 'auth', false],
    [{ status: 402, errorType: 'billing_error', message: 'pay' }, 'billing', 'other', false],
    [
      { status: 400, errorType: 'invalid_request_error', message: 'Your credit balance is too low to access the API' },
      'billing',
      'other',
      false,
    ],
    [
      { status: 429, errorType: 'insufficient_quota', message: 'You exceeded your current quota' },
      'billing',
      'other',
      false,
    ],
    [
      {
        status: 400,
        errorType: 'invalid_request_error',
        message: 'prompt is too long: 210000 tokens > 200000 maximum',
      },
      'context_too_long',
      'context_overflow',
      false,
    ],
    [
      { status: 400, errorType: 'context_length_exceeded', message: 'Your input exceeds the context window' },
      'context_too_long',
      'context_overflow',
      false,
    ],
    [{ status: 413, errorType: 'request_too_large', message: 'big' }, 'context_too_long', 'context_overflow', false],
    [
      {
        status: 400,
        errorType: 'exceed_context_size_error',
        message: 'the request exceeds the available context size',
      },
      'context_too_long',
      'context_overflow',
      false,
    ],
    ...[
      'input length and `max_tokens` exceed context limit: 198247 + 8192 > 200000, decrease input length',
      'The prompt (total length 9000) is longer than the maximum model length of 4096.',
      "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    ].map((message): Refusal => [{ status: 400, message }, 'context_too_long', 'context_overflow', false]),
    [{ status: 429, message: 'Too many tokens, please wait before trying again.' }, 'rate_limited', 'rate_limit', true],
    [
      {
        status: 400,
        errorType: 'invalid_request_error',
        message: 'tools.2.custom.name: billing lookup does not match pattern',
      },
      'invalid_request',
      'invalid_request',
      false,
    ],
    [{ status: 429, errorType: 'billing_not_active', message: 'no' }, 'billing', 'other', false],
    [{ status: 403, message: 'Enable billing for the project' }, 'billing', 'other', false],
    [{ status: 404, message: 'No endpoints found for foo/bar.' }, 'model_not_found', 'invalid_request', false],
    [{ status: 429, errorType: 'rate_limit_error', message: 'slow' }, 'rate_limited', 'rate_limit', true],
    [{ errorType: 'rate_limit_exceeded', message: 'slow' }, 'rate_limited', 'rate_limit', true],
    [{ status: 529, errorType: 'overloaded_error', message: 'Overloaded' }, 'overloaded', 'server_error', true],
    [{ errorType: 'overloaded_error', message: 'Overloaded' }, 'overloaded', 'server_error', true],
    [{ status: 503 }, 'overloaded', 'server_error', true],
    [
      { status: 404, errorType: 'not_found_error', message: 'model: claude-x' },
      'model_not_found',
      'invalid_request',
      false,
    ],
    [{ status: 404, message: 'page not found' }, 'not_found', 'invalid_request', false],
    [
      { status: 400, errorType: 'invalid_request_error', message: 'max_tokens: must be positive' },
      'invalid_request',
      'invalid_request',
      false,
    ],
    [{ status: 422, message: 'no' }, 'invalid_request', 'invalid_request', false],
    [{ status: 408 }, 'server_busy', 'server_error', true],
    [{ status: 409 }, 'server_busy', 'server_error', true],
    [{ status: 500, errorType: 'api_error', message: 'oh' }, 'server_error', 'server_error', true],
    [{ errorType: 'server_error', message: 'oh' }, 'server_error', 'server_error', true],
    [{ status: 418, message: 'I am a teapot' }, 'unknown', 'other', false],
    [{}, 'unknown', 'other', false],
  ])('PV70, PV71, PV75: %j is %s', (info, code, errorClass, retryable) => {
    const error = classify(info);
    expect(error).toMatchObject({ code, class: errorClass, retryable });
    expect(ERROR_CLASSES).toContain(error.class);
    expect(error.message).toContain(info.message ?? '');
    expect(error.message).not.toMatch(/undefined|NaN/);
    expect(error.nextStep).toMatch(/[.)`]$/);
    expect(error.status).toBe(info.status);
  });

  it('PV71: a rate limit says when to come back, and the id of the request is kept', () => {
    const headers = new Map([
      ['retry-after', '17'],
      ['request-id', 'req_1'],
    ]);
    expect(classify({ status: 429, headers })).toMatchObject({ nextStep: 'Try again in 17 s.', requestId: 'req_1' });
  });

  it('PV70: what happened is a sentence, whatever the provider says, and the simulator has its name', () => {
    expect(classify({ status: 529, message: 'Overloaded', url: 'https://simulator.invalid/v1/messages' }).message).toBe(
      'The simulator is overloaded: Overloaded.',
    );
    expect(classify({ status: 529, message: 'Why so many?' }).message).toMatch(/: Why so many\?$/);
  });

  it.each<NonNullable<ErrorInfo['cause']>>(['no_key', 'unsendable_key'])(
    'PV71: %s says where a key goes, in a page and in a terminal',
    (cause) => {
      expect(classify({ cause, isBrowser: true }).nextStep).toMatch(/ut (?:one|it) into the settings\.$/);
      for (const [provider, name] of [
        ['anthropic', 'ANTHROPIC_API_KEY'],
        ['openai', 'OPENAI_API_KEY'],
        ['openrouter', 'OPENROUTER_API_KEY'],
      ] as const)
        expect(classify({ cause, isBrowser: false, provider }).nextStep).toMatch(
          new RegExp(`ut (?:one|it) into the environment variable ${name}\\.$`),
        );
    },
  );

  it.each<[NonNullable<ErrorInfo['cause']>, string, ErrorClass]>([
    ['cancelled', 'cancelled', 'cancelled'],
    ['timeout', 'timeout', 'network'],
    ['idle', 'timeout', 'network'],
    ['broken_off', 'connection_lost', 'network'],
    ['malformed_stream', 'malformed_stream', 'server_error'],
    ['no_key', 'no_key', 'auth'],
    ['unsendable_key', 'wrong_key', 'auth'],
  ])('PV70, PV75: %s is %s and not retried', (cause, code, errorClass) => {
    expect(classify({ cause })).toMatchObject({ code, class: errorClass, retryable: false });
  });
});

describe('a connection that fails', () => {
  const connection = (url: string, more: Partial<ErrorInfo> = {}) =>
    classify({ cause: 'connection', url, isBrowser: true, pageOrigin: PUBLIC, ...more });
  const step = (url: string, pageOrigin = LOCAL) => connection(url, { pageOrigin }).nextStep;

  it.each<[url: string, page: typeof PUBLIC, code: string]>([
    [ANTHROPIC, PUBLIC, 'cors'],
    [ANTHROPIC, LOCAL, 'cors'],
    ['http://192.168.1.5:11434/v1', PUBLIC, 'mixed_content'],
    ['http://192.168.1.5:11434/v1', LOCAL, 'mixed_content'],
    ['http://box.local/v1', LOCAL, 'mixed_content'],
    ['http://[::1]:11434/v1', LOCAL, 'mixed_content'],
    ['http://localhost:11434/v1', PUBLIC, 'local_network_permission'],
    ['http://127.0.0.1:1234/v1', PUBLIC, 'local_network_permission'],
    ['https://192.168.1.5/v1', PUBLIC, 'local_network_permission'],
    ['http://localhost:11434/v1', LOCAL, 'local_no_cors'],
    ['https://192.168.1.5/v1', LOCAL, 'cors'],
  ])('PV72: %s from %j is %s', (url, pageOrigin, code) => {
    expect(connection(url, { pageOrigin })).toMatchObject({ code, class: 'network', retryable: false });
  });

  it('PV72: a local server is let in by its own command', () => {
    expect(step('http://localhost:11434/v1')).toContain('OLLAMA_ORIGINS="http://localhost:5173" ollama serve');
    expect(step('http://localhost:1234/v1')).toContain('lms server start --cors');
    expect(step('http://127.0.0.1:8080/v1')).toContain('llama-server');
    expect(step('http://127.0.0.1:8000/v1')).toContain('--allowed-origins');
    expect(step('http://localhost:4000/v1')).toContain('Access-Control-Allow-Origin: http://localhost:5173');
    expect(
      classify({ status: 403, url: 'http://localhost:11434/v1', isBrowser: true, pageOrigin: LOCAL }),
    ).toMatchObject({
      code: 'local_no_cors',
    });
  });

  it('PV72: a host that lets no page in is named, with what works instead', () => {
    expect(connection('https://llm.example:8443/v1')).toMatchObject({
      message: expect.stringContaining('blocks browser requests (CORS)') as string,
      nextStep: expect.stringContaining('lathe capture --target https://llm.example:8443`') as string,
    });
  });

  it('PV72: in a terminal it is the server or the network', () => {
    expect(connection('http://localhost:11434/v1', { isBrowser: false })).toMatchObject({
      code: 'local_not_running',
      retryable: false,
    });
    expect(connection(ANTHROPIC, { isBrowser: false })).toMatchObject({ code: 'connection_failed', retryable: true });
  });

  it('PV73: after an answer it is a lost connection', () => {
    expect(connection(ANTHROPIC, { hasAnswered: true })).toMatchObject({ code: 'connection_lost', retryable: true });
  });

  it('PV72: the browser is told of a local address only where it would refuse it', () => {
    const space = (url: string, pageOrigin: typeof PUBLIC, isBrowser = true) =>
      addressSpace({ url, pageOrigin, isBrowser });
    expect(space('http://localhost:11434', PUBLIC)).toBe('loopback');
    expect(space('http://10.0.0.7:8080', PUBLIC)).toBe('local');
    expect(space('http://localhost:11434', LOCAL)).toBeUndefined();
    expect(space('http://localhost:11434', PUBLIC, false)).toBeUndefined();
    expect(space(ANTHROPIC, PUBLIC)).toBeUndefined();
    // a mirror on the same machine under https is local itself
    expect(space('http://localhost:1', { protocol: 'https:', host: 'localhost:8443' })).toBeUndefined();
  });
});

describe('keys', () => {
  const KEY = 'sk-ant-api03-AbCdEf0123456789-_xyz';

  it.each([
    `Incorrect API key provided: ${KEY}.`,
    `x-api-key: ${KEY}`,
    `{"authorization":"Bearer ${KEY}"}`,
    `https://host/v1?api_key=${KEY}&x=1`,
    'Bearer abc.def.ghi',
    'gsk_0123456789abcdef0123',
    'sk-or-v1-0123456789abcdef',
  ])('PV74: nothing like a key is left of %s', (message) => {
    const clean = redact(message);
    expect(clean).toContain('[key]');
    expect(clean).not.toMatch(/AbCdEf|abc\.def|0123456789/);
    expect(classify({ status: 401, message }).message).not.toMatch(/AbCdEf|abc\.def|0123456789/);
  });

  it('PV74: the key in use is removed whatever it looks like, other words stay, and long messages are cut', () => {
    const message = 'the secret hunter2 is wrong; ask-me, task-force-of-nine, authorization failed';
    expect(classify({ status: 400, message, secrets: ['hunter2', ''] }).message).toBe(
      'api.anthropic.com refused the request: the secret [key] is wrong; ask-me, task-force-of-nine, authorization failed.',
    );
    expect(classify({ status: 400, message: '🙂'.repeat(2000) }).message.length).toBeLessThan(1300);
  });

  it('PV74: a key is removed before a message is cut', () => {
    const message = `${'x'.repeat(590)} ${'hunter2-'.repeat(4)}`;
    expect(classify({ status: 400, message, secrets: ['hunter2-'.repeat(4)] }).message).not.toContain('hunt');
  });

  it.each(['', '1', 'null', 'ollama', 'EMPTY', 'lm-studio', 'not-needed', 'sk-no-key-required'])(
    'PV87: “%s” is a placeholder and no secret',
    (key) => {
      expect(secretsOf(key)).toEqual([]);
    },
  );

  it.each([KEY, 'hunter2hunter2', 'QwErTyUiOpAsDf', 'abcdefghijklmnopqrstuvwxyz'])('PV87: %s is a secret', (key) => {
    expect(secretsOf(key)).toEqual([key]);
  });

  it('PV87: a secret is removed in each way in which JSON writes it, also from names', () => {
    const secrets = secretsOf('ab/cd+ef0123=');
    for (const written of ['ab/cd+ef0123=', 'ab\\/cd+ef0123=', 'ab\\u002fcd\\u002bef0123\\u003d']) {
      expect(redact(`it is ${written}!`, secrets)).toBe('it is [key]!');
    }
    expect(redact('ab\\u002Fcd\\u002Bef0123\\u003D', secrets)).toBe('[key]');
    const value = { a: ['is ab/cd+ef0123=', 1, null, true], 'ab/cd+ef0123=': { b: '' } };
    expect(withoutKeys(value, secrets)).toEqual({ a: ['is [key]', 1, null, true], '[key]': { b: '' } });
  });

  it('PV87: a string in pieces is reported whole, without a key that is cut anywhere', () => {
    const text = `some ab/cd ab/cd+ef0123= and ab\\/cd+ef0123= more ab/`;
    for (let size = 1; size < text.length; size++) {
      const filter = createKeyFilter(secretsOf('ab/cd+ef0123='));
      let told = '';
      for (let at = 0; at < text.length; at += size) told += filter(text.slice(at, at + size), false);
      expect(told + filter('', true)).toBe('some ab/cd [key] and [key] more ab/');
    }
  });

  it('PV85: an id tells two keys apart', () => {
    // echo -n abc | sha256sum
    expect(keyId('abc')).toBe('ba7816bf');
    expect(keyId('abd')).not.toBe(keyId('abc'));
  });
});

describe('retryDelay', () => {
  const overloaded = classify({ status: 529 });
  const delay = (headers: Record<string, string>, error = overloaded, failed = 1, jitter = 0) =>
    retryDelay(error, new Map(Object.entries(headers)), failed, Date.parse('2026-11-15T00:00:00Z'), jitter);

  it.each([
    [{}, 1, 500],
    [{}, 2, 1000],
    [{}, 9, 8000],
    [{ 'retry-after-ms': '70' }, 1, 70],
    [{ 'retry-after': '3' }, 1, 3000],
    [{ 'retry-after': 'Sun, 15 Nov 2026 00:00:10 GMT' }, 1, 10_000],
    [{ 'retry-after': '61' }, 1, undefined],
    [{ 'x-should-retry': 'false' }, 1, undefined],
  ])('PV76: with %j after %i attempts: %s', (headers, failed, expected) => {
    expect(delay(headers as Record<string, string>, overloaded, failed)).toBe(expected);
  });

  it('PV75, PV76: what is not retryable is not retried, unless the provider says so; the wait has a spread', () => {
    expect(delay({}, classify({ status: 400 }))).toBeUndefined();
    expect(delay({ 'x-should-retry': 'true' }, classify({ status: 400 }))).toBe(500);
    expect(delay({}, overloaded, 1, 1)).toBe(375);
    for (const cause of ['cancelled', 'timeout', 'idle'] as const) {
      expect(delay({ 'x-should-retry': 'true' }, classify({ cause }))).toBeUndefined();
    }
  });
});
