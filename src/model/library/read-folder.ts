/** From a skill's folder to the input of `model/skill`. */
import { mapBounded } from '../../base/bounded.ts';
import { baseName, joinPath } from '../../base/paths.ts';
import { compareCodePoints } from '../../base/text.ts';
import { readDocument } from '../skill/document.ts';
import { DEFAULT_PROGRAM, findProgram, PROGRAM_SIZE_LIMIT } from '../skill/metaskill-package.ts';
import { readHead, type SkillHead } from '../skill/load-skill.ts';
import { decodeText } from '../skill/source-text.ts';
import type { SkillFile, SkillFiles, SkillInput } from '../skill/types.ts';
import { isBelow, parentPath, type FileTree, type TreeEntry } from '../files/file-tree.ts';
import type { SkillFolder } from './find-skills.ts';
import { locate } from './locate.ts';

/** Texts larger than this are not read for the rules; their size says enough. */
const READ_LIMIT = 1024 * 1024;
const MAX_FILES = 2000;
/** Files of one skill that are read together. */
const READ_AT_ONCE = 8;
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
 * The path of the program that the frontmatter names, unless its spelling alone is refused. Only a text with the word, or
 * with an escape that could spell it, can have the key.
 */
const declaredProgram = (head: SkillHead | undefined, folder: string): string | undefined => {
  if (!head || !/metaskill|\\/.test(head.text)) return undefined;
  const { refusal, path } = findProgram(readDocument({ content: head.text, fileName: 'SKILL.md', folder }));
  return refusal === undefined || refusal === 'language-unsupported' ? path : undefined;
};

const readProgram = async (tree: FileTree, folder: SkillFolder, program: string): Promise<SkillFile | undefined> => {
  const list = (path: string) => (path === folder.real ? Promise.resolve(folder.entries) : tree.list(path));
  const found = await locate(list, folder.real, program);
  if (found?.kind === 'escapes') return ESCAPING;
  if (found?.kind !== 'file') return undefined;
  if (!isBelow(folder.real, found.real)) return ESCAPING;
  const known = parentPath(found.real) === folder.real ? folder.contents?.get(baseName(found.real)) : undefined;
  const content = known ?? (await tree.read(found.real, PROGRAM_SIZE_LIMIT));
  if (content) return content.length > PROGRAM_SIZE_LIMIT ? { size: content.length } : toFile(content, content.length);
  // Too large, or gone meanwhile.
  const size = await tree.size(found.real);
  return size === undefined ? undefined : { size };
};

/** Most skills are a SKILL.md and nothing else, so they share one. */
const ONLY_SKILL_MD: SkillFiles = new Map([['SKILL.md', UNREAD]]);

/** The files of the folder itself, unread. */
const filesOf = ({ entries, real }: Pick<SkillFolder, 'entries' | 'real'>): SkillFiles => {
  const files = entries.filter(({ kind }) => kind === 'file');
  if (files.length === 1 && files[0] && !leavesSkill(real, files[0])) return ONLY_SKILL_MD;
  return new Map(files.map((entry) => [entry.name, leavesSkill(real, entry) ? ESCAPING : UNREAD]));
};

/** What `readForLoading` wants of most folders. A larger SKILL.md is read by itself. */
export const READ_ALONG = { names: new Set(['SKILL.md', DEFAULT_PROGRAM]), limit: READ_LIMIT };

export interface SkillToLoad {
  readonly input: SkillInput;
  readonly head: SkillHead | undefined;
}

/** Only what decides about the skill and its program. Nothing if there is no SKILL.md to be read. */
export const readForLoading = async (tree: FileTree, folder: SkillFolder): Promise<SkillToLoad | undefined> => {
  let files = filesOf(folder);
  const put = (path: string, file: SkillFile | undefined): void => {
    if (files.get(path) === file) return;
    const changed = new Map(files);
    if (file) changed.set(path, file);
    else changed.delete(path);
    files = changed;
  };
  // Nearly always the default program is the one, so it is read along.
  const [content, standard] = await Promise.all([
    folder.contents?.get('SKILL.md') ?? tree.read(joinPath(folder.real, 'SKILL.md')),
    files.has(DEFAULT_PROGRAM) ? readProgram(tree, folder, DEFAULT_PROGRAM) : undefined,
  ]);
  if (!content) return undefined;
  put(DEFAULT_PROGRAM, standard);
  const head = readHead(content);
  const name = baseName(folder.path) || tree.name;
  const declared = declaredProgram(head, name);
  if (declared !== undefined && declared !== DEFAULT_PROGRAM) put(declared, await readProgram(tree, folder, declared));
  return { input: { content, fileName: 'SKILL.md', folder: name, files, partial: true }, head };
};

/** A folder's files as its listing names them: what can be shown of a skill before its other files are read. */
export const readQuickly = async (
  tree: FileTree,
  folder: Pick<SkillFolder, 'path' | 'real' | 'entries'>,
  fileName = 'SKILL.md',
): Promise<SkillInput> => {
  const content = (await tree.read(joinPath(folder.path, fileName))) ?? new Uint8Array();
  const files = new Map(filesOf(folder));
  files.set(fileName, { size: content.length });
  return { content, fileName, folder: baseName(folder.path) || tree.name, files, partial: true };
};

/** Everything below the folder, for all rules. `real` is its path without links. */
export const readWhole = async (tree: FileTree, path: string, fileName: string, real = path): Promise<SkillInput> => {
  const found: { readonly inner: string; readonly isEscaping: boolean }[] = [];
  const visited = new Set<string>();
  const visit = async (inner: string, innerReal: string): Promise<void> => {
    if (visited.has(innerReal)) return;
    visited.add(innerReal);
    const entries = (await tree.list(joinPath(path, inner))) ?? [];
    for (const entry of entries.toSorted((a, b) => compareCodePoints(a.name, b.name))) {
      if (found.length >= MAX_FILES || entry.name === '.git' || entry.name === 'node_modules') continue;
      const child = joinPath(inner, entry.name);
      if (leavesSkill(real, entry)) found.push({ inner: child, isEscaping: true });
      else if (entry.kind === 'folder') await visit(child, entry.target ?? joinPath(innerReal, entry.name));
      else found.push({ inner: child, isEscaping: false });
    }
  };
  await visit('', real);
  const reading = tree.read(joinPath(path, fileName));
  const readOne = async (inner: string): Promise<SkillFile> => {
    const full = joinPath(path, inner);
    // One trip to the disk for most: only of what gives nothing is the size asked for.
    const text = !TEXT.test(baseName(inner))
      ? undefined
      : await (inner === fileName ? reading : tree.read(full, READ_LIMIT));
    if (text && text.length <= READ_LIMIT) return toFile(text, text.length);
    return { size: text?.length ?? (await tree.size(full)) ?? 0 };
  };
  const files = await mapBounded(
    found,
    READ_AT_ONCE,
    async ({ inner, isEscaping }) => [inner, isEscaping ? ESCAPING : await readOne(inner)] as const,
  );
  return {
    content: (await reading) ?? new Uint8Array(),
    fileName,
    folder: baseName(path) || tree.name,
    files: new Map(files),
  };
};
