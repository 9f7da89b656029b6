/** From what was chosen for a new session, and what is open, to its plan: what `planSession` makes the first request of. */
import type { Log } from '../../base/log.ts';
import type { SessionSettings } from '../event/catalog.ts';
import type { LibraryInput } from '../library/load-library.ts';
import { listingIn, wholeListingIn } from '../clients/registry.ts';
import { readClientSettings } from '../clients/settings.ts';
import type { ClientId, Listing } from '../clients/types.ts';
import type { Dialect, MetaskillPolicy, RuntimeProfile } from '../library/types.ts';
import { DEFAULT_TIMEOUT_S } from '../metaskill/limits.ts';
import type { PaddingPolicy } from '../prompt/types.ts';
import type { ToolSpec } from '../provider/types.ts';
import {
  DEFAULT_MAX_CALLS,
  DEFAULT_SETTINGS,
  DEFAULT_TURN_SECONDS,
  type SessionPlan,
  type SessionSources,
} from '../session/start.ts';
import { openWorkspace } from './open-workspace.ts';

/** With what the next session starts. */
export interface NewSession {
  readonly settings: SessionSettings;
  readonly dialect: Dialect;
  /** Whose listing is in place of the index; absent: Lathe's own index. */
  readonly listing?: ClientId;
  /** Absent: the newest version whose rules were measured. */
  readonly listingVersion?: string;
  /** Absent: the default of the provider. */
  readonly padding?: PaddingPolicy;
  readonly policy: MetaskillPolicy;
  /** Absent: Lathe's own. */
  readonly persona?: string;
  readonly maxCalls: number;
  readonly turnSeconds: number;
  /** Of one run of a metaskill. */
  readonly runSeconds: number;
  /** Optional tools that the model does not get. */
  readonly withoutTools: readonly string[];
}

/** Where nobody chose anything. */
export const NEW_SESSION: NewSession = {
  settings: DEFAULT_SETTINGS,
  dialect: 'metis',
  policy: 'local',
  maxCalls: DEFAULT_MAX_CALLS,
  turnSeconds: DEFAULT_TURN_SECONDS,
  runSeconds: DEFAULT_TIMEOUT_S,
  withoutTools: [],
};

/** `extra`: tools beside Lathe's own, such as imported executors. */
export const planOf = (
  workspaceName: string,
  { instructions, library, listing }: SessionSources,
  next: NewSession,
  extra: readonly ToolSpec[] = [],
): SessionPlan => ({
  workspaceName,
  workspace: { instructions, library, ...(listing && { listing }) },
  extraTools: extra.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  dialect: next.dialect,
  policy: next.policy,
  settings: next.settings,
  limits: { max_turns: next.maxCalls, wall_clock_seconds: next.turnSeconds, run_seconds: next.runSeconds },
  withoutTools: next.withoutTools,
  ...(next.padding && { padding: next.padding }),
  ...(next.persona !== undefined && { persona: next.persona }),
});

/** The folders that a session starts in. */
export interface PlannedFolder {
  readonly name: string;
  readonly library: LibraryInput;
  readonly profile: RuntimeProfile;
}

/** What the agent would put before the model; `isWhole`: with room for all. */
export const agentListing = async (
  { project, user }: LibraryInput,
  client: ClientId,
  { model, version }: Pick<SessionSettings, 'model'> & { readonly version?: string | undefined },
  isWhole = false,
): Promise<Listing | undefined> => {
  if (!project) return undefined;
  const trees = {
    project: project.tree,
    ...(project.workingFolder !== undefined && { workingFolder: project.workingFolder }),
    ...(user && { user }),
  };
  const { values } = await readClientSettings(client, trees);
  return (isWhole ? wholeListingIn : listingIn)(client, trees, {
    model,
    settings: values,
    ...(version !== undefined && { version }),
  });
};

/** The plan with this listing in place of the index. Only the index changes: skills are loaded from where sessions look (D8). */
export const withListing = (plan: SessionPlan, client: ClientId, text: string, version?: string): SessionPlan => ({
  ...plan,
  workspace: { ...plan.workspace, listing: { client, ...(version !== undefined && { version }), text } },
});

/** Reads the folders and plans a session there, for page and terminal. */
export const planIn = async (
  { name, library, profile }: PlannedFolder,
  next: NewSession,
  log: Log,
  extra: readonly ToolSpec[] = [],
): Promise<SessionPlan> => {
  const opened = await openWorkspace(library, { profile, dialect: next.dialect, log });
  const plan = planOf(name, opened, next, extra);
  if (!next.listing) return plan;
  const { listing: client, listingVersion: version } = next;
  const listing = await agentListing(library, client, { model: next.settings.model, version });
  return withListing(plan, client, listing?.text ?? '', version);
};
