import type { ProviderClient } from '../../model/provider/types.ts';
import { createClient, withoutSlash } from './client.ts';
import { OPENAI_URL, openAiSdk } from './openai.ts';
import { OLLAMA_URL } from './own-server.ts';
import type { ClientSettings } from './run-call.ts';

const BASE_URLS = {
  openrouter: 'https://openrouter.ai/api/v1',
  openai: OPENAI_URL,
  compatible: OLLAMA_URL,
  simulator: OLLAMA_URL,
} as const;

/** Chat Completions: OpenRouter, and any server with a base URL. */
export const createChatClient = (
  settings: ClientSettings & { readonly id: 'openrouter' | 'compatible' | 'openai' | 'simulator' },
): ProviderClient => {
  const { id } = settings;
  const baseUrl = withoutSlash(settings.baseUrl ?? BASE_URLS[id]);
  return createClient({
    id,
    wire: 'openai-chat',
    baseUrl,
    modelsPath: '/models',
    needsKey: id === 'openrouter' || id === 'openai',
    settings,
    sdk: openAiSdk(settings, baseUrl, true),
  });
};
