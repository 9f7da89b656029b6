/** The elements of one list in a document of JSON, one after the other, so that nobody has to hold the document. */

export interface JsonElements {
  /** Text of the document, cut anywhere. */
  readonly add: (piece: string) => void;
  /** Whether the document ended where it should. */
  readonly end: () => boolean;
}

/** A list is found by the keys that lead to it; no keys: the document itself is the list. */
export type ListPath = readonly string[];

interface Level {
  readonly isList: boolean;
  readonly key: string;
}

/** Longer ones are not keys that anybody looks for. */
const LONGEST_KEY = 64;
const STRUCTURE = /["{}[\]]/g;
const STRING = /["\\]/g;

/** `take` gets the text of each element that is an object. */
export const createJsonElements = (path: ListPath, take: (element: string) => void): JsonElements => {
  const levels: Level[] = [];
  let isInString = false;
  let isEscaped = false;
  let string = '';
  let element: string[] | undefined;
  let isBroken = false;
  let hasBegun = false;

  const isList = (): boolean =>
    levels.length === path.length + 1 &&
    levels.at(-1)?.isList === true &&
    path.every((key, index) => levels[index + 1]?.key === key && levels[index]?.isList === false);

  /** Index after the part of the string that is in this piece. */
  const inString = (piece: string, from: number): number => {
    let at = from;
    if (isEscaped) {
      isEscaped = false;
      at++;
    }
    for (;;) {
      STRING.lastIndex = at;
      const found = STRING.exec(piece)?.index ?? piece.length;
      if (string.length <= LONGEST_KEY) string += piece.slice(from, Math.min(found, from + LONGEST_KEY + 1));
      if (found === piece.length) return found;
      if (piece[found] === '"') {
        isInString = false;
        return found + 1;
      }
      if (found + 1 === piece.length) {
        isEscaped = true;
        return found + 1;
      }
      at = found + 2;
    }
  };

  return {
    add: (piece) => {
      let at = 0;
      /** Where the element continues in this piece. */
      let start = 0;
      while (at < piece.length) {
        if (isInString) {
          at = inString(piece, at);
          continue;
        }
        STRUCTURE.lastIndex = at;
        const found = STRUCTURE.exec(piece)?.index;
        if (found === undefined) break;
        at = found + 1;
        const character = piece[found];
        if (character === '"') {
          isInString = true;
          string = '';
        } else if (character === '{' || character === '[') {
          if (levels.length === 0 && hasBegun) isBroken = true;
          hasBegun = true;
          if (character === '{' && !element && isList()) {
            element = [];
            start = found;
          }
          levels.push({ isList: character === '[', key: levels.at(-1)?.isList === false ? string : '' });
        } else {
          const level = levels.pop();
          if (level?.isList !== (character === ']')) isBroken = true;
          if (element && isList()) {
            element.push(piece.slice(start, at));
            const whole = element.join('');
            element = undefined;
            take(whole);
          }
        }
      }
      if (element) element.push(piece.slice(start));
    },
    end: () => hasBegun && !isBroken && levels.length === 0 && !isInString,
  };
};
