/** Check zero over a folder with skills. */
import { HEAVY_FOLDERS, walkTree } from '../files/walk-tree.ts';
import { joinPath, lastName, type FileTree } from '../library/file-tree.ts';
import { createFolderSearch } from '../library/find-skills.ts';
import { scanSkill } from './scan-skill.ts';
import type { SkillScan } from './types.ts';

const DOT_FOLDERS = new Set(['.agents', '.claude', '.metis', '.swival', '.codex', '.github']);
const NO_LIMITS = { depth: Infinity, folders: Infinity };
/** What is larger is not read anyway; its size says so. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_FILES = 2000;

export interface ScannedSkill extends SkillScan {
  /** The skill's folder in the tree. */
  readonly path: string;
}

/** All files of a folder, with links that leave it left out. */
export const readFolderFiles = async (tree: FileTree, path: string): Promise<ReadonlyMap<string, Uint8Array>> => {
  const { files } = await walkTree(tree, path, { maxFiles: MAX_FILES, skip: HEAVY_FOLDERS });
  const contents = new Map<string, Uint8Array>();
  for (const file of files) {
    const size = (await tree.size(file)) ?? 0;
    const inner = path === '' ? file : file.slice(path.length + 1);
    const content = size > MAX_BYTES ? new Uint8Array(MAX_BYTES) : await tree.read(file);
    if (content) contents.set(inner, content);
  }
  return contents;
};

const declaredName = (bytes: Uint8Array | undefined): string | undefined =>
  bytes &&
  /^name:[ \t]*["']?([^\r\n"']+?)["']?[ \t]*\r?$/m.exec(new TextDecoder().decode(bytes.subarray(0, 4096)))?.[1];

export const scanTree = async (tree: FileTree, root = ''): Promise<readonly ScannedSkill[]> => {
  const { search } = createFolderSearch(tree, { limits: NO_LIMITS, dotFolders: DOT_FOLDERS });
  const { skills } = await search(root);
  const scanned: ScannedSkill[] = [];
  for (const { path } of skills) {
    const files = await readFolderFiles(tree, path);
    const name = declaredName(files.get('SKILL.md')) ?? lastName(path === '' ? tree.name : joinPath(path));
    scanned.push({ ...scanSkill({ name, files }), path });
  }
  return scanned;
};
