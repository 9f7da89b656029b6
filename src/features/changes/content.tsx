import { useStore } from 'zustand';
import type { FilesStore } from '../../stores/files-types.ts';
import type { FolderStore } from '../../stores/folder-types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ChangesCount, ChangesPanel } from './changes-panel.tsx';

type Needs = { readonly folder: FolderStore; readonly files: Pick<FilesStore, 'checkDisk'> };

/** Another folder has other pending changes. */
const Content = ({ folder, files }: Needs) => {
  const current = useStore(folder, (state) => state.current);
  const pending = folder.pending();
  if (!current || !pending) return <EmptyState title="No open folder">Changes from agents appear here.</EmptyState>;
  return <ChangesPanel key={current.id} files={pending} onApplied={() => void files.checkDisk()} />;
};

const Count = ({ folder }: Pick<Needs, 'folder'>) => {
  // Another folder, other changes.
  useStore(folder, (state) => state.current);
  return <ChangesCount files={folder.pending()} />;
};

export const changesContent = { Content, Count };
