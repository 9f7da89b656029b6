/** From a skill's folder to the input of `model/skill`. */
import { compareCodePoints } from '../../base/text.ts';
import { readDocument } from '../skill/document.ts';
import { DEFAULT_PROGRAM, findProgram, PROGRAM_SIZE_LIMIT } from '../skill/metaskill-package.ts';
import { readHead, type SkillHead } from '../skill/load-skill.ts';
import { decodeText } from '../skill/source-text.ts';
import type { SkillFile, SkillInput } from '../skill/types.ts';
import { isBelow, joinPath, lastName, type FileTree, type TreeEntry } from './file-tree.ts';
import type { SkillFolder } from './find-skills.ts';
import { locate } from './locate.ts';

/** Texts larger than this are not read for the rules; their size says enough. */
const READ_LIMIT = 1024 * 1024;
const MAX_FILES = 2000;
const TEXT = /\.(?:md|markdown|txt|ya?ml|json|toml|star|py|sh|bash|js|mjs|ts|rb|go|html|css|csv|xml)$|^[^.]+$/i;

const UNREAD: SkillFile = { size: 0 };
const ESCAPING: SkillFile = { size: 0, escapes: true };

/** Whether a link leaves the skill's folder. It may well stay inside the opened one, and is refused all the same. */
const leavesSkill = (real: string, entry: TreeEntry): boolean =>
  entry.escapes === true || (entry.target !== undefined && !isBelow(real, entry.target));

const toFile = (content: Uint8Array | undefined, size: number): SkillFile => {
  if (!content) return { size };
  const { text, invalidAt } = decodeText(content);
  return invalidAt === undefined ? { size, text } : { size, notUtf8: true };
};

/**
 * The path of the program that the frontmatter names, else the default one; nothing if its spelling alone is refused.
 * Only a text with the word, or with an escape that could spell it, can have the key.
 */
const programPath = (head: SkillHead | undefined, folder: string): string | undefined => {
  if (!head || !/metaskill|\\/.test(head.text)) return DEFAULT_PROGRAM;
  const { refusal, path } = findProgram(readDocument({ content: head.text, fileName: 'SKILL.md', folder }));
  if (refusal !== undefined && refusal !== 'language-unsupported') return undefined;
  return path ?? DEFAULT_PROGRAM;
};

const readProgram = async (tree: FileTree, folder: SkillFolder, program: string): Promise<SkillFile | undefined> => {
  const list = (path: string) => (path === folder.real ? Promise.resolve(folder.entries) : tree.list(path));
  const found = await locate(list, folder.real, program);
  if (found?.kind === 'escapes') return ESCAPING;
  if (found?.kind !== 'file') return undefined;
  if (!isBelow(folder.real, found.real)) return ESCAPING;
  const size = await tree.size(found.real);
  if (size === undefined) return undefined;
  if (size > PROGRAM_SIZE_LIMIT) return { size };
  const content = await tree.read(found.real);
  return content && toFile(content, size);
};

export interface SkillToLoad {
  readonly input: SkillInput;
  readonly head: SkillHead | undefined;
}

/** Only what decides about the program: enough to load a skill. */
export const readForLoading = async (tree: FileTree, folder: SkillFolder, content: Uint8Array): Promise<SkillToLoad> => {
  const files = new Map<string, SkillFile>();
  for (const entry of folder.entries) {
    if (entry.kind === 'file') files.set(entry.name, leavesSkill(folder.real, entry) ? ESCAPING : UNREAD);
  }
  const head = readHead(content);
  const name = lastName(folder.path) || tree.name;
  const program = programPath(head, name);
  if (program !== undefined && (files.has(program) || program !== DEFAULT_PROGRAM)) {
    const file = await readProgram(tree, folder, program);
    if (file) files.set(program, file);
    else files.delete(program);
  }
  return { input: { content, fileName: 'SKILL.md', folder: name, files, partial: true }, head };
};

/** Everything below the folder, for all rules. `real` is its path without links. */
export const readWhole = async (tree: FileTree, path: string, fileName: string, real = path): Promise<SkillInput> => {
  const files = new Map<string, SkillFile>();
  const visited = new Set<string>();
  const visit = async (inner: string, innerReal: string): Promise<void> => {
    if (visited.has(innerReal)) return;
    visited.add(innerReal);
    const entries = (await tree.list(joinPath(path, inner))) ?? [];
    for (const entry of entries.toSorted((a, b) => compareCodePoints(a.name, b.name))) {
      if (files.size >= MAX_FILES || entry.name === '.git' || entry.name === 'node_modules') continue;
      const child = joinPath(inner, entry.name);
      if (leavesSkill(real, entry)) files.set(child, ESCAPING);
      else if (entry.kind === 'folder') await visit(child, entry.target ?? joinPath(innerReal, entry.name));
      else {
        const size = (await tree.size(joinPath(path, child))) ?? 0;
        const isRead = size <= READ_LIMIT && TEXT.test(entry.name);
        files.set(child, toFile(isRead ? await tree.read(joinPath(path, child)) : undefined, size));
      }
    }
  };
  await visit('', real);
  const content = (await tree.read(joinPath(path, fileName))) ?? new Uint8Array();
  return { content, fileName, folder: lastName(path) || tree.name, files };
};
