/** What each agent lists, for a person at a terminal: the answer, what is cut, what to do, and the text. */
import { plural } from '../../base/text.ts';
import { planTrims } from '../../model/clients/trim.ts';
import type { Listing, ListingEntry } from '../../model/clients/types.ts';
import { budgetWords, trimWords, verdictOf } from '../../model/clients/verdict.ts';
import { visible, type Paint } from './terminal-text.ts';

/** More lines than these are counted. */
const MOST_ROWS = 40;

const rows = (entries: readonly ListingEntry[]): string[] => {
  const notWhole = entries.filter(({ state }) => state !== 'kept');
  const shown = notWhole
    .slice(0, MOST_ROWS)
    .map(({ state, path, reason }) => `  ${state.padEnd(9)}  ${visible(path)}: ${visible(reason)}`);
  return notWhole.length > MOST_ROWS ? [...shown, `  and ${notWhole.length - MOST_ROWS} more; --json has them`] : shown;
};

const edits = (listing: Listing): string[] => {
  const plan = planTrims(listing);
  const lines =
    plan.over > 0
      ? plan.hides.map(({ path }) => `  hide ${visible(path)}`)
      : plan.edits.map(({ path, by, to }) => `  ${visible(path)}: ${plural(by, 'character')} less, ${to} remain`);
  return lines.slice(0, MOST_ROWS);
};

const block = (listing: Listing, withText: boolean, paint: Paint): string => {
  const { version, model, unread, notes } = listing;
  const about = [version === undefined ? '' : `version ${version}`, model ?? '']
    .filter((part) => part !== '')
    .join(', ');
  const advice = trimWords(listing);
  return [
    `${paint.bold(verdictOf(listing))}${about === '' ? '' : paint.dim(` (${visible(about)})`)}`,
    budgetWords(listing.budget),
    ...rows(listing.entries),
    ...unread.map(({ path, reason }) => `  not read   ${visible(path)}: ${visible(reason)}`),
    ...(advice === '' ? [] : [advice, ...edits(listing)]),
    ...notes.map((note) => paint.dim(note)),
    ...(withText && listing.text !== '' ? ['', ...listing.text.split('\n').map(visible)] : []),
  ].join('\n');
};

/** The text only where one agent was asked for: ten of them hide the answers. */
export const agentsReport = (listings: readonly Listing[], paint: Paint): string =>
  `${listings.map((listing) => block(listing, listings.length === 1, paint)).join('\n\n')}\n`;
