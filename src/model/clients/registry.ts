/** All clients, and the two questions that everyone asks of them. */
import { claudeCode } from './claude-code/client.ts';
import { codex } from './codex/client.ts';
import { copilot } from './copilot/client.ts';
import { cursor } from './cursor/client.ts';
import { geminiCli } from './gemini-cli/client.ts';
import { goose } from './goose/client.ts';
import { kiro } from './kiro/client.ts';
import { metis } from './metis/client.ts';
import { opencode } from './opencode/client.ts';
import { windsurf } from './windsurf/client.ts';
import { findSkills } from './find.ts';
import type { Client, ClientId, ClientOptions, ClientTrees, FoundSkill, Listing } from './types.ts';

const CLIENTS: Readonly<Record<ClientId, Client>> = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  copilot,
  cursor,
  opencode,
  windsurf,
  kiro,
  goose,
  metis,
};

export const clientOf = (id: ClientId): Client => CLIENTS[id];

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
