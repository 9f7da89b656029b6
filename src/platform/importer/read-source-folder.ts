/** The files of a folder that is to be imported, within the limits that hold for every source. */
import { err, ok, type Result } from '../../base/result.ts';
import { linkLeftOut, passedOver, pathFault, type LeftOut } from '../../model/files/write-rules.ts';
import { HEAVY_FOLDERS, walkTree } from '../../model/files/walk-tree.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import { SOURCE_LIMITS } from './fetch-source.ts';

/** Also of a folder without files: what lies too deep is no longer listed. */
const firstFault = (folders: readonly string[]): string | undefined => {
  for (const folder of folders) {
    const fault = pathFault(folder);
    if (fault !== undefined) return fault;
  }
  return undefined;
};

export interface SourceFolder {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Folders that nobody looked into, and links out of the folder. */
  readonly leftOut: readonly LeftOut[];
}

export const readSourceFolder = async (tree: FileTree): Promise<Result<SourceFolder, string>> => {
  const { files, folders, skipped, escaping } = await walkTree(tree, '', {
    skip: HEAVY_FOLDERS,
    maxFiles: SOURCE_LIMITS.files + 1,
  });
  if (files.length > SOURCE_LIMITS.files) return err(`The folder has more than ${SOURCE_LIMITS.files} files.`);
  const fault = firstFault(folders);
  if (fault !== undefined) return err(fault);
  const contents = new Map<string, Uint8Array>();
  let size = 0;
  for (const path of files) {
    size += (await tree.size(path)) ?? 0;
    if (size > SOURCE_LIMITS.bytes) return err(`The folder has more than ${SOURCE_LIMITS.bytes / 1024 / 1024} MB.`);
    const content = await tree.read(path);
    if (content) contents.set(path, content);
  }
  return ok({ files: contents, leftOut: [...skipped.map(passedOver), ...escaping.map(linkLeftOut)] });
};
