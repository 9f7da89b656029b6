/** A browser in memory: no window, no network, no time that passes by itself. */
import type { FileTree } from '../../../model/files/file-tree.ts';
import { err } from '../../../base/result.ts';
import { createMemoryTabGuard } from '../../../platform/fs/memory-tab-guard.ts';
import { createMemoryTree } from '../../../platform/fs/memory-tree.ts';
import { createSessionServices } from '../../../platform/runtime/session-services.ts';
import { createMemoryStorage } from '../../../platform/store/memory-store.ts';
import { createMemoryTokenizer } from '../../../platform/tokenizer/memory-tokenizer.ts';
import { apartHere } from '../../../platform/worker/testing/apart-here.ts';
import type { Situation } from '../../commands/keyboard.ts';
import type { KeyPress } from '../../commands/keymap.ts';
import type { Outside } from '../../desk/outside.ts';
import type { Browser, DroppedItems, PageStorage } from '../browser.ts';

const skillText = (name: string): string =>
  `---\nname: ${name}\ndescription: "Does ${name}. Use when ${name} has to be done."\n---\n\n# ${name}\n\nDo it.\n`;

export const DEMO_FILES: Readonly<Record<string, string>> = {
  'skills/first/SKILL.md': skillText('first'),
  'skills/second/SKILL.md': skillText('second'),
  'skills/second/references/notes.md': 'Notes.\n',
  'AGENTS.md': 'Be kind.\n',
};

const createPageStorage = (): PageStorage & { readonly values: Map<string, string> } => {
  const values = new Map<string, string>();
  return {
    values,
    get length() {
      return values.size;
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
};

/** The desk's outside, in memory. */
const memoryOutside = (demo: FileTree): Outside => ({
  now: () => 1_700_000_000_000,
  newId: () => crypto.randomUUID(),
  timers: { setTimer: () => 0, clearTimer: () => {} },
  nextFrame: (callback) => callback(),
  // No idle moment comes: programs are looked at by tests of their own.
  whenIdle: () => new Promise(() => {}),
  whileInView: () => {},
  base: new URL('https://lathe.test/'),
  database: (log) => Promise.resolve(createMemoryStorage(log)),
  privates: () => Promise.resolve(undefined),
  leaving: undefined,
  guard: createMemoryTabGuard(),
  watch: (tree, onChange) => tree.watch?.(onChange) ?? { [Symbol.dispose]: () => {} },
  demo: () => Promise.resolve(demo),
  pick: () => Promise.resolve(err({ code: 'cancelled', message: 'No folder was chosen.' })),
  engine: () => {
    throw new Error('No engine here.');
  },
  tokenizer: createMemoryTokenizer(),
  apart: apartHere,
  services: (deps) =>
    createSessionServices({
      ...deps,
      crypto,
      fetch: () => Promise.reject(new Error('No network here.')),
      pageOrigin: { protocol: 'https:', host: 'lathe.test' },
      now: () => 1_700_000_000_000,
      random: () => 0.5,
      speed: 0,
    }),
  watchForFreezes: () => () => {},
  sandbox: () => Promise.reject(new Error('No sandbox here.')),
});

export interface MemoryBrowserOptions {
  /** Behind `#`, with it. */
  readonly hash?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly outside?: (made: Outside) => Promise<Outside>;
  readonly copy?: Browser['copy'];
  /** Unless this is false, as in Firefox and Safari, the browser opens folders in place. */
  readonly canPickFolders?: boolean;
  /** What the person chooses. */
  readonly choose?: Browser['choose'];
}

export const createMemoryBrowser = (options: MemoryBrowserOptions = {}) => {
  const { hash = '', files = DEMO_FILES } = options;
  const past = [hash];
  let moved = (): void => {};
  let press: (press: KeyPress, situation: Situation) => boolean = () => false;
  let drop: (items: DroppedItems) => void = () => {};
  const done: string[] = [];
  const timers = new Set<() => void>();
  const storage = createPageStorage();
  const made = memoryOutside(createMemoryTree(files, 'demo'));
  const browser: Browser = {
    platform: 'other',
    storage,
    address: {
      page: () => 'https://lathe.test/',
      hash: () => past.at(-1) ?? '',
      push: (next) => void past.push(next),
      replace: (next) => void past.splice(-1, 1, next),
      onMove: (listener) => {
        moved = listener;
      },
      reload: () => void done.push('reload'),
    },
    focus: {
      whenFree: (region) => void done.push(`focus ${region} when free`),
      region: (name) => void done.push(`focus ${name}`),
      nextRegion: (direction) => void done.push(`region ${direction}`),
      composer: () => void done.push('focus composer'),
    },
    showTheme: (theme) => void done.push(`theme ${theme ?? 'system'}`),
    showDensity: () => {},
    moreContrast: { matches: false, addEventListener: () => {} },
    now: () => 1_700_000_000_000,
    nextFrame: (callback) => callback(),
    after: (_ms, work) => {
      timers.add(work);
      return () => timers.delete(work);
    },
    copy: options.copy ?? ((text) => Promise.resolve(void done.push(`copy ${text}`))),
    download: (name) => void done.push(`download ${name}`),
    canPickFolders: options.canPickFolders ?? true,
    choose: options.choose ?? (() => Promise.resolve([])),
    estimate: () => Promise.resolve({}),
    onKey: (listener) => {
      press = listener;
    },
    onDrop: (listener) => {
      drop = listener;
    },
    outside: () => (options.outside ? options.outside(made) : Promise.resolve(made)),
    keepOffline: () => {},
  };
  return {
    browser,
    storage,
    /** What the page asked the browser to do. */
    done,
    /** The address, and those before it. */
    past,
    hash: () => past.at(-1) ?? '',
    /** Somebody goes back, or edits the address. */
    move: (next: string) => {
      past.push(next);
      moved();
    },
    back: () => {
      past.pop();
      moved();
    },
    press: (key: string, more: Partial<KeyPress> = {}): boolean =>
      press(
        { key, code: '', ctrlKey: false, altKey: false, shiftKey: false, metaKey: false, ...more },
        { isInField: false, isInDialog: false },
      ),
    drop: (items: DroppedItems) => drop(items),
    /** All timers that run now are over. */
    elapse: () => {
      const over = [...timers];
      timers.clear();
      for (const work of over) work();
    },
  };
};
