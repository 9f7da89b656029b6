import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CAUSES } from '../../model/cache/explain/types.ts';
import { verdictWords } from '../../model/instruments/verdict-words.ts';

const page = (name: string): string => readFileSync(new URL(`../../../docs/help/${name}.md`, import.meta.url), 'utf8');

/** The cells of the rows of all tables of a page. */
const rowsOf = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

describe('the help page of the cache waterfall', () => {
  const rows = rowsOf(page('cache-waterfall'));

  it.each(CAUSES)('explains the verdict %s with the words of the panel, and says what helps', (cause) => {
    const { title, about } = verdictWords(cause);
    const row = rows.find(([name]) => name === title);
    expect(row?.[1]).toBe(about);
    expect(row?.[2]).not.toBe('');
  });
});
