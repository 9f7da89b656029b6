import { MODEL_BOOK } from '../provider/model-book.ts';
import { PROVIDERS, type ProviderId, type Wire } from '../provider/types.ts';

export interface ProviderWords {
  readonly id: ProviderId;
  readonly label: string;
  readonly about: string;
  /** The model to begin with; empty: it must be named. */
  readonly model: string;
}

const WORDS: Readonly<Record<ProviderId, Omit<ProviderWords, 'id'>>> = {
  simulator: {
    label: 'Simulator',
    about: 'A provider inside the app. It needs no key or network, and gives the same responses every time.',
    model: 'claude-haiku-4-5',
  },
  anthropic: { label: 'Anthropic', about: 'The Messages API, with your key.', model: 'claude-haiku-4-5' },
  openai: { label: 'OpenAI', about: 'The Responses API, with your key.', model: 'gpt-6-luna' },
  openrouter: {
    label: 'OpenRouter',
    about: 'Many models with one key. Lathe shows cache counters as reported.',
    model: 'anthropic/claude-haiku-4-5',
  },
  compatible: {
    label: 'Compatible server',
    about: 'Your own URL: Ollama, LM Studio, vLLM, lathe sim.',
    model: '',
  },
};

export const PROVIDER_WORDS: readonly ProviderWords[] = PROVIDERS.map((id) => Object.assign({ id }, WORDS[id]));

export const providerLabel = (id: string): string => WORDS[id as ProviderId]?.label ?? id;

/** What can be chosen before a provider has told its own list. */
export const bookModels = (provider: ProviderId): readonly string[] => {
  const all = [...MODEL_BOOK.values()];
  if (provider === 'simulator') return all.map(({ id }) => id);
  if (provider === 'anthropic' || provider === 'openai')
    return all.filter(({ family }) => family === provider).map(({ id }) => id);
  if (provider === 'openrouter') return all.map(({ id, family }) => `${family}/${id}`);
  return [];
};

export const WIRE_WORDS: Readonly<Record<Wire, string>> = {
  'anthropic-messages': 'Anthropic Messages',
  'openai-responses': 'OpenAI Responses',
  'openai-chat': 'OpenAI Chat Completions',
};
