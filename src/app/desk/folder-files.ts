/** All files of the open folder, for the palette: listed when it opens, and those of the last look until the next is done. */
import { createEmitter } from '../../base/emitter.ts';
import type { Desk } from './desk-types.ts';

export interface FolderFiles {
  readonly subscribe: (listener: () => void) => () => void;
  readonly paths: () => readonly string[];
  readonly open: (path: string) => void;
  /** Lists the folder again. */
  readonly look: () => Promise<void>;
}

export const createFolderFiles = (
  deskNow: () => Pick<Desk, 'folder' | 'files' | 'editor'> | undefined,
  /** Brings the editor into view. */
  showEditor: () => void,
): FolderFiles => {
  const news = createEmitter<undefined>();
  let paths: readonly string[] = [];
  let folderId: string | undefined;
  return {
    paths: () => paths,
    subscribe: (listener) => {
      const subscription = news.subscribe(listener);
      return () => subscription[Symbol.dispose]();
    },
    open: (path) => {
      showEditor();
      deskNow()?.editor.open(path);
    },
    look: async () => {
      const desk = deskNow();
      if (!desk) return;
      const id = desk.folder.getState().current?.id;
      if (folderId !== id) paths = [];
      folderId = id;
      await desk.files.listAll();
      const { listing } = desk.files.getState();
      if (listing.status !== 'done') return;
      ({ paths } = listing);
      news.emit(undefined);
    },
  };
};
