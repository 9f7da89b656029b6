/** What is known of a model, in one line. */
import { modelFacts, type ModelBook, type ModelFacts } from '../provider/model-book.ts';
import { groupDigits, shortTokens } from './words.ts';

const price = (value: number): string => `$${value}`;

export interface ModelWords {
  /** For a list: price and floor. */
  readonly line: string;
  /** What is not known, and what follows from it; nothing if all is known. */
  readonly unknown: string | undefined;
}

const priceText = ({ price: card }: ModelFacts): string =>
  card ? `${price(card.input)} in, ${price(card.output)} out per M` : 'price unknown';

const floorText = ({ floor, caching }: ModelFacts): string => {
  if (floor !== undefined) return `caches from ${groupDigits(floor)} tokens`;
  return caching === 'unknown' ? 'caching unknown' : 'floor unknown';
};

export const modelWords = (id: string, book?: ModelBook): ModelWords => {
  const facts = modelFacts(id, book);
  const missing = [
    ...(facts.price ? [] : ['price']),
    ...(facts.floor === undefined ? ['cache floor'] : []),
    ...(facts.contextWindow === undefined ? ['context window'] : []),
  ];
  return {
    line: [
      priceText(facts),
      floorText(facts),
      ...(facts.contextWindow ? [`${shortTokens(facts.contextWindow)} window`] : []),
    ].join(' · '),
    unknown:
      missing.length === 0
        ? undefined
        : `Not in the price book: ${missing.join(', ')}. You can use the model, but related values show as unknown.`,
  };
};
