/** All clients, and the two questions that everyone asks of them. */
import { claudeCode } from './claude-code/client.ts';
import { codex } from './codex/client.ts';
import { findSkills } from './find.ts';
import type { Client, ClientId, ClientOptions, ClientTrees, FoundSkill, Listing } from './types.ts';

const CLIENTS: readonly Client[] = [claudeCode, codex];

const clientOf = (id: ClientId): Client => {
  const client = CLIENTS.find((one) => one.id === id);
  if (!client) throw new Error(`there is no client ${id}`);
  return client;
};

/** What the client puts before its model, of skills that it found. */
export const listingFor = (id: ClientId, skills: readonly FoundSkill[], options: ClientOptions = {}): Listing =>
  clientOf(id).list(skills, options);

/** What the client finds in these folders, and what it puts before its model. */
export const listingIn = async (id: ClientId, trees: ClientTrees, options: ClientOptions = {}): Promise<Listing> => {
  const { skills, unread } = await findSkills(clientOf(id).roots, trees);
  const { projectPath, userPath, workingFolder } = trees;
  const listing = listingFor(id, skills, {
    ...options,
    ...(projectPath !== undefined && { projectPath }),
    ...(userPath !== undefined && { userPath }),
    ...(workingFolder !== undefined && { workingFolder }),
  });
  return { ...listing, unread };
};
