/** A session over files in memory, with a scripted provider and a clock that is moved by hand. */
import { collectLog } from '../../../base/log.ts';
import { baseName } from '../../../base/paths.ts';
import { createUlid } from '../../../base/ulid.ts';
import { createMemoryTree } from '../../../platform/fs/memory-tree.ts';
import { createMemoryProvider, type MemoryScript } from '../../../platform/provider/memory-provider.ts';
import { createMemoryTokenizer } from '../../../platform/tokenizer/memory-tokenizer.ts';
import type { SessionSettings } from '../../event/catalog.ts';
import { createJournal, type Journal } from '../../event/journal.ts';
import type { EventOf, EventType, LatheEvent } from '../../event/types.ts';
import { openWorkspace } from '../../workspace/open-workspace.ts';
import type { ConsentBook } from '../../metaskill/consent.ts';
import { createScriptedEngine, type ScriptApi } from '../../metaskill/testing/scripted-engine.ts';
import type { ProviderClient } from '../../provider/types.ts';
import { createPendingTree } from '../../tool/pending-tree.ts';
import { createPolicy, type PolicyOptions } from '../../tool/policy.ts';
import type { Approve } from '../../tool/types.ts';
import type { CommandRunner } from '../../tool/dispatcher.ts';
import type { SessionDeps, StreamNews } from '../core.ts';
import { snapshotMetaskills } from '../host-skills.ts';
import type { RunWatch } from '../metaskills.ts';
import { reopenSession, startSession, type Session, type SessionTools } from '../session.ts';
import { createShadow, type Shadow } from '../shadow.ts';
import type { SessionPlan } from '../start.ts';

export const skillFile = (
  name: string,
  body: string,
  description = `Does ${name}. Use when ${name} is asked for.`,
): string => `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;

export interface SetupOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly script: MemoryScript;
  readonly plan?: Partial<Omit<SessionPlan, 'workspace'>>;
  readonly settings?: Partial<SessionSettings>;
  /** What every metaskill does. */
  readonly program?: (api: ScriptApi) => unknown;
  readonly policy?: PolicyOptions;
  readonly approve?: Approve;
  readonly runCommand?: CommandRunner;
  readonly isForeign?: (name: string) => boolean;
  readonly book?: ConsentBook;
  readonly shadow?: Shadow;
  readonly sessionId?: string;
  readonly watchRuns?: RunWatch;
  /** Stands between the session and the scripted provider. */
  readonly wrap?: (provider: ProviderClient) => ProviderClient;
  /** Of a session that is opened again. */
  readonly events?: readonly LatheEvent[];
}

/** Time passes only when a test says so; anyone who waits longer than that wakes up. */
const createClock = (start: number) => {
  let now = start;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  return {
    now: () => now,
    after: (ms: number, wake: () => void): (() => void) => {
      const sleeper = { at: now + ms, wake };
      sleepers.add(sleeper);
      return () => sleepers.delete(sleeper);
    },
    advance: (ms: number): void => {
      now += ms;
      for (const sleeper of sleepers) {
        if (sleeper.at > now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
  };
};

export const setup = async (options: SetupOptions) => {
  const { log, lines } = collectLog();
  const clock = createClock(Date.UTC(2026, 10, 16, 9));
  const tree = createMemoryTree(options.files ?? {}, 'desk');
  const workspace = await openWorkspace({ project: { tree } }, { profile: 'standard', dialect: 'metis', log });
  const { store } = workspace.library;
  let random = 0;
  const ulid = createUlid({ now: clock.now, random: () => (random = (random + 0.618) % 1) });
  const provider = createMemoryProvider(options.script, { now: clock.now });
  const journal: Journal = createJournal({
    sessionId: options.sessionId ?? 'sess_test',
    now: clock.now,
    ulid,
    validation: 'strict',
    log,
    ...(options.events && { events: options.events }),
  });
  const shadow = options.shadow ?? createShadow({ tokenizer: createMemoryTokenizer(), log });
  const news: StreamNews[] = [];
  const deps: SessionDeps = {
    journal,
    client: () => options.wrap?.(provider) ?? provider,
    scope: () => 'key-1',
    now: clock.now,
    newId: ulid,
    after: clock.after,
    shadow,
    log,
    onStream: (item) => news.push(item),
  };
  const files = createPendingTree(tree);
  const engine = options.program && createScriptedEngine(options.program);
  const tools: SessionTools = {
    files,
    policy: createPolicy(options.policy ?? {}),
    ...(options.approve && { approve: options.approve }),
    ...(options.runCommand && { runCommand: options.runCommand }),
    hostSkills: await snapshotMetaskills(store, {
      policy: options.plan?.policy ?? 'local',
      isForeign: ({ path }) => options.isForeign?.(baseName(path)) ?? false,
      book: options.book ?? { isTrusted: () => Promise.resolve(false) },
    }),
    engine: () => Promise.resolve(engine),
    ...(options.watchRuns && { watchRuns: options.watchRuns }),
    platform: 'test',
  };
  const session: Session = options.events
    ? reopenSession(deps, tools, store)
    : startSession(
        {
          workspaceName: 'desk',
          workspace,
          padding: 'off',
          ...options.plan,
          settings: { provider: 'anthropic', thinking: { mode: 'off' }, ...options.settings },
        },
        deps,
        tools,
      );
  const eventsOf = <T extends EventType>(type: T): EventOf<T>[] =>
    journal.events.filter((event): event is LatheEvent & EventOf<T> => event.type === type);
  return { session, deps, journal, provider, clock, tree, files, store, log: lines, news, eventsOf, shadow, workspace };
};

export const typesOf = (events: readonly LatheEvent[]): string[] => events.map(({ type }) => type);
