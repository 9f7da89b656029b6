/** Sessions in a terminal: folders on disk, the simulator or a real provider, and a clock that a script can move. */
import { createRepeatedLooks, type Log, type RepeatedLook } from '../base/log.ts';
import { createUlid } from '../base/ulid.ts';
import type { SessionSettings } from '../model/event/catalog.ts';
import { createJournal, type Journal } from '../model/event/journal.ts';
import type { ProviderClient, ProviderId, Tokenizer, Wire } from '../model/provider/types.ts';
import { KEY_VARIABLES, scopeOf } from '../model/provider/keys.ts';
import type { StreamNews } from '../model/session/core.ts';
import { snapshotMetaskills } from '../model/session/host-skills.ts';
import { startSession, type Session } from '../model/session/session.ts';
import { createShadow, type Shadow } from '../model/session/shadow.ts';
import type { SessionSources } from '../model/session/start.ts';
import type { Scenario } from '../model/simulator/scenario.ts';
import { createSimulator } from '../model/simulator/simulator.ts';
import type { SimNoise } from '../model/simulator/behaviour/noise.ts';
import type { Simulator } from '../model/simulator/types.ts';
import type { FileTree } from '../model/files/file-tree.ts';
import type { LibraryInput } from '../model/library/load-library.ts';
import type { RuntimeProfile } from '../model/library/types.ts';
import { planIn, type NewSession, type PlannedFolder } from '../model/workspace/session-plan.ts';
import type { CommandRunner } from '../model/tool/dispatcher.ts';
import { createPendingTree, type PendingTree } from '../model/tool/pending-tree.ts';
import { createPolicy, type PolicyOptions } from '../model/tool/policy.ts';
import { after } from '../platform/delay.ts';
import { createProvider } from '../platform/provider/create-provider.ts';
import { createSimulatedFetch } from '../platform/provider/simulated-fetch.ts';
import { createNodeTokenizer } from '../platform/tokenizer/node-tokenizer.ts';
import type { EngineHost } from '../platform/worker/engine-host.ts';

export interface TerminalDeps {
  readonly engine: EngineHost | undefined;
  readonly log: Log;
  readonly scenario?: Scenario;
  /** Milliseconds since 1970, at which the simulator's time begins; it then pauses unless it is moved. */
  readonly startAt?: number;
  /** A clock that runs, for who wants to know how long something took; instead of `startAt`. */
  readonly clock?: () => number;
  readonly onNews?: (news: StreamNews) => void;
  readonly connection?: TerminalConnection;
  /** Of the simulator's picks. */
  readonly noise?: SimNoise;
  /** Of one call; for who waits and tries again by themselves, none. */
  readonly maxRetries?: number;
}

/** Where one provider is reached, if not at its own address, and what it speaks there. */
export interface TerminalConnection {
  readonly provider: ProviderId;
  readonly baseUrl?: string;
  readonly wire?: Wire;
}

export interface DirectConnection {
  readonly apiKey: string;
  readonly baseUrl?: string;
  readonly fetch: typeof fetch;
}

/** What all sessions of one command share: the simulator, the clients, the shadow. */
export interface Terminal {
  readonly simulator: Simulator;
  readonly shadow: Shadow;
  readonly now: () => number;
  /** `draw`: a draw of the simulator's noise, for who wants the same one again. */
  readonly client: (settings: Pick<SessionSettings, 'provider'>, draw?: string) => ProviderClient;
  /** For an API that is not a session's. */
  readonly connection: (settings: Pick<SessionSettings, 'provider'>) => DirectConnection;
  /** Tells apart keys, never the key itself. */
  readonly scope: (settings: Pick<SessionSettings, 'provider'>) => string;
  readonly tokenizer: Tokenizer;
  /** Every session reads its folder again, and tells what the one before it did not. */
  readonly looks: (folder: string) => RepeatedLook;
  readonly deps: TerminalDeps;
}

/** Keys come only from the environment (D33). */
const keyFor = (provider: ProviderId): string => {
  const name = KEY_VARIABLES[provider];
  return name === undefined ? '' : (process.env[name] ?? '');
};

const drawing =
  (simulated: typeof fetch, draw: string | undefined): typeof fetch =>
  (input, init) => {
    if (draw === undefined) return simulated(input, init);
    const headers = new Headers(init?.headers);
    headers.set('x-lathe-draw', draw);
    return simulated(input, { ...init, headers });
  };

