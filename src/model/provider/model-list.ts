import { type Json, isObject } from '../../base/json.ts';
import { MODEL_BOOK, type ModelBook } from './model-book.ts';
import { list, number, object, text } from './stream-parts.ts';
import type { ModelListing } from './types.ts';

const listingOf = (raw: Json, book: ModelBook): ModelListing[] => {
  const entry = object(raw);
  const id = text(raw) ?? text(entry['id']) ?? text(entry['name']) ?? text(entry['model']);
  if (id === undefined || id === '') return [];
  const top = object(entry['top_provider']);
  // Anthropic, OpenRouter, vLLM, LM Studio, llama.cpp
  const contextWindow =
    number(entry['max_input_tokens']) ??
    number(entry['context_length']) ??
    number(entry['max_model_len']) ??
    number(entry['max_context_length']) ??
    number(object(entry['meta'])['n_ctx_train']);
  const maxOutputTokens = number(entry['max_tokens']) ?? number(top['max_completion_tokens']);
  return [
    {
      id,
      label: text(entry['display_name']) ?? text(entry['name']) ?? book.get(id)?.label ?? id,
      ...(contextWindow !== undefined && { contextWindow }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    },
  ];
};

/** The models in any of the known shapes, in the order of the provider; undefined if it is not a list at all. */
export const readModelList = (json: unknown, book: ModelBook = MODEL_BOOK): readonly ModelListing[] | undefined => {
  const found = isObject(json) ? (json['data'] ?? json['models']) : json;
  if (!Array.isArray(found)) return undefined;
  return list(found).flatMap((entry) => listingOf(entry, book));
};
