/** What a program got from its asks, draft by draft, held against what its check looked for. */
import { isObject, type Json, parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';
import type { RunItem, RunView } from './run-view.ts';

export interface LookedFor {
  readonly word: string;
  readonly isFound: boolean;
}

export interface DraftLine {
  readonly text: string;
  /** It is not in the draft before. */
  readonly isNew: boolean;
}

export interface Draft {
  /** From 1. */
  readonly number: number;
  readonly id: string;
  readonly label: string;
  readonly state: 'writing' | 'done' | 'failed';
  readonly text: string;
  readonly lines: readonly DraftLine[];
  /** The number of an earlier draft with the same text. */
  readonly repeats: number | undefined;
  /** Words of the input, as far as this draft holds them. */
  readonly words: readonly LookedFor[];
  /** What the program itself traced about it, such as `missing rollback`. */
  readonly found: readonly { readonly key: string; readonly value: string }[];
  readonly durationMs: number | undefined;
}

/** The ask that is in progress. */
export interface WritingAsk {
  readonly text: string;
}

const MOST_WORDS = 12;
const LONGEST_WORD = 60;
const MOST_FOUND = 4;

const isWord = (value: Json): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_WORD && !value.includes('\n');

/** Lists of short strings in the input, and a single short text beside a longer task: what a check compares with. */
export const wordsOfInput = (input: Json | undefined): readonly string[] => {
  if (!isObject(input)) return [];
  const words = Object.entries(input).flatMap(([key, value]) => {
    // The words of a command are not words of a string.
    if (/^(?:command|argv|cmd|paths?|files?)$/i.test(key)) return [];
    if (Array.isArray(value)) return value.every(isWord) ? value : [];
    return /heading|title|must|phrase|word/i.test(key) && typeof value === 'string' && isWord(value) ? [value] : [];
  });
  return [...new Set(words)].slice(0, MOST_WORDS);
};

const plain = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

/** Whole words, in any case and with any signs between them. */
export const holdsWord = (text: string, word: string): boolean => plain(text).includes(plain(word));

const written = (value: Json): string => {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.length === 0 ? 'nothing' : value.join(', ');
  return JSON.stringify(value);
};

/** Of the first trace after a draft, before the next one. */
const foundIn = (trace: RunItem | undefined): Draft['found'] => {
  const data = trace && valueOr(parseJson(trace.request), undefined);
  if (!isObject(data)) return [];
  return Object.entries(data)
    .map(([key, value]) => ({ key, value: written(value) }))
    .filter(({ value }) => value.length <= LONGEST_WORD)
    .slice(0, MOST_FOUND);
};

const linesOf = (text: string, before: string | undefined): readonly DraftLine[] => {
  const known = new Set(before?.split('\n').map((line) => line.trim()));
  return text.split('\n').map((line) => ({ text: line, isNew: before === undefined || !known.has(line.trim()) }));
};

/** Oldest first. `writing` is the ask that has not been answered yet. */
export const runDrafts = (
  view: Pick<RunView, 'items'>,
  input: Json | undefined,
  writing?: WritingAsk,
): readonly Draft[] => {
  const words = wordsOfInput(input);
  const drafts: Draft[] = [];
  const add = (draft: Pick<Draft, 'id' | 'label' | 'state' | 'text' | 'found' | 'durationMs'>): void => {
    const same = draft.text.trim() === '' ? undefined : drafts.find(({ text }) => text.trim() === draft.text.trim());
    drafts.push({
      ...draft,
      number: drafts.length + 1,
      lines: linesOf(draft.text, drafts.findLast(({ state }) => state === 'done')?.text),
      repeats: draft.state === 'done' ? same?.number : undefined,
      words: words.map((word) => ({ word, isFound: holdsWord(draft.text, word) })),
    });
  };
  const firstAsk = view.items.findIndex(({ kind }) => kind === 'ask');
  // A program that traces before each ask tells nothing about the answer.
  const tracesFirst = view.items.slice(0, firstAsk).some(({ kind }) => kind === 'trace');
  for (const [index, item] of view.items.entries()) {
    if (item.kind !== 'ask') continue;
    const later = view.items.slice(index + 1);
    const next = later.findIndex(({ kind }) => kind === 'ask');
    const between = next === -1 ? later : later.slice(0, next);
    const traces = between.filter(({ kind }) => kind === 'trace');
    const trace = tracesFirst && traces.length < 2 ? undefined : traces[0];
    add({
      id: item.id,
      label: item.label,
      state: item.ok ? 'done' : 'failed',
      text: item.response,
      found: foundIn(trace),
      durationMs: item.durationMs,
    });
  }
  if (writing)
    add({ id: 'writing', label: 'ask', state: 'writing', text: writing.text, found: [], durationMs: undefined });
  return drafts;
};
