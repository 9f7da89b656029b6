/** Calls as a HAR archive, which browsers, proxies, and `lathe explain` open. Private values have stand-ins; keys are not in it. */
import { type Json, isObject, parseJson } from '../../../base/json.ts';
import { valueOr } from '../../../base/result.ts';
import { createMasker, type MaskedValue } from '../../masking/masker.ts';
import { promptTokens, type Usage, type Wire, writtenTokens } from '../../provider/types.ts';
import type { Call } from '../call.ts';

export interface HarArchive {
  readonly text: string;
  readonly requests: number;
  /** Calls that cannot be in it, because their requests were not recorded. */
  readonly withoutBody: number;
  readonly masked: readonly MaskedValue[];
}

const HOSTS: Readonly<Record<string, string>> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  openrouter: 'https://openrouter.ai/api/v1',
};
/** Nobody can ever own this name. */
const NO_HOST = 'https://provider.invalid/v1';

const PATHS: Readonly<Record<Wire, string>> = {
  'anthropic-messages': 'messages',
  'openai-responses': 'responses',
  'openai-chat': 'chat/completions',
};

const usageJson = (usage: Usage, wire: Wire): Json => {
  const { uncached, read, writes, output, cacheReported } = usage;
  if (wire === 'anthropic-messages') {
    const cache = {
      cache_creation_input_tokens: writtenTokens(usage),
      cache_read_input_tokens: read,
      cache_creation: {
        ephemeral_5m_input_tokens: writes['5m'] ?? 0,
        ephemeral_1h_input_tokens: writes['1h'] ?? 0,
      },
    };
    return { input_tokens: uncached, ...(cacheReported && cache), output_tokens: output };
  }
  const written = writtenTokens(usage);
  const details = {
    cached_tokens: read,
    ...(written > 0 && {
      cache_write_tokens: written,
      cache_write_tokens_details: { ttl_30m_tokens: writes['30m'] ?? 0, ttl_12h_tokens: writes['12h'] ?? 0 },
    }),
  };
  const input = promptTokens(usage);
  return wire === 'openai-responses'
    ? { input_tokens: input, ...(cacheReported && { input_tokens_details: details }), output_tokens: output }
    : { prompt_tokens: input, ...(cacheReported && { prompt_tokens_details: details }), completion_tokens: output };
};

/** What is known of the answer, in the wire's own form. */
const answerJson = ({ wire, model, response, usage, rawUsage, failed }: Call): Json => {
  if (failed === true) return { type: 'error', error: { type: 'unknown', message: 'The request failed.' } };
  const content = response?.content ?? null;
  const head = { id: response?.id ?? null, model: response?.model ?? model };
  // A recording may hold usage in our own form, which no other tool knows.
  const isTheirs = isObject(rawUsage) && typeof rawUsage['uncached'] !== 'number';
  const told = isTheirs ? rawUsage : usage ? usageJson(usage, wire) : null;
  switch (wire) {
    case 'anthropic-messages':
      return { ...head, type: 'message', role: 'assistant', content, usage: told };
    case 'openai-responses':
      return { ...head, object: 'response', output: content, usage: told };
    case 'openai-chat':
      return { ...head, object: 'chat.completion', choices: [{ index: 0, message: content }], usage: told };
  }
};

interface Header {
  readonly name: string;
  readonly value: string;
}

const requestHeaders = ({ wire, betas = [] }: Call): readonly Header[] => [
  { name: 'content-type', value: 'application/json' },
  ...(wire === 'anthropic-messages' ? [{ name: 'anthropic-version', value: '2023-06-01' }] : []),
  ...(betas.length > 0 ? [{ name: 'anthropic-beta', value: betas.join(',') }] : []),
];

const timesOf = ({ startedAt, firstByteAt, endedAt }: Call): { readonly time: number; readonly timings: object } => {
  const first = Math.max(startedAt, firstByteAt ?? endedAt ?? startedAt);
  const end = Math.max(first, endedAt ?? first);
  return { time: end - startedAt, timings: { send: 0, wait: first - startedAt, receive: end - first } };
};

const entryOf = (call: Call, mask: (text: string) => string): object => {
  const body = mask(call.body);
  const answer = mask(JSON.stringify(answerJson(call)));
  const status = call.failed === true ? 0 : 200;
  const notes = [
    ...(call.known === 'reconstructed' ? ['The request is put together from what the recording holds.'] : []),
    ...(call.isTimeless === true ? ['The recording has no times. These only keep the order.'] : []),
  ];
  return {
    startedDateTime: new Date(call.startedAt).toISOString(),
    ...timesOf(call),
    request: {
      method: 'POST',
      url: `${HOSTS[call.provider] ?? NO_HOST}/${PATHS[call.wire]}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: requestHeaders(call),
      queryString: [],
      postData: { mimeType: 'application/json', text: body },
      headersSize: -1,
      bodySize: new TextEncoder().encode(body).length,
    },
    response: {
      status,
      statusText: status === 0 ? '' : 'OK',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { size: new TextEncoder().encode(answer).length, mimeType: 'application/json', text: answer },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    ...(notes.length > 0 && { comment: notes.join(' ') }),
  };
};

/** In the order of the recording. `version` is Lathe's own. */
export const writeHar = (calls: readonly Call[], version: string): HarArchive => {
  const masker = createMasker();
  const known = calls.filter(({ known: how }) => how !== 'absent');
  for (const call of known) {
    const body = valueOr(parseJson(call.body), undefined);
    masker.learn(isObject(body) ? body : call.body);
  }
  const entries = known.map((call) => entryOf(call, masker.mask));
  const log = { version: '1.2', creator: { name: 'Lathe', version }, entries };
  return {
    text: `${JSON.stringify({ log }, undefined, 1)}\n`,
    requests: entries.length,
    withoutBody: calls.length - known.length,
    masked: masker.masked(),
  };
};
