/** The discovery index: what the model reads of every skill on every request, and what that costs. */
import { codePointLength } from '../../base/text.ts';
import { estimateTokens } from '../skill/checks/body-checks.ts';
import type { SkillStore } from './store.ts';
import { isExecutable, type Dialect, type LibrarySkill, type MetaskillPolicy } from './types.ts';

export interface IndexOptions {
  readonly dialect: Dialect;
  readonly policy: MetaskillPolicy;
  /** Skills whose bodies are in the prompt already. */
  readonly preloaded?: ReadonlySet<string>;
}

const HEADS: Readonly<Record<Dialect, readonly string[]>> = {
  metis: ['## Available skills', 'Use `skill_search(query)` to filter and `skill_load(name)` to read a body.', ''],
  agents: ['You have access to the following skills. Load any when relevant.', ''],
};

/** Whatever some reader takes for the end of a line. */
const LINE_END = /[\n\v\f\r\x1C-\x1E\x85\u2028\u2029]+/;

/** A line end and the white space around it become one space. */
export const onOneLine = (text: string): string =>
  LINE_END.test(text)
    ? text
        .split(LINE_END)
        .map((part) => part.trim())
        .filter((part) => part !== '')
        .join(' ')
    : text;

/** One line per skill, whatever its description looks like. */
const indexLine = (item: LibrarySkill, options: IndexOptions): string => {
  const { skill, layer } = item;
  const preloaded = options.preloaded?.has(skill.name) === true ? ' [preloaded]' : '';
  const tag = isExecutable(skill.metaskill, layer, options.policy) ? ' (metaskill: starlark)' : '';
  return `- ${skill.name}${preloaded}: ${onOneLine(skill.description)}${tag}`;
};

/** Empty if there are no skills. */
export const indexText = (store: SkillStore, options: IndexOptions): string =>
  store.size === 0
    ? ''
    : [...HEADS[options.dialect], ...store.list().map((item) => indexLine(item, options))].join('\n');

export interface IndexMeter {
  readonly lines: readonly { readonly name: string; readonly text: string; readonly tokens: number }[];
  readonly tokens: number;
  readonly characters: number;
}

/** What Lathe's own index costs. What an agent cuts of its listing, `model/clients` says. */
export const measureIndex = (store: SkillStore, options: IndexOptions): IndexMeter => {
  const lines = store.list().map((item) => {
    const text = indexLine(item, options);
    return { name: item.skill.name, text, tokens: estimateTokens(codePointLength(text)) };
  });
  const characters = codePointLength(indexText(store, options));
  return { lines, tokens: characters === 0 ? 0 : estimateTokens(characters), characters };
};
