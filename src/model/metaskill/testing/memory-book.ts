/** A book of consent in memory, and a person who answers what was laid down in `answers`, else no. */
import type { ConsentBook, ConsentQuestion } from '../consent.ts';

export interface MemoryBook extends Required<ConsentBook> {
  readonly trusted: Set<string>;
  readonly asked: ConsentQuestion[];
  readonly answers: boolean[];
}

export const memoryBook = (): MemoryBook => {
  const trusted = new Set<string>();
  const asked: ConsentQuestion[] = [];
  const answers: boolean[] = [];
  return {
    trusted,
    asked,
    answers,
    isTrusted: (hash) => Promise.resolve(trusted.has(hash)),
    askForTrust: (question) => {
      asked.push(question);
      const isYes = answers.shift() ?? false;
      if (isYes) trusted.add(question.hash);
      return Promise.resolve(isYes);
    },
  };
};
