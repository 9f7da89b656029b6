import { codePointLength } from '../../base/text.ts';
import type { Tokenizer } from '../../model/provider/types.ts';

/** For tests: four characters are a token, so that an expected count can be worked out by hand. */
export const createMemoryTokenizer = (): Tokenizer => ({
  count: async (texts) => texts.map((text) => Math.ceil(codePointLength(text) / 4)),
});
