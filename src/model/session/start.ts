/** What is fixed when a session starts (D25), and the events that say so. */
import { sha256 } from '../../base/hash.ts';
import { joinPath } from '../../base/paths.ts';
import { loadedPayload } from '../activation/budget.ts';
import type { SessionSettings } from '../event/catalog.ts';
import type { EventDraft, Payload } from '../event/types.ts';
import type { Instructions } from '../instructions/instructions.ts';
import type { Library } from '../library/load-library.ts';
import type { ClientId } from '../clients/types.ts';
import { isExecutable, type Dialect, type LibrarySkill, type MetaskillPolicy } from '../library/types.ts';
import { assembleStable, type StablePrompt } from '../prompt/assemble.ts';
import { DEFAULT_PERSONA } from '../prompt/persona.ts';
import type { PaddingPolicy } from '../prompt/types.ts';
import type { ModelBook } from '../provider/model-book.ts';
import type { ProviderId, ToolSpec } from '../provider/types.ts';
import { toolSpecs } from '../tool/definitions.ts';

/** How many calls one turn may make. */
export const DEFAULT_MAX_CALLS = 30;
export const DEFAULT_TURN_SECONDS = 1800;
export const DEFAULT_MODEL = 'claude-haiku-4-5';

/** There is one policy for choosing models: the user's choice. */
const ROUTING_POLICY = 'user-choice';

export const DEFAULT_SETTINGS: SessionSettings = {
  provider: 'simulator',
  model: DEFAULT_MODEL,
  cache: { mode: 'static', ttl: { tools: '5m', system: '5m', messages: '5m' } },
  max_output_tokens: 4096,
  spending_limit_usd: null,
  token_limit: null,
  run_spending_limit_usd: null,
  run_token_limit: null,
};

/** Policy `spec` for the simulator, where padding can be seen; what the model needs where it costs money (D16). */
export const defaultPadding = (provider: ProviderId): PaddingPolicy => (provider === 'simulator' ? 'spec' : 'model');

/** What a session takes from folders; `openWorkspace` reads it. */
export interface SessionSources {
  readonly instructions: Instructions;
  readonly library: Library;
  /** Whose listing the session shows in place of the index, and its text (D46). */
  readonly listing?: { readonly client: ClientId; readonly version?: string; readonly text: string };
}

export interface SessionPlan {
  /** The folder's name. */
  readonly workspaceName: string;
  readonly workspace: SessionSources;
  readonly title?: string;
  readonly dialect?: Dialect;
  readonly padding?: PaddingPolicy;
  readonly policy?: MetaskillPolicy;
  readonly persona?: string;
  /** False: programs cannot run here, so metaskills are plain skills. */
  readonly hasEngine?: boolean;
  readonly settings?: Partial<SessionSettings>;
  readonly limits?: Partial<Payload<'session.configured'>['limits']>;
  /** Imported executors. */
  readonly extraTools?: readonly ToolSpec[];
  /** Optional tools that the model does not get. */
  readonly withoutTools?: readonly string[];
  readonly forkedFrom?: { readonly session_id: string; readonly turn_id: string };
  readonly book?: ModelBook;
}

export interface PlannedSession {
  readonly prompt: StablePrompt;
  readonly tools: readonly ToolSpec[];
  /** In the order in which they are reported. */
  readonly drafts: readonly EventDraft[];
}

const skillFacts = (
  { skill, layer, source, path }: LibrarySkill,
  policy: MetaskillPolicy,
): Payload<'session.configured'>['skills'][number] => ({
  name: skill.name,
  version: skill.version,
  layer,
  source,
  tokens: skill.estimatedBodyTokens,
  metaskill: isExecutable(skill.metaskill, layer, policy),
  // Only what is in the opened folder can be opened.
  ...(source === 'workspace' && {
    file: joinPath(path, 'SKILL.md'),
    description_line: skill.lines.description,
    body_line: skill.lines.body,
  }),
});

export const planSession = (plan: SessionPlan): PlannedSession => {
  const { store } = plan.workspace.library;
  const settings: SessionSettings = { ...DEFAULT_SETTINGS, ...plan.settings };
  const dialect = plan.dialect ?? 'metis';
  const policy = plan.hasEngine === false ? 'off' : (plan.policy ?? 'local');
  const padding = plan.padding ?? defaultPadding(settings.provider);
  const tools = toolSpecs({
    dialect,
    store,
    policy,
    ...(plan.extraTools && { extra: plan.extraTools }),
    ...(plan.withoutTools && { without: plan.withoutTools }),
  });
  const prompt = assembleStable({
    persona: plan.persona ?? DEFAULT_PERSONA,
    instructions: plan.workspace.instructions.text,
    store,
    ...(plan.workspace.listing && { listing: plan.workspace.listing.text }),
    dialect,
    policy,
    tools,
    padding,
    model: settings.model,
    ...(plan.book && { book: plan.book }),
  });
  const preloaded = store.list().filter(({ skill }) => prompt.preloaded.includes(skill.name));
  const drafts: EventDraft[] = [
    {
      type: 'session.started',
      payload: {
        workspace_path: plan.workspaceName,
        workspace_hash: sha256(plan.workspaceName).slice(0, 16),
        initial_active_model: settings.model,
        routing_policy_version: ROUTING_POLICY,
      },
    },
    {
      type: 'session.configured',
      payload: {
        title: plan.title ?? '',
        dialect,
        ...(plan.workspace.listing && { listing: plan.workspace.listing.client }),
        ...(plan.workspace.listing?.version !== undefined && { listing_version: plan.workspace.listing.version }),
        padding,
        metaskill_policy: policy,
        settings,
        limits: {
          max_turns: plan.limits?.max_turns ?? DEFAULT_MAX_CALLS,
          wall_clock_seconds: plan.limits?.wall_clock_seconds ?? DEFAULT_TURN_SECONDS,
          ...(plan.limits?.run_seconds !== undefined && { run_seconds: plan.limits.run_seconds }),
        },
        tools: tools as Payload<'session.configured'>['tools'],
        segments: prompt.segments.map(({ kind, id, text }) => ({ kind, id, text })),
        preloaded: [...prompt.preloaded],
        skills: store.list().map((item) => skillFacts(item, policy)),
        forked_from: plan.forkedFrom ?? null,
      },
    },
    ...preloaded.map((item): EventDraft => ({ type: 'skill.loaded', payload: loadedPayload(item, 'always', null) })),
  ];
  return { prompt, tools, drafts };
};
