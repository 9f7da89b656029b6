import { silentLog } from '../../base/log.ts';
import type { ProviderClient } from '../../model/provider/types.ts';
import { asJson, createClient, withoutSlash } from './client.ts';
import type { Attempt, ClientSettings } from './run-call.ts';

const BASE_URL = 'https://api.anthropic.com';

/** The SDK itself is loaded with the first call: a page that never calls never loads it. */
export const createAnthropicClient = (
  settings: ClientSettings & { readonly id?: 'anthropic' | 'simulator' | 'compatible' },
): ProviderClient => {
  const { apiKey, log = silentLog } = settings;
  const baseUrl = withoutSlash(settings.baseUrl ?? BASE_URL);
  /**
   * The SDK sends `Authorization`. Whether the provider lets a page send that header is not known: a wildcard in its
   * answer to the preflight would not cover it. The other header is tried once, and whichever is answered stays.
   */
  let header: 'authorization' | 'x-api-key' = 'authorization';
  let isSettled = false;

  const sdk = async ({ fetch, signal, timeoutMs }: Attempt) => {
    const { Anthropic } = await import('@anthropic-ai/sdk');
    const client = new Anthropic({
      apiKey,
      authToken: null,
      baseURL: baseUrl,
      fetch,
      dangerouslyAllowBrowser: true,
      maxRetries: 0,
      timeout: timeoutMs,
      logLevel: 'off',
      openTelemetry: false,
      ...(header === 'x-api-key' && { defaultHeaders: { authorization: null, 'x-api-key': apiKey } }),
    });
    return { client, options: signal ? { signal } : {} };
  };

  return createClient({
    id: settings.id ?? 'anthropic',
    wire: 'anthropic-messages',
    baseUrl,
    modelsPath: '/v1/models?limit=1000',
    needsKey: true,
    settings,
    // `messages.create` would warn on the console and may leave fields out of the body.
    post: async (request, attempt) => {
      const { client, options } = await sdk(attempt);
      return client.post(request.path, { ...options, ...asJson(request) });
    },
    get: async (path, attempt) => {
      const { client, options } = await sdk(attempt);
      return client.get(path, options);
    },
    fallBack: () => {
      if (isSettled || !settings.isBrowser) return false;
      const isFirst = header === 'authorization';
      header = isFirst ? 'x-api-key' : 'authorization';
      if (!isFirst) return false;
      log({
        level: 'warning',
        code: 'provider.auth_fallback',
        text: 'No answer to a call with the header Authorization; trying once with x-api-key.',
      });
      return true;
    },
    onAnswer: () => {
      isSettled = true;
    },
  });
};
