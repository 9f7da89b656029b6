/** In a real browser worker: what Node cannot show. */
import { expect, it } from 'vitest';
import { createBrowserTokenizer } from './browser-tokenizer.ts';

it('TK7: counts as o200k in a worker of the page', async () => {
  const tokenizer = createBrowserTokenizer();
  expect(await tokenizer.count(['antidisestablishmentarianism', '2 + 2 = 4', ''])).toEqual([6, 7, 0]);
  tokenizer[Symbol.dispose]();
  expect(await tokenizer.count(['2 + 2 = 4'])).toEqual([7]);
  tokenizer[Symbol.dispose]();
});
