import type { ProviderClient } from '../../model/provider/types.ts';
import { createClient, withoutSlash } from './client.ts';
import { chooseKeyHeader } from './key-header.ts';
import { OLLAMA_URL, sdkHeaders, sdkOptions } from './own-server.ts';
import type { Attempt, ClientSettings } from './run-call.ts';

const BASE_URL = 'https://api.anthropic.com';

/** The paths of this wire have the version; the addresses of most servers have it too. */
export const withoutVersion = (url: string): string => withoutSlash(withoutSlash(url).replace(/\/v1$/, ''));

/** The SDK itself is loaded with the first call: a page that never calls never loads it. */
export const createAnthropicClient = (
  settings: ClientSettings & { readonly id?: 'anthropic' | 'simulator' | 'compatible' },
): ProviderClient => {
  const { apiKey, id = 'anthropic' } = settings;
  const isOwn = id === 'compatible';
  const baseUrl = withoutVersion(settings.baseUrl ?? (isOwn ? OLLAMA_URL : BASE_URL));

  const sdk = async (attempt: Attempt) => {
    const { Anthropic } = await import('@anthropic-ai/sdk');
    const client = new Anthropic({
      apiKey,
      authToken: null,
      openTelemetry: false,
      ...sdkOptions(settings, baseUrl, attempt, isOwn),
    });
    return { client, headers: sdkHeaders(settings, attempt, isOwn) };
  };

  return createClient({
    id,
    wire: 'anthropic-messages',
    baseUrl,
    modelsPath: '/v1/models?limit=1000',
    needsKey: !isOwn,
    settings,
    sdk,
    keyHeader: chooseKeyHeader(settings),
  });
};
