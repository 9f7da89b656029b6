/**
 * A line that a person types, as argv. Quotes and backslashes as in a shell, and nothing else: no variables, no patterns, no
 * pipes. Anyone who wants those writes `sh -c '…'`.
 */
import { err, ok, type Result } from '../../base/result.ts';

export const splitLine = (line: string): Result<readonly string[], string> => {
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? '';
    if (quote === "'") {
      if (character === "'") quote = undefined;
      else word += character;
    } else if (character === '\\') {
      const next = line[at + 1];
      if (next === undefined) return err('The line ends with a backslash.');
      // Between double quotes only these need one.
      word = (word ?? '') + (quote === '"' && !/["\\$`]/.test(next) ? `\\${next}` : next);
      at++;
    } else if (quote === '"') {
      if (character === '"') quote = undefined;
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote !== undefined) return err(`The quote ${quote} is not closed.`);
  if (word !== undefined) words.push(word);
  return ok(words);
};
