/** One import at a time, and the executors that are there. A view shows the state; everything else goes through the actions. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { errorMessage } from '../../base/errors.ts';
import { joinPath } from '../../base/paths.ts';
import type { LeftOut } from '../../model/files/write-rules.ts';
import type { AuditEntry } from '../../model/executor/audit.ts';
import { EXECUTORS_FOLDER } from '../../model/executor/folders.ts';
import { readInstalledSkills } from '../../model/executor/installed-skills.ts';
import { alarmKey, type ImportDeps, type ImportReport, type Stage } from '../../model/importer/import-report.ts';
import { importSkill, toCatalog } from '../../model/importer/import-skill.ts';
import type { InstalledSkill } from '../../model/importer/identity.ts';
import type { CatalogEntry, Override } from '../../model/importer/types.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import type { TrustedKey, VerifySignature } from '../../model/signing/types.ts';
import { readInstalled, readText, revive, type InstalledExecutor } from './installed.ts';

export interface ImportSource {
  readonly name: string;
  readonly from: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly leftOut?: readonly LeftOut[];
  /** Such as the date of the cache, or the rate limit. */
  readonly note?: string;
}

export type SourceAnswer =
  | { readonly ok: true; readonly source: ImportSource }
  | { readonly ok: false; readonly message: string; readonly choices?: readonly string[] };

export interface ImportStoreDeps extends Partial<Pick<ImportDeps, 'smoke' | 'scan'>> {
  /** The model that is chosen now; nothing while that is the simulator. */
  readonly model?: () => ImportDeps['model'];
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
  /** Lets the page draw between two stages. */
  readonly pause?: () => Promise<void>;
  /** Who lets an alarm through. */
  readonly person: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
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
  /** Lines of the audit that are not entries. */
  readonly unreadable: number;
}

export interface ImportStore extends Pick<StoreApi<ImportState>, 'getState' | 'getInitialState' | 'subscribe'> {
  readonly fromAddress: (address: string, path?: string) => Promise<void>;
  readonly fromFile: (bytes: Uint8Array, name: string) => Promise<void>;
  readonly fromFolder: () => Promise<void>;
  readonly fromDemo: () => Promise<void>;
  /** A person's say; the line runs again immediately. */
  readonly override: (change: Override) => Promise<void>;
  readonly clearOverrides: () => Promise<void>;
  /** Past the alarms that are shown now; it is recorded. */
  readonly authorise: () => Promise<void>;
  /** Yes to the question that is shown: another skill with this name is replaced. */
  readonly replace: () => Promise<void>;
  /** The skill as it is, where nothing of it became an executor. */
  readonly installPlain: () => Promise<void>;
  readonly refresh: () => Promise<void>;
  readonly remove: (skill: string) => Promise<void>;
  /** An executor that stepped back starts again. */
  readonly revive: (name: string) => Promise<void>;
  readonly canPickFolder: boolean;
}

const PLAIN_FOLDER = '.agents/skills';
const PLAIN_MARK = '.lathe-import/manifest.toml';
const IMPORTS = '.lathe/executors/imports.jsonl';

const encoder = new TextEncoder();

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
  unreadable: 0,
};

const catalogOf = (installed: readonly InstalledExecutor[]): readonly CatalogEntry[] =>
  installed.flatMap(({ executor }) => (executor.state === 'ready' ? toCatalog([executor], executor.skill) : []));

