/**
 * A session: an agent loop over one journal. Whatever is to be known about it is in the journal's events; this object adds
 * the means to continue (a client, tools, a clock) and nothing else.
 */
import { sha256 } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import { decideActivations, loadedPayload, type ActivationDecision } from '../activation/budget.ts';
import { findMentions } from '../activation/mentions.ts';
import { skillLoadText } from '../activation/texts.ts';
import type { SessionSettings } from '../event/catalog.ts';
import type { EventDraft, Payload } from '../event/types.ts';
import { EMPTY_STORE, type SkillStore } from '../library/store.ts';
import { isExecutable } from '../library/types.ts';
import type { RunOutcome } from '../metaskill/host.ts';
import { findMemory, volatileSegments } from '../prompt/volatile.ts';
import { roundUsd } from '../provider/cost.ts';
import { modelFacts } from '../provider/model-book.ts';
import type { Block, CanonicalRequest, ImageBlock, ToolSpec, ToolUseBlock } from '../provider/types.ts';
import { createBodyWriter } from '../provider/written-body.ts';
import { createTools } from '../tool/create-tools.ts';
import { createDispatcher, type CommandRunner } from '../tool/dispatcher.ts';
import type { PendingTree } from '../tool/pending-tree.ts';
import { RUN_METASKILL, type Policy } from '../tool/policy.ts';
import type { Approve, Tool } from '../tool/types.ts';
import { answersToOpenCalls, messagesToSend } from './conversation.ts';
import type { SessionCore, SessionDeps } from './core.ts';
import { runForPerson } from './direct-run.ts';
import type { HostSkills } from './host-skills.ts';
import { runMetaskillTool, type MetaskillDeps, type RunWatch } from './metaskills.ts';
import { cacheKeyOf, sessionRequest, userMessages } from './session-request.ts';
import { planSession, type SessionPlan } from './start.ts';
import { applyEvent, emptyState, MAIN_THREAD, type SessionState } from './state.ts';
import { runTurn, TurnStop, type TurnOutcome } from './turn.ts';
import { createSessionVerdicts } from './verdicts.ts';

export interface SessionTools {
  /** The folder, with the agent's writes pending over it. */
  readonly files: PendingTree;
  readonly policy: Policy;
  /** Asks a person; absent: nobody is there. */
  readonly approve?: Approve;
  /** Absent: there are no commands. */
  readonly runCommand?: CommandRunner;
  readonly hostSkills: HostSkills;
  /** Imported executors, whose specs are in the plan too. */
  readonly extra?: readonly Tool[];
  readonly engine: MetaskillDeps['engine'];
  readonly metaskillTimeoutSeconds?: number;
  readonly onPrint?: MetaskillDeps['onPrint'];
  readonly onRunStart?: MetaskillDeps['onStart'];
  readonly watchRuns?: RunWatch;
  /** Such as `web` or `linux`; part of the prompt. */
  readonly platform: string;
}

export interface Mention {
  readonly name: string;
  readonly decision: ActivationDecision;
}

export type SendOutcome = TurnOutcome | { readonly kind: 'refused'; readonly message: string };

export interface Session {
  readonly id: string;
  readonly state: SessionState;
  readonly store: SkillStore;
  readonly isRunning: () => boolean;
  /** Runs one turn to its end. Never rejects. */
  readonly send: (text: string, images?: readonly ImageBlock[]) => Promise<SendOutcome>;
  /**
   * Runs a metaskill for a person, without the model deciding: a turn of its own that adds nothing to the conversation.
   * `find` is asked before the session's own skills: a program that is being edited.
   */
  readonly runMetaskill: (args: Json, find?: HostSkills['find']) => Promise<RunOutcome>;
  /** Ends the running turn; what had come is kept. */
  readonly stop: () => void;
  /** Model, effort, TTL, breakpoints, limits: from the next request on (D25). */
  readonly change: (settings: Partial<SessionSettings>) => void;
  /** All of them, so that one can also be taken out. */
  readonly replaceSettings: (settings: SessionSettings) => void;
  readonly rename: (title: string) => void;
  readonly end: (disposition: 'completed' | 'abandoned' | 'error') => void;
  /** What the `$name`s of a message would come to, before it is sent. */
  readonly mentions: (text: string) => readonly Mention[];
  /** What goes after the cached prefix, as it is now. */
  readonly volatileText: () => Promise<string>;
  /** The next request of the conversation as it is now, and as it would be with another setting, memory or message. */
  readonly nextRequest: (change?: NextRequest) => Promise<CanonicalRequest>;
}

