/** A message that is about the answer before it: shorter, as a list, in other words. */
import type { Message } from '../../provider/types.ts';
import { plain } from './prose.ts';

/** The text that the model said last, without what it announced before calling tools. */
const lastAnswer = (messages: readonly Message[]): string | undefined => {
  const answer = messages.findLast(
    ({ role, content }) => role === 'assistant' && content.some(({ type }) => type === 'text'),
  );
  return answer?.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
};

const linesOf = (answer: string): readonly string[] =>
  answer
    .split('\n')
    .filter((line) => !/^#+\s/.test(line))
    .map((line) => line.replace(/^(?:[-*]|\d+\.)\s+/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('```'));

const sentencesOf = (answer: string): readonly string[] =>
  linesOf(answer)
    .map((line) => plain(line, 200).replace(/[:,;]$/, ''))
    .filter((line) => /\s/.test(line));

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;

/** An answer in the manner of a skill, in one sentence: what it asks for. Its headings alone would say nothing. */
const inShort = (answer: string): string | undefined => {
  const [, name, topic] = /^Working by (\*\*[^*]+\*\*), on: (.+)\.$/m.exec(answer) ?? [];
  if (name === undefined || topic === undefined) return undefined;
  const headings = [...answer.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  const [, item] = /^- (.+)$/m.exec(answer) ?? [];
  const what = headings.length > 0 ? `these parts matter: ${listed(headings)}` : (item ?? '').replace(/[.;:]+$/, '');
  return what === '' ? undefined : `For “${topic}”, by ${name}: ${what}.`;
};

const ended = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

export const followUp = (prompt: string, messages: readonly Message[]): string | undefined => {
  const answer = lastAnswer(messages);
  if (answer === undefined || prompt.length > 120) return undefined;
  const sentences = sentencesOf(answer);
  const [first, second] = sentences;
  if (first === undefined) return undefined;
  if (/\b(?:one|a single) sentence\b/i.test(prompt)) return inShort(answer) ?? ended(second ?? first);
  if (/\b(?:shorter|short|brief(?:ly)?|summar\w+|tl;?dr|in a nutshell)\b/i.test(prompt))
    return sentences.slice(0, 3).map(ended).join(' ');
  if (/\b(?:bullets?|as a list|list form)\b/i.test(prompt))
    return sentences
      .slice(0, 6)
      .map((line) => `- ${line}`)
      .join('\n');
  if (/\b(?:again|other words|another way|differently|rephrase)\b/i.test(prompt))
    return `In other words: ${inShort(answer) ?? ended(second ?? first)}`;
  return undefined;
};
