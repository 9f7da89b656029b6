import { addressSpace } from '../../model/provider/connection-errors.ts';
import type { ProviderClient } from '../../model/provider/types.ts';
import { asJson, createClient, withoutSlash } from './client.ts';
import { openAiSdk } from './openai.ts';
import type { Attempt, ClientSettings } from './run-call.ts';

const OPENROUTER_URL = 'https://openrouter.ai/api/v1';
const OLLAMA_URL = 'http://localhost:11434/v1';

/** Every header beyond the simple ones has to be on a server's list, and these say nothing to it. */
const SDK_HEADERS = [
  'user-agent',
  'x-stainless-arch',
  'x-stainless-lang',
  'x-stainless-os',
  'x-stainless-package-version',
  'x-stainless-retry-count',
  'x-stainless-runtime',
  'x-stainless-runtime-version',
  'x-stainless-timeout',
];

/** Chat Completions: OpenRouter, and any server with a base URL. */
export const createChatClient = (
  settings: ClientSettings & { readonly id: 'openrouter' | 'compatible' | 'openai' | 'simulator' },
): ProviderClient => {
  const { id, apiKey } = settings;
  const baseUrl = withoutSlash(settings.baseUrl ?? (id === 'openrouter' ? OPENROUTER_URL : OLLAMA_URL));
  const space = addressSpace({
    url: baseUrl,
    isBrowser: settings.isBrowser,
    ...(settings.pageOrigin && { pageOrigin: settings.pageOrigin }),
  });
  const sdk = (attempt: Attempt) =>
    openAiSdk(
      {
        apiKey,
        baseUrl,
        headers: {
          ...Object.fromEntries(SDK_HEADERS.map((name) => [name, null])),
          ...(apiKey === '' && { authorization: null }),
        },
        // Chromium asks the person for a permission instead of refusing.
        ...(space && { fetchOptions: { targetAddressSpace: space } as Record<string, string> }),
      },
      attempt,
    );
  return createClient({
    id,
    wire: 'openai-chat',
    baseUrl,
    modelsPath: '/models',
    needsKey: id === 'openrouter' || id === 'openai',
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
