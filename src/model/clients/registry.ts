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
import { err, ok, type Result } from '../../base/result.ts';
import { findSkills } from './find.ts';
import { isRecord } from './frontmatter.ts';
import {
  CLIENT_IDS,
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

/** A client, and the version whose rules are asked for; absent: the newest that was measured. */
export interface ClientChoice {
  readonly id: ClientId;
  readonly version?: string;
}

/** `claude-code`, or `claude-code@2.1.197`. */
export const readClientChoice = (text: string): Result<ClientChoice, string> => {
  const at = text.indexOf('@');
  const name = at === -1 ? text : text.slice(0, at);
  const id = CLIENT_IDS.find((one) => one === name);
  if (!id) return err(`is one of ${CLIENT_IDS.join(', ')}; “${name}” is not`);
  if (at === -1) return ok({ id });
  const version = text.slice(at + 1);
  return /^\d+(?:\.\d+)*$/.test(version) ? ok({ id, version }) : err(`“${version}” is no version, such as 2.1.197`);
};

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

/** What the client would put before its model if its budget had room for every text. */
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
