import type { Tokenizer } from '../../model/provider/types.ts';
import { createTokenCounter, type TokenCounter } from '../../model/tokenizer/token-counter.ts';

/** Text such as `<|endoftext|>` is plain text here: it comes from files and people. */
const PLAIN = { disallowedSpecial: new Set<string>() };

const load = async (): Promise<TokenCounter> => {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  return createTokenCounter((text) => countTokens(text, PLAIN));
};

/** Counts as o200k, in this thread. The ranks are loaded at the first count. */
export const createNodeTokenizer = (): Tokenizer => {
  let counter: Promise<TokenCounter> | undefined;
  return {
    count: async (texts) => {
      counter ??= load();
      return texts.map(await counter);
    },
  };
};
