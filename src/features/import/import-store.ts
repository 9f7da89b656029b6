/** One import at a time, and the executors that are there. A view shows the state; everything else goes through the actions. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { ageOf, type AgeFacts } from '../../model/executor/ageing.ts';
import { AUDIT_FOLDER, readAudit, type AuditEntry } from '../../model/executor/audit.ts';
import { EXECUTORS_FOLDER, loadExecutors, type LoadedExecutor } from '../../model/executor/load-executors.ts';
import {
  alarmKey,
  importSkill,
  toCatalog,
  type ImportDeps,
  type ImportReport,
  type Stage,
} from '../../model/importer/import-skill.ts';
import {
  runRouting,
  type Pick as PickTool,
  type RoutingCase,
  type RoutingMatrix,
} from '../../model/importer/routing-run.ts';
import type { CatalogEntry, Override } from '../../model/importer/types.ts';
import { joinPath, type FileTree } from '../../model/library/file-tree.ts';
import type { TrustedKey, VerifySignature } from '../../model/signing/types.ts';
import { z } from '../../model/zod.ts';

export interface ImportSource {
  readonly name: string;
  readonly from: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Such as the date of the cache, or the rate limit. */
  readonly note?: string;
}

export type SourceAnswer =
  | { readonly ok: true; readonly source: ImportSource }
  | { readonly ok: false; readonly message: string; readonly choices?: readonly string[] };

export interface ImportStoreDeps extends Partial<Pick<ImportDeps, 'smoke' | 'model'>> {
  readonly fetch: (address: string, path: string | undefined) => Promise<SourceAnswer>;
  readonly readArchive: (bytes: Uint8Array, name: string) => Promise<SourceAnswer>;
  /** Lets a person pick a folder. Nothing: they did not. Absent where the browser cannot. */
  readonly pickFolder?: () => Promise<SourceAnswer | undefined>;
  readonly demo: () => Promise<SourceAnswer>;
  readonly signer: () => Promise<ImportDeps['signer']>;
  readonly trusted: () => Promise<readonly TrustedKey[]>;
  readonly verify: VerifySignature;
  /** The opened folder. */
  readonly tree: () => FileTree | undefined;
  readonly onInstalled: (what: {
    readonly kind: 'executors' | 'plain';
    readonly path: string;
    readonly from: string;
  }) => Promise<void>;
  /** Who lets an alarm through. */
  readonly person: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Asks the chosen provider, or the simulator. */
  readonly pick?: (executors: readonly LoadedExecutor[]) => PickTool;
}

export interface InstalledExecutor {
  readonly executor: LoadedExecutor;
  readonly age: AgeFacts | undefined;
}

export interface ImportState {
  readonly phase: 'idle' | 'fetching' | 'running' | 'done';
  readonly source: ImportSource | undefined;
  readonly stages: readonly Stage[];
  readonly report: ImportReport | undefined;
  readonly overrides: readonly Override[];
  readonly problem: string | undefined;
  readonly choices: readonly string[];
  /** That was given last. */
  readonly address: string;
  /** Where it was written. */
  readonly installedAt: string | undefined;
  readonly installed: readonly InstalledExecutor[];
  readonly audit: readonly AuditEntry[];
  readonly routing: { readonly matrix: RoutingMatrix | undefined; readonly isRunning: boolean };
}

export interface ImportStore extends Pick<StoreApi<ImportState>, 'getState' | 'getInitialState' | 'subscribe'> {
  readonly fromAddress: (address: string, path?: string) => Promise<void>;
  readonly fromFile: (bytes: Uint8Array, name: string) => Promise<void>;
  readonly fromFolder: () => Promise<void>;
  readonly fromDemo: () => Promise<void>;
  /** A person's say; the line runs again at once. */
  readonly override: (change: Override) => Promise<void>;
  readonly clearOverrides: () => Promise<void>;
  /** Past the alarms that are shown now; it is recorded. */
  readonly authorise: () => Promise<void>;
  readonly refresh: () => Promise<void>;
  readonly remove: (skill: string) => Promise<void>;
  /** An executor that stepped back starts anew. */
  readonly revive: (name: string) => Promise<void>;
  readonly route: (repeats: number, extra?: readonly RoutingCase[]) => Promise<void>;
  readonly stopRouting: () => void;
  readonly canPickFolder: boolean;
  readonly canRoute: boolean;
}

