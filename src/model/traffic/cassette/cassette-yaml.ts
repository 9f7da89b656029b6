/**
 * The YAML of a cassette, one interaction at a time: a damaged one does not take the others with it, and a long file is not
 * held as a tree. Values are read as the writers of cassettes mean them: their YAML is 1.1, and what that does not take for a
 * number is text.
 */
import { type CollectionTag, parseDocument, type ScalarTag } from 'yaml';
import type { Json } from '../../../base/json.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { bytesOfBase64 } from '../../../base/base64.ts';

const LINE_END = /\r\n|\n|\r/;
const LIST = /^(?:http_)?interactions:\s*(?:#.*)?$/;
const EMPTY_LIST = /^(?:http_)?interactions:\s*\[\s*\]/;
/** Written by recorders where one object is in two places. */
const MOST_ALIASES = 100;

export const isYamlCassette = (head: readonly string[]): boolean =>
  head.some((line) => LIST.test(line) || EMPTY_LIST.test(line));

const isScalarTag = (tag: CollectionTag | ScalarTag | string): tag is ScalarTag =>
  typeof tag !== 'string' && 'test' in tag && 'format' in tag;

/** Without a dot and a sign it is a string, such as the id `7e12345`. */
const EXPONENT = /^[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)[eE][-+][0-9]+$/;

const BYTES: ScalarTag = { tag: '!binary', resolve: (text: string) => bytesOfBase64(text) };

const OPTIONS = {
  prettyErrors: false,
  uniqueKeys: false,
  logLevel: 'silent',
  customTags: (tags: readonly (CollectionTag | ScalarTag | string)[]) => [
    ...tags.flatMap((tag): (CollectionTag | ScalarTag | string)[] => {
      if (!isScalarTag(tag)) return [tag];
      if (tag.format === 'OCT') return [];
      return [tag.format === 'EXP' ? { ...tag, test: EXPONENT } : tag];
    }),
    'binary',
    BYTES,
  ],
} as const;

const parse = (text: string): Result<unknown, string> => {
  try {
    const document = parseDocument(text, OPTIONS as object);
    const [fault] = document.errors;
    if (fault) return err(`not YAML: ${fault.message}`);
    return ok(document.toJS({ maxAliasCount: MOST_ALIASES }));
  } catch {
    return err('not YAML: a reference leads nowhere.');
  }
};

export interface Chunk {
  /** Where it begins, from 1. */
  readonly line: number;
  readonly value: () => Result<Json, string>;
}

const asJson = (value: unknown): Json => value as Json;

/** The whole file immediately, for interactions that share anchors. */
const parseWhole = (text: string): readonly unknown[] => {
  const whole = parse(text);
  const value = whole.ok ? (whole.value as Readonly<Record<string, unknown>> | null) : null;
  const list = value?.['interactions'] ?? value?.['http_interactions'];
  return Array.isArray(list) ? (list as readonly unknown[]) : [];
};

const isAlias = /(?:^|\s)\*[\w-]+\s*$/m;

/** The interactions of a cassette, each with its line. */
export const cassetteChunks = (text: string): readonly Chunk[] => {
  const lines = text.split(LINE_END);
  const list = lines.findIndex((line) => LIST.test(line));
  if (list === -1) return [];
  const first = lines.findIndex((line, index) => index > list && /^\s*-(?:\s|$)/.test(line));
  const indent = /^\s*/.exec(lines[first] ?? '')?.[0] ?? '';
  const isItem = (line: string): boolean =>
    line.startsWith(`${indent}-`) && /^-(?:\s|$)/.test(line.slice(indent.length));
  /** A key at the margin, or the end of the document, ends the list. */
  const isEnd = (line: string): boolean => /^(?:[\w"'].*:|\.\.\.|---)/.test(line);
  const chunks: { readonly line: number; readonly lines: string[] }[] = [];
  for (let index = first; first !== -1 && index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (isItem(line)) chunks.push({ line: index + 1, lines: [line] });
    else if (isEnd(line)) break;
    else chunks.at(-1)?.lines.push(line);
  }
  let whole: readonly unknown[] | undefined;
  return chunks.map(({ line, lines: own }, index) => ({
    line,
    value: () => {
      const source = own.join('\n');
      const items = parse(source);
      if (items.ok && Array.isArray(items.value)) return ok(asJson((items.value as readonly unknown[])[0]));
      if (!isAlias.test(source)) return items.ok ? err('this is not an interaction.') : items;
      whole ??= parseWhole(text);
      return whole[index] === undefined && !items.ok ? items : ok(asJson(whole[index]));
    },
  }));
};
