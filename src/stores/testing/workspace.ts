/** The facts of a workspace over a tree in memory, as the page puts them together, with nothing of a browser. */
import { createStore } from 'zustand/vanilla';
import { collectLog } from '../../base/log.ts';
import { memoryBook } from '../../model/metaskill/testing/memory-book.ts';
import type { ToolSpec } from '../../model/provider/types.ts';
import { NEW_SESSION, type NewSession } from '../../model/workspace/session-plan.ts';
import { createMemoryTree, type MemoryTree } from '../../platform/fs/memory-tree.ts';
import { createKeptFolders } from '../../platform/store/kept-folders.ts';
import { createMemoryStorage } from '../../platform/store/memory-store.ts';
import { createSettings } from '../../platform/store/settings.ts';
import { apartHere } from '../../platform/worker/testing/apart-here.ts';
import { type FolderState, type FolderStore, CLOSED_FOLDER } from '../folder-types.ts';
import type { SessionsState } from '../session-types.ts';
import { createSettingsStore } from '../settings-store.ts';
import { createWorkingFolders } from '../workspace/working-folder.ts';
import { createWorkspaceFacts, type WorkspaceFacts, type WorkspaceFactsDeps } from '../workspace/workspace-facts.ts';
import { createWorkspaceStore, type WorkspaceStore } from '../workspace/workspace-store.ts';
import { setUp } from './files.ts';

export const skillText = (name: string, body = 'Body.'): string =>
  `---\nname: ${name}\ndescription: Does ${name} things. Use when ${name} is wanted.\n---\n${body}\n`;

export const openFacts = async (
  content: Readonly<Record<string, string>> | MemoryTree,
  { pending = () => undefined, ...more }: Partial<WorkspaceFactsDeps> & Partial<Pick<FolderStore, 'pending'>> = {},
) => {
  const tree =
    'list' in content && typeof content.list === 'function'
      ? (content as MemoryTree)
      : createMemoryTree(content as Readonly<Record<string, string>>, 'work');
  const { files } = await setUp({ tree });
  const { log, lines } = collectLog();
  const kept = new Map<string, string>();
  const settings = createSettingsStore({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  });
  const folder = createStore<FolderState>(() => ({
    ...CLOSED_FOLDER,
    current: { id: 'w', name: 'work', kind: 'disk' },
  }));
  const sessions = createStore(() => ({ next: NEW_SESSION }) as SessionsState);
  const timers: (() => void)[] = [];
  const shown: WorkspaceStore = createWorkspaceStore({
    load: (context) => facts.load(context),
    after: (_ms, work) => {
      timers.push(work);
      return () => void timers.splice(0);
    },
  });
  const facts: WorkspaceFacts = createWorkspaceFacts({
    shown,
    folder: {
      ...folder,
      library: () => ({ project: { tree } }),
      tree: () => tree,
      pending,
      start: () => Promise.resolve(),
      openDemo: () => Promise.resolve(),
      isForeign: () => false,
    },
    kept: createKeptFolders(createMemoryStorage(), () => 0),
    // Far ahead of every revision of a tree in memory: what was read is trusted.
    now: () => 1_000_000,
    workingFolders: createWorkingFolders(createSettings(createMemoryStorage())),
    sources: { read: () => Promise.resolve(), input: () => ({}) },
    files,
    settings,
    sessions,
    extraTools: () => Promise.resolve<readonly ToolSpec[]>([]),
    engine: () => Promise.resolve(undefined),
    whenIdle: () => Promise.resolve(),
    book: memoryBook(),
    pause: () => () => Promise.resolve(),
    seldom: (tell) => tell,
    judgeApart: apartHere.judge,
    log,
    ...more,
  });
  return {
    facts,
    shown,
    files,
    folder,
    tree,
    lines,
    settings,
    choose: (change: Partial<NewSession>) =>
      sessions.setState((state) => ({ ...state, next: { ...state.next, ...change } })),
    /** The skills that panels show now. */
    skills: () => {
      const state = shown.getState();
      if (state.status !== 'ready') throw new Error(`the workspace is ${state.status}`);
      return state.workspace.skills;
    },
    /** Lets the waiting reading begin, and waits for its end. */
    readAgain: async () => {
      const done = new Promise<void>((resolve) => {
        const stop = shown.subscribe(() => {
          stop();
          resolve();
        });
      });
      for (const work of timers.splice(0)) work();
      await done;
    },
  };
};
