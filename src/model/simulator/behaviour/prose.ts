/** Small pieces of text that the simulated model writes with. */
import { codePointLength, takeCodePoints } from '../../../base/text.ts';

/** Markdown marks off, one line, at most `most` characters. */
export const plain = (text: string, most = 140): string => {
  const line = text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[\[([^\]]*)\]\]/g, '$1')
    .replace(/\*\*|__/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (codePointLength(line) <= most) return line;
  const cut = takeCodePoints(line, most);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), most / 2)).replace(/[\s,;:–-]+$/, '')} …`;
};

/** The first sentence of a string. */
export const firstSentence = (text: string, most = 140): string => {
  const line = plain(text, 2_000);
  const [sentence = line] = /^.*?[.!?](?=\s|$)/.exec(line) ?? [line];
  return plain(sentence, most);
};

/** A sentence this short is a title for the next one. */
const SHORT = 24;

/** The first sentence that says something: `Look. Run the script.` and not `Look.` */
export const tellingSentence = (text: string): string => {
  const first = firstSentence(text);
  const rest = plain(text, 2_000).slice(first.length).trim();
  return first.length >= SHORT || rest === '' ? first : plain(`${first} ${firstSentence(rest)}`).replace(/:$/, '.');
};

/** What a message is about, as a phrase for a sentence. */
export const topicOf = (prompt: string): string => firstSentence(prompt, 110).replace(/[.!?:]+$/, '');

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `a, b and c` in a string → its parts. */
export const splitList = (text: string): readonly string[] =>
  text
    .split(/,|;|\band\b/)
    .map((part) => part.replace(/^["'“`\s]+|["'”`.\s]+$/g, ''))
    .filter((part) => part !== '');

export interface Section {
  readonly heading: string;
  readonly items: readonly string[];
  readonly lead: string;
}

const FENCE = /^\s*(?:```|~~~)/;
const ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(.*)$/;

/** The sections of a skill's body: what each one lists, and its first words. */
export const sectionsOf = (body: string): readonly Section[] => {
  const sections: { heading: string; items: string[]; lead: string }[] = [{ heading: '', items: [], lead: '' }];
  let isCode = false;
  for (const line of body.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    if (isCode || FENCE.test(line)) continue;
    const heading = /^#{1,6}\s+(.*)$/.exec(line)?.[1];
    const last = sections.at(-1);
    if (heading !== undefined) sections.push({ heading: plain(heading, 80), items: [], lead: '' });
    else if (last && ITEM.test(line)) last.items.push(ITEM.exec(line)?.[1] ?? '');
    else if (last && last.lead === '' && line.trim() !== '' && !/^\s*\|/.test(line)) last.lead = line;
  }
  return sections;
};
