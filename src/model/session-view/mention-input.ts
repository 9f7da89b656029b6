/** `$skill` and `@file` in a message that is being written. */
import { baseName } from '../../base/paths.ts';
import { decideActivations, startActivation } from '../activation/budget.ts';
import { findMentions } from '../activation/mentions.ts';
import type { Mention } from '../session/session.ts';

export interface MentionSkill {
  readonly name: string;
  readonly description: string;
  /** Estimate of the body. */
  readonly tokens: number;
  readonly isPreloaded: boolean;
  readonly isMetaskill: boolean;
}

/** What is being typed at the caret. */
export interface MentionWord {
  readonly kind: 'skill' | 'file';
  /** Without its sign. */
  readonly query: string;
  /** UTF-16 offsets in the text, sign included. */
  readonly from: number;
  readonly to: number;
}

const BEFORE = /(?:^|[\s(["'])([$@])([\p{L}\p{N}_./-]*)$/u;
const AFTER = /^[\p{L}\p{N}_./-]*/u;

/** Nothing where no mention is being typed. */
export const mentionAt = (text: string, caret: number): MentionWord | undefined => {
  const [, sign, typed = ''] = BEFORE.exec(text.slice(0, caret)) ?? [];
  if (sign === undefined) return undefined;
  const rest = AFTER.exec(text.slice(caret))?.[0] ?? '';
  const from = caret - typed.length - 1;
  return { kind: sign === '$' ? 'skill' : 'file', query: typed, from, to: caret + rest.length };
};

export interface MentionChoice {
  /** What is put into the text. */
  readonly insert: string;
  readonly label: string;
  readonly detail: string;
}

const MOST = 8;

/** How well a name fits what was typed; lower is better, nothing if it does not. */
const rank = (name: string, query: string): number | undefined => {
  if (query === '') return 1;
  const at = name.toLowerCase().indexOf(query.toLowerCase());
  if (at === 0) return 0;
  if (at === -1) return undefined;
  return /[-/._]/.test(name[at - 1] ?? '') ? 1 : 2;
};

const best = <T>(items: readonly T[], nameOf: (item: T) => string, query: string): readonly T[] =>
  items
    .flatMap((item) => {
      const found = rank(nameOf(item), query);
      return found === undefined ? [] : [{ item, found }];
    })
    // The order of the list decides among equals.
    .toSorted((a, b) => a.found - b.found)
    .slice(0, MOST)
    .map(({ item }) => item);

export const mentionChoices = (
  word: MentionWord,
  skills: readonly MentionSkill[],
  files: readonly string[],
): readonly MentionChoice[] => {
  if (word.kind === 'file')
    return best(files, (path) => baseName(path), word.query)
      .concat(best(files, (path) => path, word.query))
      .filter((path, index, all) => all.indexOf(path) === index)
      .slice(0, MOST)
      .map((path) => ({ insert: path, label: path, detail: '' }));
  return best(skills, ({ name }) => name, word.query).map(({ name, description, tokens, isPreloaded }) => ({
    insert: `$${name}`,
    label: `$${name}`,
    detail: isPreloaded ? 'preloaded' : `${tokens} tokens · ${description}`,
  }));
};

/** The text with the choice in it, and where the caret goes. */
export const insertMention = (
  text: string,
  word: MentionWord,
  { insert }: Pick<MentionChoice, 'insert'>,
): { readonly text: string; readonly caret: number } => {
  const behind = text.slice(word.to);
  const gap = /^\s/.test(behind) ? '' : ' ';
  return {
    text: text.slice(0, word.from) + insert + gap + behind,
    caret: word.from + insert.length + 1,
  };
};

/** Before there is a session: what the mentions of its first message would come to. */
export const firstMentions = (text: string, skills: readonly MentionSkill[]): readonly Mention[] => {
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  const names = findMentions(text, byName);
  const preloaded = skills.filter(({ isPreloaded }) => isPreloaded).map(({ name }) => name);
  return decideActivations(
    startActivation(preloaded),
    names.map((name) => ({ name, tokens: byName.get(name)?.tokens ?? 0 })),
  ).map(({ name, decision }) => ({ name, decision }));
};

export interface MentionWords {
  readonly name: string;
  readonly tone: 'plain' | 'refused';
  readonly text: string;
}

/** Who has the three slots: skills of the session, or those that the same message names before it. */
const slotsTaken = (before: readonly Mention[]): string => {
  const loads = before.filter(({ decision }) => decision.kind === 'load').length;
  if (loads === 0) return 'three skills are loaded. Start a new session to load others.';
  return loads >= 3
    ? 'the three skills before it use all slots.'
    : 'the loaded skills and those before it use all slots.';
};

/** For the line below the composer; one of the mentions of a message. */
export const mentionWords = ({ name, decision }: Mention, index: number, all: readonly Mention[]): MentionWords => {
  switch (decision.kind) {
    case 'load':
      return { name, tone: 'plain', text: 'will be loaded' };
    case 'preloaded':
      return { name, tone: 'plain', text: 'is already in the prompt' };
    case 'already-loaded':
      return { name, tone: 'plain', text: 'is already loaded' };
    case 'refused':
      return {
        name,
        tone: 'refused',
        text:
          decision.cap === 'count'
            ? `will be refused: ${slotsTaken(all.slice(0, index))}`
            : 'won’t load: its body exceeds the remaining tokens of 30,000.',
      };
  }
};
