/** What a script and a description are without the differences that change nothing: comments, blank lines, blanks, case. */
import { sha256 } from '../../base/hash.ts';

/** Shorter ones say too little to be somebody's. */
const SHORTEST_DESCRIPTION = 20;

export const scriptMark = (content: Uint8Array | undefined): string | undefined => {
  if (!content) return undefined;
  const lines = new TextDecoder()
    .decode(content)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trimEnd())
    .filter((line) => line.trim() !== '' && !/^\s*(?:#|\/\/)/.test(line));
  return lines.length === 0 ? undefined : sha256(lines.join('\n'));
};

export const descriptionMark = (description: string): string | undefined => {
  const words =
    description
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? '';
  return words.length < SHORTEST_DESCRIPTION ? undefined : sha256(words);
};