export interface NextRequest {
  readonly settings?: SessionSettings;
  /** Memory as the last request had it, rather than as the files have it now. */
  readonly oldMemory?: boolean;
  readonly message?: string;
}

const dateOf = (microseconds: number): string => new Date(microseconds / 1000).toISOString().slice(0, 10);

/** Where the model thinks, a tool call that was not its own would lack its thought and be refused (D19). */
const isThinking = (settings: SessionSettings): boolean => {
  if (settings.thinking) return settings.thinking.mode !== 'off';
  const { thinking } = modelFacts(settings.model);
  return thinking === 'adaptive' || thinking === 'always' || thinking === 'unknown';
};

/** What mentions add to a message where the model thinks, and what is to be told of them once the turn exists. */
interface MentionsInText {
  readonly blocks: readonly Block[];
  readonly loaded: readonly string[];
  readonly refused: readonly Payload<'skill.refused'>[];
}

const NO_MENTIONS: MentionsInText = { blocks: [], loaded: [], refused: [] };

const build = (deps: SessionDeps, tools: SessionTools, store: SkillStore, state: SessionState): Session => {
  const { journal, log } = deps;
  const { config } = state;
  if (!config) throw new Error('a session without its configuration');
  const { dialect } = config;

  const bodies = new Map<string, string>();
  const verdicts = createSessionVerdicts({
    sessionId: journal.sessionId,
    byId: journal.byId,
    sentBody: (id) => bodies.get(id),
    neighbors: deps.shadow.neighbors,
    log,
  });
  const ended = new Map<string, Payload<'cache.explained'>>();
  let judged = 0;
  /** A session that was opened again is read when its first request has ended, and not before. */
  const judge = (): void => {
    for (const event of journal.events.slice(judged)) {
      const verdict = verdicts.add(event);
      if (verdict) ended.set(verdict.request_id, verdict);
    }
    judged = journal.events.length;
  };

  const emit = (draft: EventDraft): string => {
    const event = journal.append(draft);
    applyEvent(state, event);
    return event.id;
  };

  const stableText = config.segments.map(({ text }) => text).join('');
  const specs = config.tools as readonly ToolSpec[];
  const nestedSpecs = specs.filter(({ name }) => name !== RUN_METASKILL);
  const toolsAt = (depth: number): readonly ToolSpec[] => (depth === 0 ? specs : nestedSpecs);
  const keys = [cacheKeyOf(specs, stableText), cacheKeyOf(nestedSpecs, stableText)] as const;

  // Read once per turn of a person; an `ask` sees what its turn sees.
  let volatile = '';
  const environment = { date: dateOf(state.startedAt), workspace: state.workspace, platform: tools.platform };
  let memories: { readonly user?: string | undefined; readonly memory?: string | undefined; readonly text?: string } =
    {};
  const volatileText = async (): Promise<string> => {
    const { user, memory } = await findMemory(tools.files, log);
    const known = memories.user === user.text && memories.memory === memory.text ? memories.text : undefined;
    if (known !== undefined) return known;
    const segments = volatileSegments({ environment, user: user.text, memory: memory.text });
    const text = segments.map((segment) => segment.text).join('');
    memories = { user: user.text, memory: memory.text, text };
    return text;
  };

  const runSeconds = tools.metaskillTimeoutSeconds ?? config.limits.run_seconds;
  const metaskillDeps = (find: HostSkills['find']): MetaskillDeps => ({
    engine: tools.engine,
    find: (name) => find(name) ?? tools.hostSkills.find(name),
    command: (request, { turnId, toolUseId, eventId }) =>
      dispatcher.command(request, { turnId, toolUseId, parent: eventId }),
    ...(runSeconds !== undefined && { timeoutSeconds: runSeconds }),
    ...(tools.onPrint && { onPrint: tools.onPrint }),
    ...(tools.onRunStart && { onStart: tools.onRunStart }),
    ...(tools.watchRuns && { watch: tools.watchRuns }),
  });

  const announced = new Set(specs.map(({ name }) => name));
  const dispatcher = createDispatcher({
    tools: [
      ...createTools({
        dialect,
        store,
        policy: config.metaskill_policy,
        files: tools.files,
        log,
        activation: ({ turnId }) => {
          const turn = state.turnsById.get(turnId);
          const thread = state.threads.get(turn?.thread ?? MAIN_THREAD);
          if (!thread) throw new Error('a turn without a thread');
          return thread.activation;
        },
        ...(tools.runCommand && { runCommand: tools.runCommand }),
        runMetaskill: (args, context) =>
          runMetaskillTool(
            core,
            metaskillDeps(() => undefined),
            args,
            context,
            volatile,
          ),
      }),
      ...(tools.extra ?? []),
    ].filter(({ name }) => announced.has(name)),
    emit,
    policy: tools.policy,
    ...(tools.approve && { approve: tools.approve }),
    ...(tools.runCommand && { runCommand: tools.runCommand }),
    newId: deps.newId,
    now: deps.now,
    after: deps.after,
    log,
  });

  const core: SessionCore = {
    deps,
    state,
    emit,
    tools: dispatcher,
    toolsAt,
    stableText,
    cacheKeyAt: (depth) => (depth === 0 ? keys[0] : keys[1]),
    takeVerdict: (requestId) => {
      judge();
      const verdict = ended.get(requestId);
      ended.clear();
      return verdict;
    },
    bodies,
    writeBody: createBodyWriter(),
  };

  let running: AbortController | undefined;

  const mentions = (text: string): readonly Mention[] => {
    const activation = state.threads.get(MAIN_THREAD)?.activation;
    if (!activation) return [];
    const wanted = findMentions(text, store).map((name) => ({
      name,
      tokens: store.get(name)?.skill.estimatedBodyTokens ?? 0,
    }));
    return decideActivations(activation, wanted).map(({ name, decision }) => ({ name, decision }));
  };

  /** The bodies as text of the message. */
  const mentionBlocks = (found: readonly Mention[]): MentionsInText => {
    const blocks: Block[] = [];
    const loaded: string[] = [];
    const refused: Payload<'skill.refused'>[] = [];
    for (const { name, decision } of found) {
      const item = store.get(name);
      if (!item) continue;
      if (decision.kind === 'refused') {
        blocks.push({ type: 'text', text: decision.message });
        refused.push({ skill_id: name, cap: decision.cap, message: decision.message });
      }
      if (decision.kind !== 'load') continue;
      const executable = isExecutable(item.skill.metaskill, item.layer, config.metaskill_policy);
      blocks.push({ type: 'text', text: skillLoadText(item, dialect, executable) });
      loaded.push(name);
      if (decision.warning) log(decision.warning);
    }
    return { blocks, loaded, refused };
  };

  const mentionCalls = (found: readonly Mention[]): readonly ToolUseBlock[] =>
    found
      .filter(({ decision }) => decision.kind !== 'preloaded')
      .map(({ name }) => ({
        type: 'tool_use',
        id: `tu_${deps.newId()}`,
        name: dialect === 'metis' ? 'skill_load' : 'skill',
        input: { name },
      }));

  const send = async (text: string, images: readonly ImageBlock[] = []): Promise<SendOutcome> => {
    if (running) return { kind: 'refused', message: 'A turn is running. Stop it, or wait until it ends.' };
    if (state.ended) return { kind: 'refused', message: 'This session has ended. Start a new one, or fork it.' };
    const { settings } = state;
    if (!settings) return { kind: 'refused', message: 'This session has no settings.' };
    const abort = new AbortController();
    running = abort;
    try {
      volatile = await volatileText();
      const found = mentions(text);
      const inText = isThinking(settings) ? mentionBlocks(found) : NO_MENTIONS;
      const calls = isThinking(settings) ? [] : mentionCalls(found);
      return await runTurn(core, {
        content: [...images, { type: 'text', text }, ...inText.blocks],
        ...(calls.length > 0 && { openingCalls: calls }),
        depth: 0,
        maxCalls: config.limits.max_turns,
        wallClockSeconds: config.limits.wall_clock_seconds,
        volatile,
        signal: abort.signal,
        onStarted: (turnId) => {
          for (const payload of inText.refused) emit({ type: 'skill.refused', turnId, payload });
          for (const name of inText.loaded) {
            const item = store.get(name);
            if (item) emit({ type: 'skill.loaded', turnId, payload: loadedPayload(item, 'on_demand', null) });
          }
        },
      });
    } finally {
      running = undefined;
    }
  };

  const runDirectly = async (args: Json, find: HostSkills['find'] = () => undefined): Promise<RunOutcome> => {
    const refuse = (result: string): RunOutcome => ({
      result,
      ok: false,
      steps: [],
      trace: [],
      printed: [],
      notes: [],
    });
    if (running) return refuse('error: a turn is running; stop it, or wait for its end');
    const abort = new AbortController();
    running = abort;
    try {
      volatile = await volatileText();
      return await runForPerson(core, metaskillDeps(find), args, volatile, abort.signal);
    } finally {
      running = undefined;
    }
  };

  return {
    id: journal.sessionId,
    state,
    store,
    isRunning: () => running !== undefined,
    send,
    runMetaskill: runDirectly,
    stop: () => running?.abort(new TurnStop('user_cancel', 'Stopped. Lathe kept the partial response.')),
    change: (changes) => {
      if (state.settings)
        emit({ type: 'session.settings_changed', payload: { settings: { ...state.settings, ...changes } } });
    },
    replaceSettings: (settings) => void emit({ type: 'session.settings_changed', payload: { settings } }),
    rename: (title) => void emit({ type: 'session.renamed', payload: { title } }),
    end: (disposition) => {
      if (state.ended) return;
      emit({
        type: 'session.ended',
        payload: {
          disposition,
          turn_count: state.turns.filter(({ nestedIn }) => nestedIn === undefined).length,
          total_cost_usd: state.totals.unpriced > 0 ? null : roundUsd(state.totals.costUsd),
          duration_seconds: deps.now() / 1000 - state.startedAt / 1_000_000,
        },
      });
    },
    mentions,
    volatileText,
    nextRequest: async ({ settings = state.settings, oldMemory = false, message } = {}) => {
      if (!settings) throw new Error('a session without settings');
      const now = await volatileText();
      return sessionRequest({
        settings,
        tools: specs,
        stable: stableText,
        volatile: oldMemory && volatile !== '' ? volatile : now,
        messages: [...messagesToSend(state.threads.get(MAIN_THREAD)?.messages ?? []), ...userMessages(message)],
        cacheKey: keys[0],
        sessionId: journal.sessionId,
      });
    },
  };
};

