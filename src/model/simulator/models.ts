/** The lists of models of both providers. */
import { MODEL_BOOK, modelFacts, type ModelBook, type ModelFacts } from '../provider/model-book.ts';

/** The day that the book is of: a day of its own for every model is not known. */
const CREATED = '2026-11-15T00:00:00Z';
const CREATED_SECONDS = Date.parse(CREATED) / 1000;

const supported = (value: boolean) => ({ supported: value });

const anthropicModel = (facts: ModelFacts) => {
  const { thinking } = facts;
  const hasEffort = facts.defaultEffort !== undefined;
  return {
    type: 'model',
    id: facts.id,
    display_name: facts.label,
    created_at: CREATED,
    deprecated_at: null,
    retires_at: facts.endOfLife === undefined ? null : `${facts.endOfLife}T00:00:00Z`,
    lifecycle: facts.endOfLife === undefined ? 'active' : 'deprecated',
    line: /^claude-(haiku|sonnet|opus|fable|mythos)/.exec(facts.id)?.[1] ?? null,
    max_input_tokens: facts.contextWindow ?? null,
    max_tokens: facts.maxOutputTokens ?? null,
    capabilities: {
      batch: supported(false),
      citations: supported(false),
      code_execution: supported(false),
      context_management: {
        supported: false,
        clear_thinking_20251015: null,
        clear_tool_uses_20250919: null,
        compact_20260112: null,
      },
      effort: {
        supported: hasEffort,
        low: supported(hasEffort),
        medium: supported(hasEffort),
        high: supported(hasEffort),
        max: supported(hasEffort),
        xhigh: null,
      },
      image_input: supported(true),
      pdf_input: supported(false),
      server_tools: { supported: false, code_execution: supported(false), web_search: supported(false) },
      structured_outputs: supported(false),
      thinking: {
        supported: thinking !== 'none',
        types: {
          adaptive: supported(thinking === 'adaptive' || thinking === 'always'),
          between_tools: supported(thinking === 'adaptive'),
          disabled: supported(thinking !== 'always'),
          enabled: supported(thinking === 'budget'),
        },
      },
    },
  };
};

const openaiModel = (facts: ModelFacts) => ({
  id: facts.id,
  object: 'model',
  created: CREATED_SECONDS,
  owned_by: 'lathe-simulator',
});

const family = (book: ModelBook, name: ModelFacts['family']): readonly ModelFacts[] =>
  [...book.values()].filter((facts) => facts.family === name);

export const anthropicModels = (book: ModelBook = MODEL_BOOK) => {
  const data = family(book, 'anthropic').map(anthropicModel);
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
};

export const openaiModels = (book: ModelBook = MODEL_BOOK) => ({
  object: 'list',
  data: family(book, 'openai').map(openaiModel),
});

/** Undefined for a model that the provider does not serve. */
export const oneModel = (
  id: string,
  provider: 'anthropic' | 'openai',
  book: ModelBook = MODEL_BOOK,
): object | undefined => {
  const facts = modelFacts(id, book);
  if (facts.family !== provider) return undefined;
  return provider === 'anthropic' ? anthropicModel({ ...facts, id }) : openaiModel({ ...facts, id });
};
