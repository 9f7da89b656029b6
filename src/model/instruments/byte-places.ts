/** Offsets of UTF-16 units as offsets of bytes, for many places of one text in one walk. */

const byteLength = (text: string, from: number, to: number): number => {
  let bytes = to - from;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if ((unit & 0xfc00) === 0xd800 && at + 1 < to) {
      // A pair has two units and four bytes.
      bytes += 2;
      at++;
    } else bytes += 2;
  }
  return bytes;
};

/** The places have to lie between characters. Asking for one that was not named is a defect. */
export const bytePlaces = (text: string, places: readonly number[]): ((place: number) => number) => {
  const known = new Map<number, number>();
  let at = 0;
  let bytes = 0;
  for (const place of places.toSorted((a, b) => a - b)) {
    bytes += byteLength(text, at, place);
    at = place;
    known.set(place, bytes);
  }
  return (place) => {
    const found = known.get(place);
    if (found === undefined) throw new Error('a place whose bytes were not asked for');
    return found;
  };
};
