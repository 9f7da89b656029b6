import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { listingIn } from '../model/clients/registry.ts';
import { readClientSettings } from '../model/clients/settings.ts';
import type { ClientTrees } from '../model/clients/types.ts';
import { createNodeTree } from '../platform/fs/node-tree.ts';
import type { Client, Listing, ListingOptions } from './types.ts';

export const clientListing = async (client: Client, folder: string, options: ListingOptions): Promise<Listing> => {
  const { home, workingFolder = '', version, model, contextWindow } = options;
  for (const path of home === undefined ? [folder] : [folder, home])
    if (!existsSync(path)) throw new Error(`There is no folder ${path}.`);
  const trees: ClientTrees = {
    project: createNodeTree(folder),
    workingFolder,
    projectPath: resolve(folder),
    ...(home !== undefined && { user: createNodeTree(home), userPath: resolve(home) }),
  };
  const settings = await readClientSettings(client, trees);
  const listing = await listingIn(client, trees, {
    ...(version !== undefined && { version }),
    ...(model !== undefined && { model }),
    ...(contextWindow !== undefined && { contextWindow }),
    settings: settings.values,
    environment: {},
  });
  const { budget } = listing;
  return {
    client,
    version: listing.version,
    text: listing.text,
    exact: listing.exact,
    entries: listing.entries.map(({ name, path, state, reason }) => ({ name, path, state, reason })),
    budget: budget && { unit: budget.unit, limit: budget.limit, used: budget.used, wanted: budget.wanted },
    notes: listing.notes,
  };
};