export const openTerminal = (deps: TerminalDeps): Terminal => {
  const tokenizer = createNodeTokenizer();
  const begin = deps.startAt ?? Date.now();
  const simulator = createSimulator({
    tokenizer,
    clock: { now: deps.clock ?? (() => begin) },
    ...(deps.scenario && { scenario: deps.scenario }),
    ...(deps.noise && { noise: deps.noise }),
  });
  const simulated = createSimulatedFetch(simulator, { speed: 0 });
  const clients = new Map<ProviderId, ProviderClient>();
  const connectionOf = (provider: ProviderId): Omit<TerminalConnection, 'provider'> =>
    deps.connection?.provider === provider ? deps.connection : {};
  const client: Terminal['client'] = ({ provider }, draw) => {
    const known = clients.get(provider);
    if (known && draw === undefined) return known;
    const isSimulated = provider === 'simulator';
    const { baseUrl, wire } = connectionOf(provider);
    const made = createProvider({
      provider,
      apiKey: keyFor(provider),
      fetch: isSimulated ? drawing(simulated, draw) : (input, init) => fetch(input, init),
      now: isSimulated ? simulator.now : Date.now,
      isBrowser: false,
      log: deps.log,
      ...(baseUrl !== undefined && { baseUrl }),
      ...(wire && { wire }),
      ...(deps.maxRetries !== undefined && { maxRetries: deps.maxRetries }),
    });
    if (draw === undefined) clients.set(provider, made);
    return made;
  };
  const connection: Terminal['connection'] = ({ provider }) => {
    const { baseUrl } = connectionOf(provider);
    return {
      apiKey: keyFor(provider).trim(),
      fetch: provider === 'simulator' ? simulated : (input, init) => fetch(input, init),
      ...(baseUrl !== undefined && { baseUrl }),
    };
  };
  const shadow = createShadow({ tokenizer, log: deps.log });
  const scope = ({ provider }: Pick<SessionSettings, 'provider'>): string =>
    scopeOf(keyFor(provider), connectionOf(provider).baseUrl);
  const looks = createRepeatedLooks(deps.log);
  return { simulator, shadow, now: simulator.now, client, connection, scope, tokenizer, looks, deps };
};

export interface TerminalSession {
  readonly session: Session;
  readonly journal: Journal;
  readonly files: PendingTree;
  readonly workspace: SessionSources;
}

export interface OpenFolder {
  readonly tree: FileTree;
  readonly workingFolder: string;
  readonly others: Omit<LibraryInput, 'project'>;
  readonly profile: RuntimeProfile;
}

/** As `planIn` reads it. */
export const plannedIn = ({ tree, workingFolder, others, profile }: OpenFolder): PlannedFolder => ({
  name: tree.name,
  library: { ...others, project: { tree, workingFolder } },
  profile,
});

/** A folder alone, with nothing around it. */
export const folderAlone = (tree: FileTree, workingFolder = ''): OpenFolder => ({
  tree,
  workingFolder,
  others: {},
  profile: 'standard',
});

export interface SessionChoice {
  readonly next: NewSession;
  readonly title?: string;
  /** What earlier sessions over the folder wrote is there too, as in the page. Absent: nothing was written. */
  readonly files?: PendingTree;
  /** Runs every command; absent: none exist. */
  readonly runCommand?: CommandRunner;
  /** Runs commands over the session's own files; instead of `runCommand`. */
  readonly sandbox?: (files: PendingTree) => { readonly run: CommandRunner; readonly policy: PolicyOptions };
  readonly metaskillTimeoutSeconds?: number;
  readonly onPrint?: (text: string) => void;
}

/** A session over a folder. Nothing that it writes reaches the disk, and nobody is asked (D21). */
export const startTerminalSession = async (
  terminal: Terminal,
  folder: OpenFolder,
  choice: SessionChoice,
): Promise<TerminalSession> => {
  const { deps, simulator } = terminal;
  const files = choice.files ?? createPendingTree(folder.tree, { remove: folder.tree.remove });
  const { next } = choice;
  const look = terminal.looks(folder.tree.name);
  const plan = await planIn(plannedIn({ ...folder, tree: files }), next, look.log);
  look.end();
  const sandbox = choice.sandbox?.(files);
  const runCommand = sandbox?.run ?? choice.runCommand;
  const isSimulated = next.settings.provider === 'simulator';
  const now = isSimulated ? simulator.now : Date.now;
  const ulid = createUlid({ now, random: Math.random });
  const journal = createJournal({ sessionId: `sess_${ulid()}`, now, ulid, validation: 'lenient', log: deps.log });
  const session = startSession(
    { ...plan, ...(choice.title !== undefined && { title: choice.title }) },
    {
      journal,
      client: terminal.client,
      scope: terminal.scope,
      now,
      newId: ulid,
      after,
      shadow: terminal.shadow,
      log: deps.log,
      ...(deps.onNews && { onStream: deps.onNews }),
    },
    {
      files,
      policy: createPolicy(sandbox?.policy ?? { headless: true, ...(runCommand && { allowAll: true }) }),
      ...(runCommand && { runCommand }),
      ...(choice.metaskillTimeoutSeconds !== undefined && { metaskillTimeoutSeconds: choice.metaskillTimeoutSeconds }),
      ...(choice.onPrint && { onPrint: choice.onPrint }),
      hostSkills: await snapshotMetaskills(plan.workspace.library.store, {
        policy: next.policy,
        isForeign: () => false,
        book: { isTrusted: () => Promise.resolve(false) },
      }),
      engine: () => Promise.resolve(deps.engine),
      platform: process.platform,
    },
  );
  return { session, journal, files, workspace: plan.workspace };
};
