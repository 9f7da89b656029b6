import { isObject, type Json } from '../../../base/json.ts';
import type { Usage } from '../../provider/types.ts';
import { usageFromWire } from '../../provider/usage.ts';

/** Codex has names of its own for OpenAI's counters; its input includes what was cached. */
export const codexUsage = (value: Json | undefined): Usage | undefined => {
  if (!isObject(value) || typeof value['input_tokens'] !== 'number') return undefined;
  return usageFromWire('openai-responses', {
    input_tokens: value['input_tokens'],
    input_tokens_details: {
      cached_tokens: value['cached_input_tokens'] ?? 0,
      ...(value['cache_write_input_tokens'] !== undefined && {
        cache_write_tokens: value['cache_write_input_tokens'],
      }),
    },
    output_tokens: value['output_tokens'] ?? 0,
    output_tokens_details: { reasoning_tokens: value['reasoning_output_tokens'] ?? 0 },
  });
};
