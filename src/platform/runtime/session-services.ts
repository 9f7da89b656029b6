/** Everything that sessions of the page need from outside, composed once. Loaded with the first message. */
import type { Log } from '../../base/log.ts';
import type { SessionSettings } from '../../model/event/catalog.ts';
import { scopeOf } from '../../model/provider/keys.ts';
import type {
  CallOptions,
  CallResult,
  ModelListing,
  ProviderClient,
  ProviderError,
  ProviderId,
  Tokenizer,
  WireRequest,
} from '../../model/provider/types.ts';
import { createShadow, type Shadow } from '../../model/session/shadow.ts';
import { createSimulator } from '../../model/simulator/simulator.ts';
import type { SimNoise } from '../../model/simulator/behaviour/noise.ts';
import type { Simulator } from '../../model/simulator/types.ts';
import type { StarlarkEngine } from '../../model/starlark/engine.ts';
import type { After } from '../../model/tool/call-clock.ts';
import type { ApprovalRule } from '../../model/tool/policy.ts';
import { after } from '../delay.ts';
import { createProvider } from '../provider/create-provider.ts';
import type { HostLog } from '../provider/host-log.ts';
import { createSimulatedFetch } from '../provider/simulated-fetch.ts';
import { createSessions, type Sessions } from '../store/sessions.ts';
import { createSettings } from '../store/settings.ts';
import type { Storage } from '../store/storage.ts';
import { createVault, type Vault } from '../store/vault.ts';
import { evalClients, type EvalClients } from './eval-clients.ts';
import { createKeyRing, type KeyRing } from './key-ring.ts';
import { openApprovalBook, openConnections, type ApprovalBook, type Connections } from './remembered.ts';

export interface SessionServicesDeps {
  readonly storage: Storage;
  readonly crypto: Crypto;
  readonly tokenizer: Tokenizer;
  /** Nothing where it cannot be loaded. */
  readonly engine: () => Promise<StarlarkEngine | undefined>;
  readonly fetch: typeof fetch;
  readonly pageOrigin: { readonly protocol: string; readonly host: string };
  readonly hosts: HostLog;
  readonly log: Log;
  /** Real time, in ms since 1970. */
  readonly now: () => number;
  readonly random: () => number;
  /** Of the simulator's streams: 1 as it says, 0 without waiting. */
  readonly speed?: number;
  /** A write to the database failed; it is tried again with the next one. */
  readonly onStorageError: (thrown: unknown) => void;
}

/** What sessions of a page share. Made when the first one starts. */
export interface SessionRuntime {
  readonly client: (settings: SessionSettings) => ProviderClient;
  /** Tells apart keys and workspaces, never the key itself. */
  readonly scope: (settings: SessionSettings) => string;
  readonly simulator: Simulator;
  readonly shadow: Shadow;
  readonly engine: () => Promise<StarlarkEngine | undefined>;
  readonly sessions: Sessions;
  /** Real time, in ms since 1970. */
  readonly now: () => number;
  readonly random: () => number;
  readonly after: After;
  /** Remembered approvals, and where a new one goes. */
  readonly approvalRules: () => readonly ApprovalRule[];
  readonly rememberApproval: (rule: ApprovalRule) => void;
  readonly log: Log;
  readonly platform: string;
}

export interface SessionServices {
  readonly runtime: SessionRuntime;
  readonly keys: KeyRing;
  /** The one behind `keys`; credentials of executors lie in it too. */
  readonly vault: Vault;
  readonly connections: Connections;
  readonly approvals: ApprovalBook;
  readonly models: (
    provider: ProviderId,
    signal?: AbortSignal,
  ) => Promise<
    | { readonly ok: true; readonly models: readonly ModelListing[] }
    | { readonly ok: false; readonly error: ProviderError }
  >;
  /** Sends a body as it is; part of no session. */
  readonly sendBody: (provider: ProviderId, body: WireRequest['body'], options: CallOptions) => Promise<CallResult>;
  /** For runs of suites, with draws of the simulator's noise. */
  readonly evalClients: (provider: ProviderId, noise: SimNoise | undefined) => EvalClients;
  /** The next answers of the simulator fail like that (`x-lathe-fault`); nothing: none do. */
  readonly orderFaults: (fault: string | undefined, times: number) => void;
}

