/** Which executor a question would go to, by words alone: the check that runs without a model. */
import type { ExecutorPlan } from './types.ts';
import { isItalian } from './wording.ts';

const STOP = new Set([
  'the',
  'a',
  'an',
  'my',
  'me',
  'please',
  'to',
  'of',
  'for',
  'with',
  'in',
  'on',
  'di',
  'con',
  'la',
  'il',
  'i',
  'le',
  'un',
  'una',
]);

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}-]+/u)
    .filter((word) => word !== '' && !STOP.has(word))
    .map((word) => (word.length > 4 ? word.replace(/(?:s|es)$/, '') : word));

interface Routable {
  readonly name: string;
  readonly affinity: readonly string[];
}

/** How much of a phrase the question has; the best phrase counts, longer ones more. */
const scoreOf = (question: ReadonlySet<string>, affinity: readonly string[]): number =>
  Math.max(
    0,
    ...affinity.map((phrase) => {
      const words = wordsOf(phrase);
      const hits = words.filter((word) => question.has(word)).length;
      return words.length === 0 ? 0 : (hits / words.length) * (1 + hits / 10);
    }),
  );

/** The first of the best; nothing if no word fits. */
export const routeByWords = (question: string, executors: readonly Routable[]): string | undefined => {
  const words = new Set(wordsOf(question));
  let best: { readonly name: string; readonly score: number } | undefined;
  for (const { name, affinity } of executors) {
    const score = scoreOf(words, affinity);
    if (score > 0 && (!best || score > best.score)) best = { name, score };
  }
  return best?.name;
};

/** What somebody would ask, in the language of the phrase. */
const FRAMES: Readonly<Record<'en' | 'it', readonly ((phrase: string) => string)[]>> = {
  en: [(phrase) => `Can you ${phrase} for me?`, (phrase) => `I want to ${phrase}. Which tool does that?`],
  it: [(phrase) => `Puoi ${phrase}?`, (phrase) => `Vorrei che tu facessi questo: ${phrase}.`],
};
const MOST_QUESTIONS = 3;

/** Several questions, from the affinity words in turn. */
export const questionsFor = (plan: Pick<ExecutorPlan, 'name'>, affinity: readonly string[]): readonly string[] => {
  // One word is not a question.
  const said = affinity.filter((phrase) => /\S\s+\S/.test(phrase));
  const phrases = said.length > 0 ? said : [affinity[0] ?? plan.name.replaceAll('_', ' ')];
  const used = { en: 0, it: 0 };
  return phrases.slice(0, MOST_QUESTIONS).map((phrase) => {
    const language = isItalian(phrase) ? 'it' : 'en';
    const frames = FRAMES[language];
    return frames[used[language]++ % frames.length]?.(phrase) ?? phrase;
  });
};
