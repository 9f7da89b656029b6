/** Offsets of UTF-16 units as offsets of bytes, for many places of one string in one walk. */
import { utf8Length } from '../../base/utf8.ts';

/** The places have to lie between characters. Asking for one that was not named is a defect. */
export const bytePlaces = (text: string, places: readonly number[]): ((place: number) => number) => {
  const known = new Map<number, number>();
  let at = 0;
  let bytes = 0;
  for (const place of places.toSorted((a, b) => a - b)) {
    bytes += utf8Length(text, at, place);
    at = place;
    known.set(place, bytes);
  }
  return (place) => {
    const found = known.get(place);
    if (found === undefined) throw new Error('a place whose bytes were not asked for');
    return found;
  };
};
