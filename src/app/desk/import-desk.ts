/** Imports and executors of the page: made at the first import, or when a folder with executors starts a session. */
import { errorMessage } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { createCredentialForms, type CredentialForms } from '../../features/import/credential-forms.ts';
import { createImportNeeds } from '../../features/import/import-needs.ts';
import { createImportStore, type ImportStore } from '../../features/import/import-store.ts';
import { createRoutingStore, type RoutingDeps, type RoutingStore } from '../../features/import/routing-store.ts';
import { sessionExecutors } from '../../features/import/session-executors.ts';
import { createJudge } from '../../model/executor/provider-judge.ts';
import { createImportModel, createPick } from '../../model/importer/provider-model.ts';
import { MAIN_THREAD } from '../../model/session/state.ts';
import type { Tool } from '../../model/tool/types.ts';
import { createHandleTree } from '../../platform/fs/handle-tree.ts';
import { createPause } from '../../platform/fs/pause.ts';
import { chooseFolderFiles } from '../../platform/fs/choose-files.ts';
import { canPickFolders, pickFolder } from '../../platform/fs/pick-folder.ts';
import { treeFromFileList } from '../../platform/fs/upload-tree.ts';
import { createCountedFetch } from '../../platform/importer/counted-fetch.ts';
import { createVerify } from '../../platform/importer/ed25519.ts';
import { createSandboxPython } from '../../platform/importer/sandbox-python.ts';
import type { SigningKeys } from '../../platform/importer/signing-keys.ts';
import { createMemoryCache, createTreeCache, type SourceCache } from '../../platform/importer/source-cache.ts';
import { createVaultCredentials } from '../../platform/importer/vault-credentials.ts';
import type { HostLog } from '../../platform/provider/host-log.ts';
import type { SessionServices } from '../../platform/runtime/session-services.ts';
import { createBrowserSandbox } from '../../platform/sandbox/browser-sandbox.ts';
import type { Settings } from '../../platform/store/settings.ts';
import type { Apart } from '../../platform/worker/apart.ts';
import type { FolderStore } from '../../stores/folder-types.ts';
import type { SessionStore } from '../../stores/session-types.ts';
import { IMPORT_CACHE } from './kept-copies.ts';

export interface ImportDeskDeps {
  readonly services: SessionServices;
  readonly settings: Settings;
  readonly folder: FolderStore;
  readonly sessions: SessionStore;
  readonly hosts: HostLog;
  readonly log: Log;
  /** Where the page lies: `demo-import/`, `sandbox.html` and `pyodide/` are beside it. */
  readonly base: URL;
  readonly scan: Apart['scan'];
  readonly skills: RoutingDeps['skills'];
  readonly tell: (message: string) => void;
  /** Something was written into the folder. */
  readonly onWritten: () => void;
}

export interface ImportDesk {
  readonly store: ImportStore;
  readonly routing: RoutingStore;
  readonly keys: SigningKeys;
  readonly forms: CredentialForms;
  /** The tools that a session in the open folder starts with. */
  readonly tools: (log: Log) => Promise<readonly Tool[]>;
}

/** Beside the private workspaces; where the browser has no such place, the cache lasts as long as the page. */
const openCache = async (log: Log, now: () => number): Promise<SourceCache> => {
  try {
    const top = await navigator.storage.getDirectory();
    return createTreeCache(createHandleTree(await top.getDirectoryHandle(IMPORT_CACHE, { create: true })), now);
  } catch (thrown) {
    const why = errorMessage(thrown);
    log({
      level: 'warning',
      code: 'import.no_cache',
      text: `Can’t cache imported skills: ${why}`,
    });
    return createMemoryCache(now);
  }
};

/** What the person wrote last. */
const intentOf = (sessions: SessionStore): string => {
  const messages = sessions.state()?.threads.get(MAIN_THREAD)?.messages ?? [];
  for (const { role, content } of messages.toReversed()) {
    const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    if (role === 'user' && texts.length > 0) return texts.join('\n');
  }
  return '';
};

export const openImportDesk = async (deps: ImportDeskDeps): Promise<ImportDesk> => {
  const { services, folder, sessions, log, base } = deps;
  const { vault, keys: ring, runtime } = services;
  const now = (): number => Date.now();
  const python = createSandboxPython((files) => createBrowserSandbox({ files, base, document }));
  const credentials = createVaultCredentials({ vault, now });
  const forms = createCredentialForms({ keys: ring, credentials });

  const chosen = () => {
    const settings = sessions.state()?.settings ?? sessions.getState().next.settings;
    return { client: runtime.client(settings), model: settings.model, isReal: settings.provider !== 'simulator' };
  };
  // A request to a provider ends by its own time limits.
  const { signal } = new AbortController();

  const needs = createImportNeeds({
    fetch: createCountedFetch({
      fetch: (input, init) => fetch(input, init),
      hosts: deps.hosts,
      now,
      ownHost: location.host,
    }),
    crypto,
    settings: deps.settings,
    vault,
    cache: await openCache(log, now),
    tree: folder.tree,
    demoUrl: new URL('demo-import/', base),
    pickTree: async () => {
      if (!canPickFolders(window)) {
        const files = await chooseFolderFiles();
        return files.length === 0 ? undefined : treeFromFileList(files);
      }
      const picked = await pickFolder(window, { id: 'lathe-import' });
      if (picked.ok) return createHandleTree(picked.value);
      if (picked.error.code !== 'cancelled') deps.tell(picked.error.message);
      return undefined;
    },
    python: python.run,
    scan: deps.scan,
    model: () => {
      const { client, model, isReal } = chosen();
      return isReal ? createImportModel({ client, model, signal }) : undefined;
    },
    onInstalled: async ({ path, from }) => {
      await folder.noteOrigin(path, 'import', from);
      deps.onWritten();
    },
    pause: createPause(),
    now,
  });
  const store = createImportStore(needs.deps);
  folder.subscribe((state, before) => {
    if (state.current !== before.current) void store.refresh();
  });

  const routing = createRoutingStore({
    tree: folder.tree,
    skills: deps.skills,
    pick: async () => {
      const { planned } = await sessions.preview();
      const { client, model } = chosen();
      const stable = planned.prompt.segments.map(({ text }) => text).join('');
      return createPick({ client, model, stable, tools: planned.tools });
    },
  });

  const judge = async (call: {
    readonly name: string;
    readonly argKeys: readonly string[];
    readonly intent: string;
  }) => {
    const { client, model, isReal } = chosen();
    return isReal ? createJudge({ client, model, signal })(call) : undefined;
  };

  return {
    store,
    routing,
    keys: needs.keys,
    forms,
    tools: async (sessionLog) => {
      const tree = folder.tree();
      if (!tree) return [];
      return sessionExecutors(tree, {
        run: python.run,
        credentials,
        askInputs: forms.askInputs,
        judge,
        now,
        intent: () => intentOf(sessions),
        trusted: needs.keys.trusted,
        verify: createVerify(crypto.subtle),
        log: sessionLog,
        onAudit: () => void store.refresh(),
        onProblem: deps.tell,
      });
    },
  };
};
