/** The answer first: one sentence about a listing, for page and terminal. */
import { groupDigits, plural } from '../../base/text.ts';
import { countStates, planTrims } from './trim.ts';
import type { Budget, Listing } from './types.ts';

const ofAll = (count: number, all: number): string =>
  count === all
    ? all === 1
      ? 'the only description'
      : `all ${groupDigits(all)} descriptions`
    : `${groupDigits(count)} of ${plural(all, 'description')}`;

/** `Claude Code cuts 14 of 60 descriptions.` */
export const verdictOf = (listing: Listing): string => {
  const { label } = listing;
  const { kept, cut, 'name-only': bare, dropped, hidden } = countStates(listing);
  const listed = kept + cut + bare + dropped;
  if (listed + hidden === 0) return `${label} finds no skills.`;
  const rest = hidden === 0 ? '' : ` It doesn’t list ${plural(hidden, 'more skill')}.`;
  if (listed === 0) return `${label} lists none of ${plural(hidden, 'skill')}.`;
  const losses = [
    dropped > 0 ? `drops ${plural(dropped, 'skill')}` : '',
    bare + cut > 0 ? `cuts ${ofAll(bare + cut, listed)}` : '',
  ].filter((part) => part !== '');
  const kind = listing.budget ? 'whole' : 'as far as Lathe knows';
  return losses.length === 0
    ? `${label} lists ${plural(kept, 'skill')} ${kind}.${rest}`
    : `${label} ${losses.join(' and ')}.${rest}`;
};

/** `8,000 columns; everything takes 9,512, 6,186 of them the agent’s own entries.` */
export const budgetWords = (budget: Budget | undefined): string => {
  if (!budget) return 'Lathe doesn’t know whether there is a budget.';
  if (budget.limit === undefined) return `No budget. The entries take ${groupDigits(budget.wanted)} ${budget.unit}.`;
  const own = budget.own > 0 ? `, ${groupDigits(budget.own)} of them for its own entries` : '';
  return `Budget: ${groupDigits(budget.limit)} ${budget.unit}. Everything takes ${groupDigits(budget.wanted)}${own}. ${budget.from}`;
};

/** What to do; empty where nothing is to be done. */
export const trimWords = (listing: Listing): string => {
  const { edits, over, hides } = planTrims(listing);
  if (over > 0)
    return `Shorter descriptions aren’t enough. Without ${plural(hides.length, 'skill')} everything else fits whole: hide them from the model, or raise the budget.`;
  return edits.length === 0 ? '' : `Shorten ${plural(edits.length, 'description')}, and everything fits.`;
};
