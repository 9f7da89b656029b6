import type { ProviderClient } from '../../model/provider/types.ts';
import { createClient, withoutSlash } from './client.ts';
import { keyHeaders } from './key-header.ts';
import { fetchOptionsFor, OLLAMA_URL, PLAIN_HEADERS } from './own-server.ts';
import type { Attempt, ClientSettings } from './run-call.ts';

export const OPENAI_URL = 'https://api.openai.com/v1';

/** The SDK itself is loaded with the first call: a page that never calls never loads it. */
export const openAiSdk =
  (settings: ClientSettings, baseUrl: string, isPlain: boolean) =>
  async ({ fetch, timeoutMs, keyHeader }: Attempt) => {
    const { OpenAI } = await import('openai');
    const { apiKey } = settings;
    const client = new OpenAI({
      // The SDK wants one; who has none also leaves the header out.
      apiKey: apiKey === '' ? 'none' : apiKey,
      organization: null,
      project: null,
      baseURL: baseUrl,
      fetch,
      dangerouslyAllowBrowser: true,
      maxRetries: 0,
      timeout: timeoutMs,
      logLevel: 'off',
      ...(isPlain && fetchOptionsFor(settings, baseUrl)),
    });
    return { client, headers: { ...(isPlain && PLAIN_HEADERS), ...keyHeaders(apiKey, keyHeader) } };
  };

/** The Responses API. */
export const createOpenAiClient = (
  settings: ClientSettings & { readonly id?: 'openai' | 'simulator' | 'compatible' },
): ProviderClient => {
  const { id = 'openai' } = settings;
  const isOwn = id === 'compatible';
  const baseUrl = withoutSlash(settings.baseUrl ?? (isOwn ? OLLAMA_URL : OPENAI_URL));
  return createClient({
    id,
    wire: 'openai-responses',
    baseUrl,
    modelsPath: '/models',
    needsKey: !isOwn,
    settings,
    sdk: openAiSdk(settings, baseUrl, isOwn),
  });
};
