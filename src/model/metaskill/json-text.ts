/**
 * JSON as text. Values of a program cross the boundary as JSON that was made by the engine: integers of any size, 1.0 apart
 * from 1, keys in the program's order. `JSON.parse` would lose all three (and move keys such as "10" to the front), so the
 * envelope is put together from pieces of text.
 */

export type RawEntry = readonly [key: string, raw: string];

const skipString = (text: string, at: number): number => {
  let index = at + 1;
  while (text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index + 1;
};

/** After the value that starts at `at`. The text is JSON, so brackets match. */
const skipValue = (text: string, at: number): number => {
  let depth = 0;
  let index = at;
  do {
    const char = text[index];
    if (char === '"') index = skipString(text, index);
    else if (char === '{' || char === '[') {
      depth++;
      index++;
    } else if (char === '}' || char === ']') {
      depth--;
      index++;
    } else {
      index++;
      if (depth === 0) while (index < text.length && !/[,\]}\s]/.test(text[index] ?? '')) index++;
    }
  } while (depth > 0);
  return index;
};

const skipSpace = (text: string, at: number): number => {
  let index = at;
  while (/[\s,:]/.test(text[index] ?? 'x')) index++;
  return index;
};

/** The members of an object, each value as its own text. A key that occurs twice counts once, with its last value. */
export const splitObject = (text: string): RawEntry[] => {
  const entries = new Map<string, string>();
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (at < text.length && text[at] !== '}') {
    const keyEnd = skipString(text, at);
    const key = JSON.parse(text.slice(at, keyEnd)) as string;
    const start = skipSpace(text, keyEnd);
    const end = skipValue(text, start);
    entries.set(key, text.slice(start, end));
    at = skipSpace(text, end);
  }
  return [...entries];
};

export const joinObject = (entries: readonly RawEntry[]): string =>
  `{${entries.map(([key, raw]) => `${JSON.stringify(key)}:${raw}`).join(',')}}`;

export const isStringJson = (raw: string): boolean => raw.startsWith('"');
