import { ok } from '../base/result.ts';
import { blockTexts } from '../model/cache/block-tokens.ts';
import { readRequest } from '../model/cache/read-request.ts';
import type { CacheRequest } from '../model/cache/types.ts';
import type { Call } from '../model/traffic/call.ts';
import { type ExplainedItem, ledgerItems, withRepairs } from '../model/ledger/ledger-items.ts';
import type { Explained } from '../model/traffic/explainer.ts';
import { prepareWhatIf } from '../model/whatif/prepare.ts';
import { repairsOf } from '../model/whatif/repairs.ts';
import { createNodeTokenizer } from '../platform/tokenizer/node-tokenizer.ts';

/** Counts every text of the recording once, so that the explainer itself need not wait. */
export const createTextCounter = () => {
  const counts = new Map<string, number>();
  const tokenizer = createNodeTokenizer();
  return async (calls: readonly Call[]): Promise<(text: string) => number> => {
    const texts = new Set<string>();
    let last: CacheRequest | undefined;
    for (const call of calls) {
      const request = call.request ? ok(call.request()) : readRequest(call.body, call.wire, last);
      if (!request.ok) continue;
      last = request.value;
      for (const text of blockTexts(request.value)) if (!counts.has(text)) texts.add(text);
    }
    const list = [...texts];
    const found = await tokenizer.count(list);
    list.forEach((text, index) => counts.set(text, found[index] ?? 0));
    return (text) => counts.get(text) ?? Math.ceil(text.length / 4);
  };
};

export const countTexts = (calls: readonly Call[]): Promise<(text: string) => number> => createTextCounter()(calls);

/** Items of the ledger with what switches save, by the forecast that `lathe whatif` prints. */
export const weighedItems = async (explained: readonly Explained[]): Promise<readonly ExplainedItem[]> => {
  const items = ledgerItems(explained);
  const prepare = () => prepareWhatIf(explained, { tokenizer: createNodeTokenizer() });
  return withRepairs(items, await repairsOf(items, prepare));
};