export const createImportStore = (deps: ImportStoreDeps): ImportStore => {
  const store = createStore<ImportState>(() => IDLE);
  const { getState, setState } = store;
  const isoNow = (): string => new Date(deps.now()).toISOString().replace(/\.\d{3}Z$/, 'Z');

  let last: Promise<unknown> = Promise.resolve();
  /** What reads or writes the folder waits for what came before: two at the same time would take each other's files away. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  };

  const refresh = async (): Promise<void> => {
    const tree = deps.tree();
    if (!tree) {
      setState({ installed: [], audit: [], unreadable: 0 });
      return;
    }
    const { installed, audit, unreadable } = await readInstalled(
      { tree, trusted: await deps.trusted(), verify: deps.verify },
      deps.now(),
    );
    setState({ installed, audit, unreadable });
  };

  /** What had the name is gone, of either kind and in any letters' case: the new one is all there is of it. */
  const clearName = async (tree: FileTree, skill: string): Promise<void> => {
    for (const root of [EXECUTORS_FOLDER, PLAIN_FOLDER])
      for (const { name, kind } of (await tree.list(root)) ?? []) {
        if (kind !== 'folder' || name.toLowerCase() !== skill.toLowerCase()) continue;
        const folder = joinPath(root, name);
        if (root === EXECUTORS_FOLDER || (await tree.size(joinPath(folder, PLAIN_MARK))) !== undefined)
          await tree.remove(folder);
      }
  };

  const record = async (tree: FileTree, report: ImportReport): Promise<void> => {
    const before = await readText(tree, IMPORTS);
    await tree.write(IMPORTS, encoder.encode(`${before}${JSON.stringify(report.audit)}\n`));
  };

  const install = async (report: ImportReport): Promise<void> => {
    const tree = deps.tree();
    if (!tree) {
      setState({ problem: 'Open a folder and import again. Lathe saves executors in the open folder.' });
      return;
    }
    await record(tree, report);
    if (report.kind !== 'executors' && report.kind !== 'plain') return;
    const folder = joinPath(report.kind === 'plain' ? PLAIN_FOLDER : EXECUTORS_FOLDER, report.skill);
    // A skill that somebody wrote here is not overwritten by one from outside.
    const isForeign = (await tree.size(joinPath(folder, PLAIN_MARK))) !== undefined;
    if (report.kind === 'plain' && !isForeign && (await tree.list(folder)) !== undefined) {
      setState({ problem: `${folder} already has a skill that wasn’t imported. Rename or remove it first.` });
      return;
    }
    await clearName(tree, report.skill);
    for (const [path, content] of report.files) await tree.write(joinPath(folder, path), content);
    setState({ installedAt: folder });
    await deps.onInstalled({ kind: report.kind, path: folder, from: report.audit.from });
    await refresh();
  };

  let latest = 0;
  /** Executors and plain skills with this name: neither is taken over without a yes. */
  const installedAs = async (skill: string): Promise<readonly InstalledSkill[]> => {
    const tree = deps.tree();
    if (!tree) return [];
    const load = { tree, trusted: await deps.trusted(), verify: deps.verify };
    return [
      ...(await readInstalledSkills(load, EXECUTORS_FOLDER, skill)),
      ...(await readInstalledSkills(load, PLAIN_FOLDER, skill, 'imported')),
    ];
  };

  const run = async (
    source: ImportSource,
    { isAuthorised = false, isAgreed = false, isPlain = false } = {},
  ): Promise<void> => {
    const own = ++latest;
    const alarms = getState().report?.scan.alarms.map(alarmKey) ?? [];
    const { overrides } = getState();
    const question = isAgreed ? getState().report?.takeover?.key : undefined;
    const model = deps.model?.();
    // What is being looked at stays in view while it is checked again; a decision that was made is gone.
    setState(({ report }) => ({
      phase: 'running',
      stages: [],
      report: isAuthorised || isAgreed ? undefined : report,
      problem: undefined,
      installedAt: undefined,
    }));
    const report = await importSkill(
      {
        now: isoNow,
        signer: await deps.signer(),
        // A folder that is half written belongs to nobody yet.
        installed: (skill) => inTurn(() => installedAs(skill)),
        onStage: async (stage) => {
          if (own === latest) setState(({ stages }) => ({ stages: [...stages, stage] }));
          await deps.pause?.();
        },
        ...(deps.smoke && { smoke: deps.smoke }),
        ...(deps.scan && { scan: deps.scan }),
        ...(model && { model }),
      },
      {
        ...source,
        overrides,
        catalog: catalogOf(getState().installed),
        ...(isAuthorised && { authorisation: { by: deps.person(), at: isoNow(), alarms } }),
        ...(isPlain && { asPlain: true }),
        ...(question !== undefined && { replacement: { by: deps.person(), at: isoNow(), key: question } }),
      },
    );
    // Another change came in meanwhile; its run tells the end.
    if (own !== latest) return;
    setState({ phase: 'done', report, problem: report.problem });
    await inTurn(() => install(report));
  };

  /** Whatever goes wrong is said where it happened. */
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (thrown) {
      setState({ phase: 'done', problem: errorMessage(thrown) });
    }
  };

  const start = (get: () => Promise<SourceAnswer | undefined>): Promise<void> =>
    guarded(async () => {
      setState(({ installed, audit, unreadable }) => ({ ...IDLE, installed, audit, unreadable, phase: 'fetching' }));
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
      // Another tab or the terminal may have written there: whose a name is comes from the folder.
      await inTurn(refresh);
      await run(answer.source);
    });

  const again = (
    said: { readonly isAuthorised?: boolean; readonly isAgreed?: boolean; readonly isPlain?: boolean } = {},
  ): Promise<void> => {
    const { source } = getState();
    return source ? guarded(() => run(source, said)) : Promise.resolve();
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
    authorise: () => again({ isAuthorised: true }),
    replace: () => {
      const { report } = getState();
      // A yes to alarms that came before the question still holds.
      return report?.takeover
        ? again({ isAgreed: true, isAuthorised: report.audit.authorisation !== null })
        : Promise.resolve();
    },
    installPlain: () => again({ isPlain: true, isAuthorised: getState().report?.audit.authorisation !== null }),
    refresh: () => guarded(() => inTurn(refresh)),
    remove: (skill) =>
      guarded(() =>
        inTurn(async () => {
          await deps.tree()?.remove(joinPath(EXECUTORS_FOLDER, skill));
          await refresh();
        }),
      ),
    revive: (name) =>
      guarded(() =>
        inTurn(async () => {
          const tree = deps.tree();
          if (!tree) return;
          await revive(tree, name, deps.now());
          await refresh();
        }),
      ),
    canPickFolder: deps.pickFolder !== undefined,
  };
};
