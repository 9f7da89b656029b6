/**
 * Which skill of an index fits a message: what the simulated model goes by, and what the editor shows as "would it be
 * picked". Words are compared, rare ones count more, and each match can be reported.
 */
import { compareCodePoints } from '../../../base/text.ts';
import { groupsOf, wordsOf, type Word } from './words.ts';

export interface PickableSkill {
  readonly name: string;
  readonly description: string;
}

export interface WordMatch {
  /** As the message has it. */
  readonly word: string;
  /** As the skill has it; another word where they only mean the same. */
  readonly matched: string;
  readonly where: 'name' | 'use-when' | 'description';
  readonly weight: number;
}

export interface RankedSkill {
  readonly name: string;
  /** 1 is one word that no other skill of the index has. */
  readonly score: number;
  readonly matches: readonly WordMatch[];
  /** One sentence for people. */
  readonly why: string;
}

export interface SkillPick {
  /** Best first; those without a match are left out. */
  readonly ranked: readonly RankedSkill[];
  /** The first of `ranked`, if it fits well enough. */
  readonly best: RankedSkill | undefined;
}

/** Below it no skill is picked, unless one stands alone. */
const THRESHOLD = 1.25;
/** Enough for a skill with this many times the score of the next: one rare word of its `Use when`. */
const ALONE = { score: 1, times: 2 } as const;
const WEIGHTS = { name: 1.15, 'use-when': 1.1, description: 0.9 } as const;
/** Of a word that only means the same. */
const SYNONYM = 0.65;
/** The message says the name itself. */
const NAMED = 10;
/** A long message is about what its beginning says. */
const MOST_WORDS = 120;

interface Entry {
  readonly text: string;
  readonly where: WordMatch['where'];
}

interface Document {
  readonly skill: PickableSkill;
  readonly entries: ReadonlyMap<string, Entry>;
  readonly groups: ReadonlyMap<string, Entry>;
}

const readDocument = (skill: PickableSkill): Document => {
  const [, before = skill.description, after = ''] =
    /^(.*?)\b(use (?:it )?(?:when|for|if)\b.*)$/is.exec(skill.description) ?? [];
  const entries = new Map<string, Entry>();
  const add = (words: readonly Word[], where: Entry['where']): void => {
    for (const { text, stem } of words) if (!entries.has(stem)) entries.set(stem, { text, where });
  };
  add(wordsOf(skill.name.replaceAll('-', ' ')), 'name');
  add(wordsOf(after), 'use-when');
  add(wordsOf(before), 'description');
  const groups = new Map<string, Entry>();
  for (const [stem, entry] of entries)
    for (const group of groupsOf(stem)) if (!groups.has(group)) groups.set(group, entry);
  return { skill, entries, groups };
};

/** In how many documents each word, or group of words, stands. */
const frequencies = (documents: readonly Document[], part: 'entries' | 'groups'): ((key: string) => number) => {
  const counts = new Map<string, number>();
  for (const document of documents)
    for (const key of document[part].keys()) counts.set(key, (counts.get(key) ?? 0) + 1);
  return (key) => counts.get(key) ?? 0;
};

interface ReadIndex {
  readonly documents: readonly Document[];
  readonly countOf: (stem: string) => number;
  readonly countLike: (group: string) => number;
}

/** One index is asked several things in a row. */
const READ = new WeakMap<readonly PickableSkill[], ReadIndex>();

const readIndex = (index: readonly PickableSkill[]): ReadIndex => {
  const known = READ.get(index);
  if (known) return known;
  const documents = index.map(readDocument);
  const read = {
    documents,
    countOf: frequencies(documents, 'entries'),
    countLike: frequencies(documents, 'groups'),
  };
  READ.set(index, read);
  return read;
};

/** How rare it is: 1 for one skill of the index, towards 0 for all. */
const rarity = (count: number, size: number): number => Math.log(1 + size / count) / Math.log(1 + size);

const distinct = (words: readonly Word[]): readonly Word[] => [
  ...new Map(words.slice(0, MOST_WORDS).map((word) => [word.stem, word])).values(),
];

const sayWhy = (name: string, matches: readonly WordMatch[]): string =>
  `${name}: ${matches
    .slice(0, 6)
    .map(({ word, matched, where }) => `“${word}”${word === matched ? '' : ` (as “${matched}”)`} in its ${where}`)
    .join(', ')}`;

const ASCII = /^[\u0000-\u007F]*$/;

/** Whether a message names a skill. A name of one word may be any word: it counts beside "skill", or after "load". */
export const namesSkill = (message: string, name: string): boolean => {
  // Most names are nowhere in it. Outside of ASCII one letter can be another one's capital.
  if (ASCII.test(message) && !message.toLowerCase().includes(name.toLowerCase())) return false;
  const word = `(?<![\\w-])${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\w-])`;
  const named = name.includes('-')
    ? word
    : `${word}["'”\`]?\\s+skill\\b|\\bskill\\s+(?:named\\s+|called\\s+)?["'“\`]?${word}|\\b(?:load|activate)\\s+(?:the\\s+)?["'“\`]?${word}`;
  return new RegExp(named, 'iu').test(message);
};

/** Added to the score of a skill of which a word matches. */
export type Jitter = (skill: string) => number;

export const pickSkill = (message: string, index: readonly PickableSkill[], jitter?: Jitter): SkillPick => {
  const { documents, countOf, countLike } = readIndex(index);
  const words = distinct(wordsOf(message));
  const matchesOf = (document: Document): WordMatch[] => {
    const used = new Set<string>();
    const matches: WordMatch[] = [];
    for (const { text, stem } of words) {
      const same = document.entries.get(stem);
      if (same) {
        const weight = WEIGHTS[same.where] * rarity(countOf(stem), index.length);
        matches.push({ word: text, matched: same.text, where: same.where, weight });
        for (const group of groupsOf(stem)) used.add(group);
        continue;
      }
      const group = groupsOf(stem).find((one) => document.groups.has(one) && !used.has(one));
      const like = group === undefined ? undefined : document.groups.get(group);
      if (group === undefined || !like) continue;
      used.add(group);
      const weight = SYNONYM * WEIGHTS[like.where] * rarity(countLike(group), index.length);
      matches.push({ word: text, matched: like.text, where: like.where, weight });
    }
    return matches.toSorted((a, b) => b.weight - a.weight);
  };
  const ranked = documents
    .map((document): RankedSkill => {
      const { name } = document.skill;
      const matches = matchesOf(document);
      const named = namesSkill(message, name);
      const score = matches.reduce((sum, { weight }) => sum + weight, named ? NAMED : 0);
      return { name, score, matches, why: named ? `${name}: the message names it` : sayWhy(name, matches) };
    })
    .filter(({ score }) => score > 0)
    .map(({ score, ...skill }): RankedSkill => Object.assign(skill, { score: score + (jitter?.(skill.name) ?? 0) }))
    .toSorted((a, b) => b.score - a.score || compareCodePoints(a.name, b.name));
  const [first, second] = ranked;
  const fits =
    first !== undefined &&
    (first.score >= THRESHOLD || (first.score >= ALONE.score && first.score >= ALONE.times * (second?.score ?? 0)));
  return { ranked, best: fits ? first : undefined };
};