const PLAIN_FOLDER = '.agents/skills';
const REVIVED = '.lathe/executors/revived.json';
const IMPORTS = '.lathe/executors/imports.jsonl';
const revivedSchema = z.record(z.string(), z.number());

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const IDLE: ImportState = {
  phase: 'idle',
  source: undefined,
  stages: [],
  report: undefined,
  overrides: [],
  problem: undefined,
  choices: [],
  address: '',
  installedAt: undefined,
  installed: [],
  audit: [],
  routing: { matrix: undefined, isRunning: false },
};

const readText = async (tree: FileTree, path: string): Promise<string> => {
  const bytes = await tree.read(path);
  return bytes ? decoder.decode(bytes) : '';
};

const readRevived = async (tree: FileTree): Promise<Readonly<Record<string, number>>> => {
  const text = await readText(tree, REVIVED);
  if (text === '') return {};
  const parsed = revivedSchema.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : {};
};

const readAllAudit = async (tree: FileTree): Promise<readonly AuditEntry[]> => {
  const files = ((await tree.list(AUDIT_FOLDER)) ?? []).filter(
    ({ kind, name }) => kind === 'file' && name.endsWith('.jsonl'),
  );
  const texts = await Promise.all(files.map(({ name }) => readText(tree, joinPath(AUDIT_FOLDER, name))));
  return texts.flatMap((text) => readAudit(text).entries).toSorted((a, b) => b.ts - a.ts);
};

const catalogOf = (installed: readonly InstalledExecutor[]): readonly CatalogEntry[] =>
  installed.flatMap(({ executor }) =>
    executor.state === 'ready' ? toCatalog([executor.manifest], executor.skill) : [],
  );

