/** All clients, and the two questions that everyone asks of them. */
import { claudeCode } from './claude-code/client.ts';
import { codex } from './codex/client.ts';
import { copilot } from './copilot/client.ts';
import { cursor } from './cursor/client.ts';
import { gemini } from './gemini/client.ts';
import { goose } from './goose/client.ts';
import { kiro } from './kiro/client.ts';
import { metis } from './metis/client.ts';
import { opencode } from './opencode/client.ts';
import { windsurf } from './windsurf/client.ts';
import { findSkills } from './find.ts';
import { isRecord } from './frontmatter.ts';
import {
  type Client,
  type ClientId,
  type ClientOptions,
  type ClientTrees,
  type FoundSkill,
  type Listing,
} from './types.ts';

const CLIENTS: Readonly<Record<ClientId, Client>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
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

/** More than any listing takes. */
const PLENTY = 1e12;

/** The same options with room for everything: what only the budget cuts stays whole. */
const roomForAll = ({ settings = {}, environment = {}, ...options }: ClientOptions): ClientOptions => {
  const { skillListingBudgetFraction: _fraction, skills, ...others } = settings;
  const { SLASH_COMMAND_TOOL_CHAR_BUDGET: _budget, ...variables } = environment;
  const { max_context_tokens: _tokens, ...rules } = isRecord(skills) ? skills : {};
  return {
    ...options,
    contextWindow: PLENTY,
    environment: { ...variables, SKILL_CHAR_BUDGET: `${PLENTY}` },
    settings: { ...others, skills: rules, skillListingMaxDescChars: PLENTY },
  };
};

/** What the client would put before its model if its budget had room for every string. */
export const wholeListingIn = (id: ClientId, trees: ClientTrees, options: ClientOptions = {}): Promise<Listing> =>
  listingIn(id, trees, roomForAll(options));

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