export const startSession = (plan: SessionPlan, deps: SessionDeps, tools: SessionTools): Session => {
  const state = emptyState(deps.journal.sessionId);
  for (const draft of planSession(plan).drafts) applyEvent(state, deps.journal.append(draft));
  return build(deps, tools, plan.workspace.library.store, state);
};

const LEFT_RESULT =
  'error: the session was left before the result of this call was kept; call it again if it is needed';

/**
 * Continues with a session whose journal has events already. Its prompt and tools are those of its start; the bodies of skills
 * come from the folder as it is now.
 */
export const reopenSession = (deps: SessionDeps, tools: SessionTools, store: SkillStore = EMPTY_STORE): Session => {
  const { journal } = deps;
  const state = emptyState(journal.sessionId);
  for (const event of journal.events) applyEvent(state, event);
  const resumed = journal.append({
    type: 'session.resumed',
    payload: {
      workspace_hash: sha256(state.workspace).slice(0, 16),
      last_event_id_at_resume: state.lastEventId ?? null,
    },
  });
  applyEvent(state, resumed);
  // Calls that ran, or waited for a person, when it was left: nobody else answers them.
  const messages = state.threads.get(MAIN_THREAD)?.messages ?? [];
  const answers = answersToOpenCalls(messages, LEFT_RESULT);
  const turn = state.turnsById.get(messages.at(-1)?.turnId ?? '');
  if (answers.length > 0) {
    const answered = journal.append({
      type: 'message.appended',
      actor: 'user',
      ...(turn && { turnId: turn.id, parent: turn.startedEventId }),
      payload: { role: 'user', content: answers as Payload<'message.appended'>['content'], partial: false },
    });
    applyEvent(state, answered);
  }
  return build(deps, tools, store, state);
};
