import type { ClientOptions } from 'openai';
import type { ProviderClient } from '../../model/provider/types.ts';
import { asJson, createClient, withoutSlash } from './client.ts';
import type { Attempt, ClientSettings } from './run-call.ts';

const BASE_URL = 'https://api.openai.com/v1';

export interface OpenAiSdkSettings {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly fetchOptions?: NonNullable<ClientOptions['fetchOptions']>;
}

/** The SDK itself is loaded with the first call: a page that never calls never loads it. */
export const openAiSdk = async (settings: OpenAiSdkSettings, { fetch, signal, timeoutMs }: Attempt) => {
  const { OpenAI } = await import('openai');
  const client = new OpenAI({
    // The SDK wants one; who has none also leaves the header out.
    apiKey: settings.apiKey === '' ? 'none' : settings.apiKey,
    organization: null,
    project: null,
    baseURL: settings.baseUrl,
    fetch,
    dangerouslyAllowBrowser: true,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
    ...(settings.headers && { defaultHeaders: settings.headers }),
    ...(settings.fetchOptions && { fetchOptions: settings.fetchOptions }),
  });
  return { client, options: signal ? { signal } : {} };
};

/** The Responses API. */
export const createOpenAiClient = (
  settings: ClientSettings & { readonly id?: 'openai' | 'simulator' | 'compatible' },
): ProviderClient => {
  const baseUrl = withoutSlash(settings.baseUrl ?? BASE_URL);
  const sdk = (attempt: Attempt) => openAiSdk({ apiKey: settings.apiKey, baseUrl }, attempt);
  return createClient({
    id: settings.id ?? 'openai',
    wire: 'openai-responses',
    baseUrl,
    modelsPath: '/models',
    needsKey: true,
    settings,
    post: async (request, attempt) => {
      const { client, options } = await sdk(attempt);
      return client.post(request.path, { ...options, ...asJson(request) });
    },
    get: async (path, attempt) => {
      const { client, options } = await sdk(attempt);
      return client.get(path, options);
    },
  });
};
