/** Which wire a recorded call speaks, from its address or from what its body looks like. */
import { isObject } from '../../../base/json.ts';
import type { Wire } from '../../provider/types.ts';

export interface Endpoint {
  readonly wire: Wire;
  readonly provider: string;
  readonly path: string;
}

const PATHS: readonly (readonly [RegExp, Wire])[] = [
  [/\/messages\/?$/, 'anthropic-messages'],
  [/\/responses\/?$/, 'openai-responses'],
  [/\/chat\/completions\/?$/, 'openai-chat'],
];

const HOSTS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\.)anthropic\.com$/, 'anthropic'],
  [/(?:^|\.)openai\.com$/, 'openai'],
  [/(?:^|\.)openrouter\.ai$/, 'openrouter'],
];

/** Undefined: not a call of a model. Only host and path are looked at; a query may hold a key. */
export const endpointOf = (url: string): Endpoint | undefined => {
  const parts = /^https?:\/\/(?:[^/?#@]*@)?([^/?#:]+)(?::\d+)?([^?#]*)/.exec(url);
  const [, host = '', path = ''] = parts ?? [];
  const wire = PATHS.find(([pattern]) => pattern.test(path))?.[1];
  if (wire === undefined) return undefined;
  return { wire, provider: HOSTS.find(([pattern]) => pattern.test(host))?.[1] ?? 'compatible', path };
};

/** Members that only Anthropic's wire has at the top, or roles that it does not have. */
const looksAnthropic = (body: { readonly [key: string]: unknown }): boolean => {
  if ('system' in body || 'cache_control' in body || 'output_config' in body || 'diagnostics' in body) return true;
  const tools = Array.isArray(body['tools']) ? body['tools'] : [];
  return tools.some((tool) => isObject(tool) && 'input_schema' in tool);
};

const looksChat = (body: { readonly [key: string]: unknown }): boolean => {
  const tools = Array.isArray(body['tools']) ? body['tools'] : [];
  if (tools.some((tool) => isObject(tool) && 'function' in tool)) return true;
  const messages = Array.isArray(body['messages']) ? body['messages'] : [];
  return messages.some(
    (message) => isObject(message) && (message['role'] === 'tool' || message['role'] === 'developer'),
  );
};

/** From the parsed body; the provider decides what the body leaves open. */
export const wireOf = (provider: string | undefined, body: unknown): Wire => {
  if (!isObject(body)) return provider === 'openai' ? 'openai-responses' : 'anthropic-messages';
  if ('input' in body || 'instructions' in body) return 'openai-responses';
  if (provider === 'anthropic' || looksAnthropic(body)) return 'anthropic-messages';
  if (provider === 'openai' || provider === 'openrouter' || provider === 'compatible' || looksChat(body))
    return 'openai-chat';
  const model = typeof body['model'] === 'string' ? body['model'] : '';
  return model.startsWith('claude') ? 'anthropic-messages' : 'openai-chat';
};

export const providerOf = (wire: Wire): string => (wire === 'anthropic-messages' ? 'anthropic' : 'openai');
