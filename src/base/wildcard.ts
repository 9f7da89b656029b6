/**
 * Patterns of names with wildcards. All ways to match are followed at the same time and nothing is tried again: the time is the length of the name
 * times the length of the pattern, whatever stranger wrote it.
 */
export type WildcardPiece =
  /** One character; `many`: any number of them. */
  | { readonly kind: 'one' | 'many'; readonly accepts: (char: string) => boolean }
  /** Nothing, or folders with the slash after them. */
  | { readonly kind: 'folders' };

export const ANY = (): boolean => true;
export const isChar = (wanted: string) => (char: string) => char === wanted;

/** Whether the whole text matches. */
export const matchesWildcard = (pieces: readonly WildcardPiece[], text: string): boolean => {
  // A place is twice the number of a piece, and one more inside folders. The round in which it was added: once is enough.
  const seen = new Int32Array(2 * pieces.length + 2).fill(-1);
  let current: number[] = [];
  let next: number[] = [];
  const put = (list: number[], place: number, round: number): void => {
    if (seen[place] === round) return;
    seen[place] = round;
    list.push(place);
  };
  /** With the places behind pieces that may match nothing. */
  const enter = (list: number[], piece: number, round: number): void => {
    for (let index = piece; ; index++) {
      if (seen[2 * index] === round) return;
      put(list, 2 * index, round);
      const { kind } = pieces[index] ?? {};
      if (kind === 'folders') put(list, 2 * index + 1, round);
      if (kind !== 'folders' && kind !== 'many') return;
    }
  };
  enter(current, 0, 0);
  for (let at = 0; at < text.length && current.length > 0; at++) {
    const char = text.charAt(at);
    const round = at + 1;
    next.length = 0;
    for (const place of current) {
      const index = place >> 1;
      const piece = pieces[index];
      if (!piece) continue;
      if (piece.kind === 'folders') {
        if (place % 2 === 0) continue;
        put(next, place, round);
        if (char === '/') enter(next, index + 1, round);
      } else if (piece.accepts(char)) enter(next, piece.kind === 'many' ? index : index + 1, round);
    }
    [current, next] = [next, current];
  }
  return current.includes(2 * pieces.length);
};

/** `*` stands for any number of characters, `?` for one where that is wanted; everything else for itself. */
export const simpleWildcard = (pattern: string, { question }: { readonly question: boolean }): WildcardPiece[] =>
  Array.from({ length: pattern.length }, (_, at): WildcardPiece => {
    const char = pattern.charAt(at);
    if (char === '*') return { kind: 'many', accepts: ANY };
    return { kind: 'one', accepts: question && char === '?' ? ANY : isChar(char) };
  });