export const createImportStore = (deps: ImportStoreDeps): ImportStore => {
  const store = createStore<ImportState>(() => IDLE);
  const { getState, setState } = store;
  let routing: AbortController | undefined;
  const isoNow = (): string => new Date(deps.now()).toISOString().replace(/\.\d{3}Z$/, 'Z');

  const refresh = async (): Promise<void> => {
    const tree = deps.tree();
    if (!tree) {
      setState({ installed: [], audit: [] });
      return;
    }
    const executors = await loadExecutors({ tree, trusted: await deps.trusted(), verify: deps.verify });
    const [entries, revived] = [await readAllAudit(tree), await readRevived(tree)];
    const installed = executors.map((executor): InstalledExecutor => {
      if (executor.state === 'disabled') return { executor, age: undefined };
      const importedAt = Date.parse(executor.manifest.provenance.imported_at) / 1000;
      const revivedAt = revived[executor.name];
      const age = ageOf({
        name: executor.name,
        importedAt,
        entries,
        now: deps.now() / 1000,
        ...(revivedAt !== undefined && { revivedAt }),
      });
      return { executor, age };
    });
    setState({ installed, audit: entries });
  };

  const write = async (tree: FileTree, folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> => {
    if ((await tree.list(folder)) !== undefined) await tree.remove(folder);
    for (const [path, content] of files) await tree.write(joinPath(folder, path), content);
  };

  const record = async (tree: FileTree, report: ImportReport): Promise<void> => {
    const before = await readText(tree, IMPORTS);
    await tree.write(IMPORTS, encoder.encode(`${before}${JSON.stringify(report.audit)}\n`));
  };

  const install = async (report: ImportReport): Promise<void> => {
    const tree = deps.tree();
    if (!tree) {
      setState({ problem: 'No folder is open. Open one, and import again: executors live in it.' });
      return;
    }
    await record(tree, report);
    if (report.kind !== 'executors' && report.kind !== 'plain') return;
    const folder = joinPath(report.kind === 'plain' ? PLAIN_FOLDER : EXECUTORS_FOLDER, report.skill);
    await write(tree, folder, report.files);
    setState({ installedAt: folder });
    await deps.onInstalled({ kind: report.kind, path: folder, from: report.audit.from });
    await refresh();
  };

  const run = async (source: ImportSource, isAuthorised = false): Promise<void> => {
    const alarms = getState().report?.scan.alarms.map(alarmKey) ?? [];
    const { overrides } = getState();
    setState({ phase: 'running', stages: [], report: undefined, problem: undefined, installedAt: undefined });
    const report = await importSkill(
      {
        now: isoNow,
        signer: await deps.signer(),
        onStage: (stage) => setState(({ stages }) => ({ stages: [...stages, stage] })),
        ...(deps.smoke && { smoke: deps.smoke }),
        ...(deps.model && { model: deps.model }),
      },
      {
        ...source,
        overrides,
        // What this very skill has installed before is about to be replaced.
        catalog: catalogOf(getState().installed).filter(({ skill }) => skill !== source.name),
        ...(isAuthorised && { authorisation: { by: deps.person(), at: isoNow(), alarms } }),
      },
    );
    setState({ phase: 'done', report, problem: report.problem });
    await install(report);
  };

  /** Whatever goes wrong is said where it happened. */
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (thrown) {
      setState({ phase: 'done', problem: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  };

  const start = (get: () => Promise<SourceAnswer | undefined>): Promise<void> =>
    guarded(async () => {
      setState(({ installed, audit }) => ({ ...IDLE, installed, audit, phase: 'fetching' }));
      const answer = await get();
      if (!answer) {
        setState({ phase: 'idle' });
        return;
      }
      if (!answer.ok) {
        setState({ phase: 'done', problem: answer.message, choices: answer.choices ?? [] });
        return;
      }
      setState({ source: answer.source });
      await run(answer.source);
    });

  const again = (isAuthorised = false): Promise<void> => {
    const { source } = getState();
    return source ? guarded(() => run(source, isAuthorised)) : Promise.resolve();
  };

  return {
    getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    fromAddress: (address, path) =>
      start(() => {
        setState({ address });
        return deps.fetch(address, path);
      }),
    fromFile: (bytes, name) => start(() => deps.readArchive(bytes, name)),
    fromFolder: () => start(() => deps.pickFolder?.() ?? Promise.resolve(undefined)),
    fromDemo: () => start(deps.demo),
    override: (change) => {
      const rest = getState().overrides.filter(
        ({ domain, action }) => domain !== change.domain || action !== change.action,
      );
      setState({ overrides: [...rest, change] });
      return again();
    },
    clearOverrides: () => {
      setState({ overrides: [] });
      return again();
    },
    authorise: () => again(true),
    refresh: () => guarded(refresh),
    remove: (skill) =>
      guarded(async () => {
        await deps.tree()?.remove(joinPath(EXECUTORS_FOLDER, skill));
        await refresh();
      }),
    revive: (name) =>
      guarded(async () => {
        const tree = deps.tree();
        if (!tree) return;
        const revived = { ...(await readRevived(tree)), [name]: Math.floor(deps.now() / 1000) };
        await tree.write(REVIVED, encoder.encode(`${JSON.stringify(revived, undefined, 2)}\n`));
        await refresh();
      }),
    route: (repeats, extra = []) =>
      guarded(async () => {
        const { installed, report } = getState();
        const ready = installed.map(({ executor }) => executor).filter(({ state }) => state === 'ready');
        if (!deps.pick) return;
        const own: RoutingCase[] = (report?.accepted ?? []).map(({ name, question }) => ({
          question,
          target: name,
          shouldPick: true,
        }));
        routing?.abort();
        routing = new AbortController();
        setState({ routing: { matrix: undefined, isRunning: true } });
        const rows: RoutingMatrix['rows'][number][] = [];
        const matrix = await runRouting([...own, ...extra], deps.pick(ready), {
          repeats,
          signal: routing.signal,
          onRow: (row) => {
            rows.push(row);
            setState({ routing: { matrix: { rows: [...rows], columns: [], repeats, passed: 0 }, isRunning: true } });
          },
        });
        setState({ routing: { matrix, isRunning: false } });
      }),
    stopRouting: () => routing?.abort(),
    canPickFolder: deps.pickFolder !== undefined,
    canRoute: deps.pick !== undefined,
  };
};
