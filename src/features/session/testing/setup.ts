/** The session panel over a folder in memory and the simulator, as the page composes it. */
import { collectLog } from '../../../base/log.ts';
import { baseName } from '../../../base/paths.ts';
import { createPendingTree } from '../../../model/tool/pending-tree.ts';
import type { CommandRunner } from '../../../model/tool/dispatcher.ts';
import type { StarlarkEngine } from '../../../model/starlark/engine.ts';
import { createMemoryTabGuard } from '../../../platform/fs/memory-tab-guard.ts';
import { createMemoryTree } from '../../../platform/fs/memory-tree.ts';
import { createHostLog } from '../../../platform/provider/host-log.ts';
import { createMemoryProvider, type MemoryScript } from '../../../platform/provider/memory-provider.ts';
import { createNextFrame } from '../../../platform/runtime/next-frame.ts';
import { createSessionServices } from '../../../platform/runtime/session-services.ts';
import { createMemoryStorage } from '../../../platform/store/memory-store.ts';
import { createConsents } from '../../../platform/store/trust.ts';
import type { Storage } from '../../../platform/store/storage.ts';
import { createMemoryTokenizer } from '../../../platform/tokenizer/memory-tokenizer.ts';
import { createConsentStore } from '../../../stores/consent-store.ts';
import { createSessionStore } from '../../../stores/session-store.ts';
import { EXAMPLES } from '../../../model/session-view/examples.ts';
import type { SessionNeeds } from '../needs.ts';
import { createSessionUi } from '../session-ui.ts';

export const skillFile = (name: string, body = `Body of ${name}.`): string =>
  `---\nname: ${name}\ndescription: Writes ${name} reports. Use when a ${name} report is asked for.\n---\n${body}\n`;

const DESK = { id: 'desk', name: 'desk', kind: 'private' } as const;

export interface PanelOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** Instead of the simulator. */
  readonly script?: MemoryScript;
  readonly runCommand?: CommandRunner;
  readonly engine?: StarlarkEngine;
  readonly storage?: Storage;
  readonly speed?: number;
  readonly isForeign?: (name: string) => boolean;
  readonly fetch?: typeof fetch;
}

export const setUpPanel = async (options: PanelOptions = {}) => {
  const { log, lines } = collectLog();
  const tree = createMemoryTree(
    options.files ?? {
      'AGENTS.md': 'Be brief.',
      'MEMORY.md': '# Memory\n',
      'skills/tide/SKILL.md': skillFile('tide'),
      'skills/wind/SKILL.md': skillFile('wind'),
    },
    'desk',
  );
  const pending = createPendingTree(tree);
  const database = options.storage ?? createMemoryStorage();
  const services = await createSessionServices({
    storage: database,
    crypto: globalThis.crypto,
    tokenizer: createMemoryTokenizer(),
    engine: () => Promise.resolve(options.engine),
    fetch: options.fetch ?? (() => Promise.reject(new TypeError('Failed to fetch'))),
    pageOrigin: { protocol: 'https:', host: 'lathe.test' },
    hosts: createHostLog(),
    log,
    now: () => Date.now(),
    random: () => Math.random(),
    speed: options.speed ?? 0,
    onStorageError: (thrown) => {
      throw thrown;
    },
  });
  const consents = createConsentStore(createConsents({ storage: database, now: () => Date.now() }));
  const provider = options.script && createMemoryProvider(options.script, { now: () => Date.now(), id: 'simulator' });
  const store = createSessionStore({
    runtime: () => Promise.resolve({ ...services.runtime, ...(provider && { client: () => provider }) }),
    folder: () =>
      Promise.resolve({
        identity: DESK,
        library: { project: { tree: pending } },
        files: pending,
        profile: 'standard',
        isForeign: ({ path }) => options.isForeign?.(baseName(path)) ?? false,
        book: consents,
        ...(options.runCommand && { runCommand: options.runCommand }),
      }),
    folders: { current: () => DESK, isKnown: () => Promise.resolve(true), reopen: () => Promise.resolve() },
    guard: createMemoryTabGuard(),
    nextFrame: createNextFrame(),
  });
  const content = new Map<string, string>();
  const storage = {
    content,
    getItem: (key: string) => content.get(key) ?? null,
    setItem: (key: string, value: string) => void content.set(key, value),
  };
  const ui = createSessionUi({ storage, firstDraft: EXAMPLES[0].prompt });
  const copied: string[] = [];
  const downloads: { readonly name: string; readonly text: string }[] = [];
  const needs: SessionNeeds = {
    skills: () =>
      ['tide', 'wind', 'wave', 'rain'].map((name) => ({
        name,
        description: `Writes ${name} reports.`,
        tokens: 12,
        isPreloaded: false,
        isMetaskill: false,
      })),
    files: () => Promise.resolve([...tree.files.keys()]),
    pending: () => pending,
    services: () => Promise.resolve(services),
    copy: (text) => void copied.push(text),
    download: (name, text) => void downloads.push({ name, text }),
  };
  return { store, ui, needs, services, consents, pending, tree, lines, copied, downloads, storage, provider };
};
