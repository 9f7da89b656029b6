/** Small things that are remembered between visits and are not a secret: connections, and what was allowed permanently. */
import { createEmitter } from '../../base/emitter.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { WIRES, type ProviderId } from '../../model/provider/types.ts';
import type { ApprovalRule } from '../../model/tool/policy.ts';
import { z } from '../../model/zod.ts';
import type { Settings } from '../store/settings.ts';

const connectionSchema = z.object({
  baseUrl: z.string().exactOptional(),
  /** Of a compatible server. */
  wire: z.enum(WIRES).exactOptional(),
});
export type Connection = Readonly<z.infer<typeof connectionSchema>>;

const connectionsSchema = z.object({ version: z.literal(1), connections: z.record(z.string(), connectionSchema) });
const rulesSchema = z.object({ version: z.literal(1), keys: z.array(z.string()) });

const CONNECTIONS = 'connections';
const APPROVALS = 'approvals';

interface Deps {
  readonly settings: Settings;
  readonly log: Log;
}

/** What was kept, or nothing if this version cannot read it. */
const readKept = async <T>(deps: Deps, key: string, schema: z.ZodType<T>): Promise<T | undefined> => {
  const value = await deps.settings.get(key);
  if (value === undefined) return undefined;
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  deps.log({
    level: 'warning',
    code: 'runtime.unreadable',
    text: `the value saved as ${key} can’t be read. Lathe ignores it.`,
  });
  return undefined;
};

/** Memory counts immediately; a write that fails is reported and tried again with the next change. */
const keeper =
  ({ settings, log }: Deps, key: string) =>
  (value: unknown): void => {
    settings.set(key, value).catch((thrown: unknown) => {
      const why = errorMessage(thrown);
      log({ level: 'error', code: 'runtime.not_kept', text: `${key} couldn’t be saved for the next visit: ${why}` });
    });
  };

export interface Connections {
  readonly get: (provider: ProviderId) => Connection;
  /** An empty base URL is the provider's own. */
  readonly set: (provider: ProviderId, connection: Connection) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

const NONE: Connection = {};

export const openConnections = async (deps: Deps): Promise<Connections> => {
  const kept = await readKept(deps, CONNECTIONS, connectionsSchema);
  let connections: Readonly<Record<string, Connection>> = kept?.connections ?? {};
  const changes = createEmitter<undefined>();
  const keep = keeper(deps, CONNECTIONS);
  return {
    get: (provider) => connections[provider] ?? NONE,
    set: (provider, { baseUrl, wire }) => {
      const connection: Connection = {
        ...(baseUrl !== undefined && baseUrl.trim() !== '' && { baseUrl: baseUrl.trim() }),
        ...(wire && { wire }),
      };
      connections = { ...connections, [provider]: connection };
      keep({ version: 1, connections });
      changes.emit(undefined);
    },
    subscribe: (listener) => {
      const subscription = changes.subscribe(listener);
      return () => subscription[Symbol.dispose]();
    },
  };
};

export interface ApprovalBook {
  readonly rules: () => readonly ApprovalRule[];
  /** Only what holds always is kept. */
  readonly remember: (rule: ApprovalRule) => void;
  readonly forget: (key: string) => void;
}

export const openApprovalBook = async (deps: Deps): Promise<ApprovalBook> => {
  const kept = await readKept(deps, APPROVALS, rulesSchema);
  const keys = new Set(kept?.keys);
  const keep = keeper(deps, APPROVALS);
  const changed = (): void => keep({ version: 1, keys: [...keys].toSorted() });
  return {
    rules: () => [...keys].map((key) => ({ key, scope: 'always' })),
    remember: ({ key, scope }) => {
      if (scope !== 'always') return;
      keys.add(key);
      changed();
    },
    forget: (key) => {
      if (keys.delete(key)) changed();
    },
  };
};
