/** The open folder as the person sees it: what is not saved yet is read in place of what is on disk. */
import { encodeText } from '../../model/files/text-file.ts';
import { isBelow, type FileTree } from '../../model/files/file-tree.ts';
import { isDirty, type FileDocument, type TextDocument } from '../files-documents.ts';

export interface UnsavedTree extends FileTree {
  /** How many files in a folder are not saved. */
  readonly unsavedIn: (folder: string) => number;
}

export const withUnsaved = (tree: FileTree, documents: () => ReadonlyMap<string, FileDocument>): UnsavedTree => {
  const unsaved = (path: string): TextDocument | undefined => {
    const document = documents().get(path);
    return document?.kind === 'text' && isDirty(document) && !document.isGone ? document : undefined;
  };
  const read: FileTree['read'] = async (path, limit) => {
    const document = unsaved(path);
    return document ? encodeText(document.text) : tree.read(path, limit);
  };
  // These would go past what is not saved.
  const { readWithStat: _one, listAndRead: _two, ...others } = tree;
  return {
    ...others,
    read,
    size: async (path) => (unsaved(path) ? (await read(path))?.length : tree.size(path)),
    unsavedIn: (folder) => [...documents().keys()].filter((path) => isBelow(folder, path) && unsaved(path)).length,
  };
};
