import type { ProviderClient } from '../../model/provider/types.ts';
import { createClient, withoutSlash } from './client.ts';
import { OLLAMA_URL, sdkHeaders, sdkOptions } from './own-server.ts';
import type { Attempt, ClientSettings } from './run-call.ts';

export const OPENAI_URL = 'https://api.openai.com/v1';

/** The SDK itself is loaded with the first call: a page that never calls never loads it. */
export const openAiSdk = (settings: ClientSettings, baseUrl: string, isPlain: boolean) => async (attempt: Attempt) => {
  const { OpenAI } = await import('openai');
  const { apiKey } = settings;
  const client = new OpenAI({
    // The SDK wants one; who has none also leaves the header out.
    apiKey: apiKey === '' ? 'none' : apiKey,
    organization: null,
    project: null,
    ...sdkOptions(settings, baseUrl, attempt, isPlain),
  });
  return { client, headers: sdkHeaders(settings, attempt, isPlain) };
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
