/** Text after the stable prompt that lifts it over the cache floor (WIF9). */
import { isObject, parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';
import { blockText, toolPromptTokens } from '../cache/block-tokens.ts';
import { modelFacts, type ModelBook } from '../provider/model-book.ts';
import { requestOf, tokensOf } from './run.ts';
import type { Item, Policy, Step } from './types.ts';

/** The block that padding is added to: the marked one of the system prompt, else its first. */
const paddedAt = ({ items }: Step): number => {
  const isSystem = ({ block }: Item): boolean => block.tier === 'system' && block.kind === 'text';
  const marked = items.findLastIndex((item) => isSystem(item) && item.block.marker !== undefined);
  return marked === -1 ? items.findIndex(isSystem) : marked;
};

const STAND_IN = '\n\n[padding]';

const longer = (item: Item, added: string, rest: Pick<Item, 'extra' | 'count'>): Item => {
  const { measured, ...plain } = item;
  const text = blockText(item.block) + added;
  const value = valueOr(parseJson(item.block.text), undefined);
  const raw = isObject(value) ? { ...value, text } : text;
  const isMeasured = rest.extra !== undefined && measured !== undefined;
  return {
    ...plain,
    ...(isMeasured && { measured }),
    ...rest,
    block: { ...item.block, text: JSON.stringify(raw) },
  };
};

const sizeUpTo = (step: Step, at: number, book: ModelBook | undefined): number => {
  const request = requestOf(step);
  const hidden = toolPromptTokens(request, modelFacts(request.model, book));
  return tokensOf(step, book)
    .slice(0, at + 1)
    .reduce((sum, own) => sum + own, hidden);
};

/** Tokens of the prompt up to the block that padding is added to; nothing where none exists. */
export const stableSize = (step: Step, book: ModelBook | undefined): number | undefined => {
  const at = paddedAt(step);
  return at === -1 ? undefined : sizeUpTo(step, at, book);
};

export const withPadding = (
  steps: readonly Step[],
  padding: Policy['padding'],
  count: (text: string) => number,
  book?: ModelBook,
): readonly Step[] => {
  if (!padding) return steps;
  const made = new WeakMap<object, Map<number, Item>>();
  return steps.map((step) => {
    const at = paddedAt(step);
    const item = step.items[at];
    if (!item) return step;
    let extra = 0;
    if ('tokens' in padding) {
      extra = Math.max(0, Math.round(padding.tokens) - sizeUpTo(step, at, book));
      if (extra === 0) return step;
    }
    const known = made.get(item.block) ?? new Map<number, Item>();
    made.set(item.block, known);
    const padded =
      known.get(extra) ??
      ('text' in padding
        ? longer(item, padding.text, { count: count(blockText(item.block) + padding.text) })
        : longer(item, STAND_IN, { extra, count: item.count }));
    known.set(extra, padded);
    return { ...step, items: step.items.with(at, padded) };
  });
};
