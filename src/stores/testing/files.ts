/** A store of files on trees and storage in memory. */
import type { FileTree } from '../../model/files/file-tree.ts';
import { createMemoryTabGuard } from '../../platform/fs/memory-tab-guard.ts';
import { createMemoryTree, type MemoryTree } from '../../platform/fs/memory-tree.ts';
import type { TabGuard } from '../../platform/fs/tab-guard.ts';
import { createDrafts, type Drafts } from '../../platform/store/drafts.ts';
import { createMemoryStorage } from '../../platform/store/memory-store.ts';
import type { Storage } from '../../platform/store/storage.ts';
import { createOrigins } from '../../platform/store/trust.ts';
import type { TextDocument } from '../files-documents.ts';
import { createFilesStore } from '../files-store.ts';
import type { FilesStore } from '../files-types.ts';

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const textIn = (tree: MemoryTree, path: string): string | undefined => {
  const content = tree.files.get(path);
  return content && new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
};

export const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
export const FILES = {
  'skills/pdf/SKILL.md': LINES,
  'skills/pdf/references/more.md': 'more',
  'skills/docx/SKILL.md': 'docx',
  'logo.png': Uint8Array.of(1, 2, 0, 3),
};

interface Options {
  readonly tree?: FileTree;
  readonly storage?: Storage;
  readonly guard?: TabGuard;
  readonly readOnlyReason?: string;
  readonly watched?: boolean;
}

export const setUp = async (options: Options = {}) => {
  const memory = createMemoryTree(FILES, 'work');
  const { tree = memory, storage = createMemoryStorage(), guard = createMemoryTabGuard(), readOnlyReason } = options;
  const drafts: Drafts = createDrafts({
    storage,
    now: () => 7,
    setTimer: () => 1,
    clearTimer: () => undefined,
    onError: (thrown) => {
      throw thrown;
    },
  });
  const files = createFilesStore({
    drafts,
    guard,
    origins: createOrigins({ storage, now: () => 1 }),
    ...(options.watched === true && {
      watch: (watched, onChange) => watched.watch?.(onChange) ?? { [Symbol.dispose]: () => undefined },
    }),
  });
  await files.openFolder({ id: 'w', tree, ...(readOnlyReason !== undefined && { readOnlyReason }) });
  return { files, tree: memory, drafts, storage, guard };
};

export const doc = (files: FilesStore, path: string): TextDocument => {
  const document = files.getState().documents.get(path);
  if (document?.kind !== 'text') throw new Error(`${path} is not open as text`);
  return document;
};
export const SKILL = 'skills/pdf/SKILL.md';
