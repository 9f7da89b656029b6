/** Check zero over a folder with skills. */
import { baseName, joinPath } from '../../base/paths.ts';
import { HEAVY_FOLDERS, walkTree } from '../files/walk-tree.ts';
import type { FileTree } from '../files/file-tree.ts';
import { createFolderSearch } from '../library/find-skills.ts';
import { scanSkill, type UnreadFile } from './scan-skill.ts';
import type { SkillScan } from './types.ts';

const NO_LIMITS = { depth: Infinity, folders: Infinity };
/** What is larger is not read. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_FILES = 2000;

export interface ScannedSkill extends SkillScan {
  /** The skill's folder in the tree. */
  readonly path: string;
}

interface SkillFiles {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly unread: readonly UnreadFile[];
}

/** What can be read in the folder of a skill, and what is left to a person. */
const readSkillFiles = async (tree: FileTree, path: string): Promise<SkillFiles> => {
  const walked = await walkTree(tree, path, { maxFiles: MAX_FILES, skip: HEAVY_FOLDERS });
  const within = (file: string): string => (path === '' ? file : file.slice(path.length + 1));
  const files = new Map<string, Uint8Array>();
  const unread: UnreadFile[] = walked.escaping.map((file) => ({
    path: within(file),
    reason: 'a link that leaves the folder',
  }));
  for (const folder of ['', ...walked.folders.map(within)])
    for (const name of HEAVY_FOLDERS) {
      const heavy = joinPath(folder, name);
      if ((await tree.list(joinPath(path, heavy))) !== undefined)
        unread.push({ path: heavy, reason: 'a skipped folder' });
    }
  if (walked.isCut) unread.push({ path: 'SKILL.md', reason: `more than ${MAX_FILES} files` });
  for (const file of walked.files) {
    const size = (await tree.size(file)) ?? 0;
    if (size > MAX_BYTES) {
      unread.push({ path: within(file), reason: 'larger than 1 MiB' });
      continue;
    }
    const content = await tree.read(file);
    if (content) files.set(within(file), content);
  }
  return { files, unread };
};

const declaredName = (bytes: Uint8Array | undefined): string | undefined =>
  bytes &&
  /^name:[ \t]*["']?([^\r\n"']+?)["']?[ \t]*\r?$/m.exec(new TextDecoder().decode(bytes.subarray(0, 4096)))?.[1];

export const scanTree = async (tree: FileTree, root = ''): Promise<readonly ScannedSkill[]> => {
  const { search } = createFolderSearch(tree, { limits: NO_LIMITS, dotFolders: true });
  const { skills } = await search(root);
  const scanned: ScannedSkill[] = [];
  for (const { path } of skills) {
    const { files, unread } = await readSkillFiles(tree, path);
    const name = declaredName(files.get('SKILL.md')) ?? baseName(path === '' ? tree.name : path);
    scanned.push({ ...scanSkill({ name, files, unread }), path });
  }
  return scanned;
};
