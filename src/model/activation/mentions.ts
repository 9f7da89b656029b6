import type { SkillStore } from '../library/store.ts';

/** A name has at most 64 characters, so longer words are never looked at whole. */
const MENTION = /(?<![\p{L}\p{N}_$])\$([a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?)(?!-*[\p{L}\p{N}_])/gu;

/** Skills that a message names with `$name`, each once, in the order of the text. */
export const findMentions = (text: string, store: Pick<SkillStore, 'has'>): readonly string[] => {
  const names = Array.from(text.matchAll(MENTION), ([, name = '']) => name);
  return [...new Set(names)].filter((name) => store.has(name));
};