interface Order {
  readonly fault: string;
  left: number;
}

/** A `fetch` that adds the ordered fault to requests to a model. */
const withFaults =
  (inner: typeof fetch, take: () => string | undefined): typeof fetch =>
  (input, init) => {
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
    const fault = method === 'POST' ? take() : undefined;
    if (fault === undefined) return inner(input, init);
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    headers.set('x-lathe-fault', fault);
    return inner(input, { ...init, headers });
  };

export const createSessionServices = async (deps: SessionServicesDeps): Promise<SessionServices> => {
  const { storage, log, now, hosts } = deps;
  const remembered = { settings: createSettings(storage), log };
  const vault = createVault({ storage, crypto: deps.crypto });
  const [keys, connections, approvals] = await Promise.all([
    createKeyRing(vault),
    openConnections(remembered),
    openApprovalBook(remembered),
  ]);

  const simulator = createSimulator({ tokenizer: deps.tokenizer, clock: { now }, log });
  let order: Order | undefined;
  const takeFault = (): string | undefined => {
    if (!order || order.left <= 0) return undefined;
    order.left--;
    return order.fault;
  };
  const simulated = withFaults(createSimulatedFetch(simulator, { speed: deps.speed ?? 1 }), takeFault);

  const clients = new Map<ProviderId, { readonly key: string; readonly client: ProviderClient }>();
  const providerSettings = (provider: ProviderId) => {
    const { baseUrl, wire } = provider === 'simulator' ? {} : connections.get(provider);
    return {
      provider,
      apiKey: keys.get(provider),
      fetch: deps.fetch,
      now,
      isBrowser: true,
      pageOrigin: deps.pageOrigin,
      hosts,
      log,
      random: deps.random,
      ...(baseUrl !== undefined && { baseUrl }),
      ...(wire && { wire }),
    };
  };
  const clientOf = (provider: ProviderId): ProviderClient => {
    const apiKey = keys.get(provider);
    const { baseUrl, wire } = provider === 'simulator' ? {} : connections.get(provider);
    const key = JSON.stringify([apiKey, baseUrl, wire]);
    const known = clients.get(provider);
    if (known?.key === key) return known.client;
    const isSimulated = provider === 'simulator';
    const settings = providerSettings(provider);
    const client = createProvider(isSimulated ? { ...settings, fetch: simulated, now: simulator.now } : settings);
    clients.set(provider, { key, client });
    return client;
  };

  const sessions = createSessions({
    storage,
    now,
    setTimer: (work, ms) => setTimeout(work, ms),
    clearTimer: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
    onError: deps.onStorageError,
  });

  return {
    keys,
    vault,
    connections,
    approvals,
    runtime: {
      client: ({ provider }) => clientOf(provider),
      scope: ({ provider }) => scopeOf(keys.get(provider), connections.get(provider).baseUrl),
      simulator,
      shadow: createShadow({ tokenizer: deps.tokenizer, log }),
      engine: deps.engine,
      sessions,
      now,
      random: deps.random,
      after,
      approvalRules: approvals.rules,
      rememberApproval: approvals.remember,
      log,
      platform: 'web',
    },
    models: (provider, signal) => clientOf(provider).models(signal),
    sendBody: async (provider, body, options) => {
      const { sendBody } = clientOf(provider);
      if (!sendBody) throw new Error('this provider cannot send a body as it is');
      return sendBody(body, options);
    },
    evalClients: (provider, noise) =>
      evalClients(providerSettings(provider), { tokenizer: deps.tokenizer, log, ...(noise && { noise }) }),
    orderFaults: (fault, times) => {
      order = fault === undefined ? undefined : { fault, left: times };
    },
  };
};
