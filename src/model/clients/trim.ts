/** What shorter descriptions buy, and the fewest edits with which everything fits. */
import { lazy } from '../../base/lazy.ts';
import { codePointLength, takeCodePoints } from '../../base/text.ts';
import { utf8Length } from '../../base/utf8.ts';
import { columnsOf } from './columns.ts';
import { escapeXml } from './plain-listing.ts';
import type { Budget, ClientOptions, Listing, ListingEntry } from './types.ts';

/** The text of a skill after the trim that is asked for. */
export const trimmed = (
  text: string,
  { path, name }: { readonly path: string; readonly name: string },
  { trims }: ClientOptions,
): string => {
  const by = trims?.get(path) ?? trims?.get(name) ?? 0;
  return by <= 0 ? text : takeCodePoints(text, Math.max(1, codePointLength(text) - by)).trimEnd();
};

/** Shorter than this, a description says nothing that a name does not: columns, characters, or bytes. */
const FLOOR = 60;

interface TrimEdit {
  readonly name: string;
  readonly path: string;
  /** Characters to take away, and what remains. */
  readonly by: number;
  readonly to: number;
}

export interface TrimPlan {
  /** Longest first: the fewest skills are touched. */
  readonly edits: readonly TrimEdit[];
  /** What is still too much after them, in the unit of the budget; 0: everything fits. */
  readonly over: number;
  /** Where shorter strings are not enough: the fewest skills without which everything else fits whole. */
  readonly hides: readonly { readonly name: string; readonly path: string }[];
}

const PER_UNIT: Readonly<Record<Budget['unit'], number>> = { columns: 1, characters: 1, tokens: 4 };

const sizeOf = (text: string, unit: Budget['unit']): number => {
  switch (unit) {
    case 'columns':
      return columnsOf(text);
    case 'tokens':
      return utf8Length(text, 0, text.length);
    case 'characters':
      return escapeXml(text).length;
  }
};

const graphemes = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

/** The longest start of a string that leaves out at least `saved`, without half a image at its end. */
const shorten = (text: string, saved: number, unit: Budget['unit']): string => {
  const target = sizeOf(text, unit) - saved;
  const points = Array.from(graphemes().segment(text), ({ segment }) => segment);
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sizeOf(points.slice(0, middle).join(''), unit) <= target) low = middle;
    else high = middle - 1;
  }
  return points.slice(0, low).join('').trimEnd();
};

/** Whole code points within the limit of one entry: UTF-16 units, or where tokens are counted, code points. */
const withinEntry = (text: string, most: number, unit: Budget['unit']): string =>
  unit === 'tokens' ? takeCodePoints(text, most) : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');

const isListed = ({ state, whole }: ListingEntry): boolean => state !== 'hidden' && whole !== '';

/** The most expensive first: the fewest skills go. */
const planHides = ({ budget, entries }: Listing): TrimPlan['hides'] => {
  let over = budget?.limit === undefined ? 0 : budget.wanted - budget.spare - budget.limit;
  // Each line but one ends in a line break, which a token includes.
  const lineEnd = budget?.unit === 'columns' ? 1 : 0;
  const hides: { name: string; path: string }[] = [];
  const listed = entries.filter(({ state }) => state !== 'hidden').toSorted((a, b) => b.cost - a.cost);
  for (const { name, path, cost } of listed) {
    if (over <= 0) break;
    hides.push({ name, path });
    over -= cost + lineEnd;
  }
  return hides;
};

/** Nothing where there is no budget, or nothing is too much. */
export const planTrims = (listing: Listing): TrimPlan => {
  const { budget, entries } = listing;
  // Codex cuts the longest strings first, which may be its own.
  if (budget?.limit === undefined || entries.every(({ state }) => state === 'kept' || state === 'hidden'))
    return { edits: [], over: 0, hides: [] };
  const { unit } = budget;
  let over = (budget.wanted - budget.spare - budget.limit) * PER_UNIT[unit];
  const edits: TrimEdit[] = [];
  // A line of tokens is rounded up: each edit may save up to one token less than its bytes say.
  const slack = unit === 'tokens' ? 3 : 0;
  const texts = entries.filter(isListed).map((entry) => {
    // What one entry may hold comes first: the rest of a longer text is lost whatever the budget.
    const text = budget.perEntry === undefined ? entry.whole : withinEntry(entry.whole, budget.perEntry, unit);
    return { entry, text, size: sizeOf(text, unit), isLong: text !== entry.whole };
  });
  // What is too long for one entry is edited in any case.
  for (const item of texts.toSorted((a, b) => Number(b.isLong) - Number(a.isLong) || b.size - a.size)) {
    const { entry, size } = item;
    const room = size - FLOOR;
    const text = over > 0 && room > 0 ? shorten(item.text, Math.min(room, over + slack), unit) : item.text;
    const saved = size - sizeOf(text, unit);
    if (saved > slack) over -= saved - slack;
    const to = codePointLength(saved > slack ? text : item.text);
    const by = codePointLength(entry.whole) - to;
    if (by > 0) edits.push({ name: entry.name, path: entry.path, by, to });
  }
  const left = Math.max(0, Math.ceil(over / PER_UNIT[unit]));
  return { edits, over: left, hides: left === 0 ? [] : planHides(listing) };
};

/** How many skills are in each state. */
export const countStates = ({ entries }: Pick<Listing, 'entries'>): Readonly<Record<ListingEntry['state'], number>> => {
  const counts = { kept: 0, cut: 0, 'name-only': 0, dropped: 0, hidden: 0 };
  for (const { state } of entries) counts[state]++;
  return counts;
};
