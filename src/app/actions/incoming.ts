/** Folders and skills that come from outside the page: dropped, uploaded, unpacked, or carried by a link. */
import { plural } from '../../base/text.ts';
import { decodeShareLink, hasSharedSkill } from '../../model/files/share-link.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { takeDropped } from '../../platform/fs/pick-folder.ts';
import { shareCodec } from '../../platform/fs/share-codec.ts';
import { treeFromFileList } from '../../platform/fs/upload-tree.ts';
import { readArchive } from '../../platform/fs/archive.ts';
import type { FolderStore } from '../../stores/folder-types.ts';
import type { Questions } from '../shell/questions.tsx';

export interface IncomingDeps {
  readonly folder: Pick<FolderStore, 'openCopy' | 'openHandle' | 'openPicked'>;
  readonly questions: Pick<Questions, 'confirm'>;
  readonly canPickFolders: boolean;
  /** Lets the person choose files; empty if they did not. */
  readonly choose: (what: 'folder' | 'archive') => Promise<readonly File[]>;
  readonly fail: (message: string) => void;
}

export interface Incoming {
  /** In place, or as a copy where the browser can't. Call it inside a click. */
  readonly openFolder: () => Promise<void>;
  readonly chooseFolder: () => Promise<void>;
  readonly chooseArchive: () => Promise<void>;
  readonly openFile: (file: File) => Promise<void>;
  /** Call it inside the drop event. */
  readonly drop: (items: Iterable<DataTransferItem>) => Promise<void>;
  /** A skill in the part of the address after `#`, and what became of it. */
  readonly openShared: (hash: string) => Promise<'none' | 'left' | 'opened'>;
}

export const createIncoming = ({ folder, canPickFolders, questions, choose, fail }: IncomingDeps): Incoming => {
  const openFile = async (file: File): Promise<void> => {
    const read = await readArchive(new Uint8Array(await file.arrayBuffer()), file.name);
    if (read.ok) await folder.openCopy(read.value.tree, 'zip', read.value.leftOut);
    else fail(`${file.name}: ${read.error.message}`);
  };

  const chooseFolder = async (): Promise<void> => {
    const files = await choose('folder');
    if (files.length > 0) await folder.openCopy(treeFromFileList(files), 'drop');
  };

  return {
    openFolder: () => (canPickFolders ? folder.openPicked() : chooseFolder()),
    chooseFolder,
    chooseArchive: async () => {
      const [file] = await choose('archive');
      if (file) await openFile(file);
    },
    openFile,
    drop: async (items) => {
      const dropped = await takeDropped(items);
      if (!dropped.ok) {
        fail(dropped.error.message);
        return;
      }
      switch (dropped.value.kind) {
        case 'folder':
          await folder.openHandle(dropped.value.handle);
          return;
        case 'tree':
          await folder.openCopy(dropped.value.tree, 'drop');
          return;
        case 'archive':
          await openFile(dropped.value.file);
      }
    },
    openShared: async (hash) => {
      if (!hasSharedSkill(hash)) return 'none';
      const shared = decodeShareLink(hash, shareCodec);
      if (!shared.ok) {
        fail(shared.error.message);
        return 'left';
      }
      const { name, files, leftOut } = shared.value;
      const isWanted = await questions.confirm({
        title: `Open the shared skill ${name}?`,
        text: `The link contains ${plural(files.size, 'file')}. Lathe copies them into this browser. Programs among them run only with your consent.`,
        action: 'Open',
      });
      if (!isWanted) return 'left';
      const tree = createMemoryTree(new Map([...files].map(([path, bytes]) => [`${name}/${path}`, bytes])), name);
      await folder.openCopy(tree, 'share-link', leftOut);
      return 'opened';
    },
  };
};
