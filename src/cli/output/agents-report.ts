/** What each agent lists, for a person at a terminal. */
import { groupDigits, plural } from '../../base/text.ts';
import type { Listing } from '../../model/clients/types.ts';
import { visible } from './terminal-text.ts';

export const agentsReport = (listings: readonly Listing[]): string =>
  listings
    .map(
      (listing) =>
        `${visible(listing.label)}: ${plural(listing.entries.length, 'skill')}, ${groupDigits(listing.budget?.used ?? 0)}\n${listing.text}\n`,
    )
    .join('\n');
