/** From a skill's folder to the input of `model/skill`. */
import { decodeText } from '../skill/source-text.ts';
import { findProgram, PROGRAM_SIZE_LIMIT } from '../skill/metaskill-package.ts';
import { readDocument } from '../skill/document.ts';
import type { SkillFile, SkillInput } from '../skill/types.ts';
import { joinPath, lastName, type FileTree, type TreeEntry } from './file-tree.ts';

/** Texts larger than this are not read for the rules; their size says enough. */
const READ_LIMIT = 1024 * 1024;
const MAX_FILES = 2000;
const TEXT = /\.(?:md|markdown|txt|ya?ml|json|toml|star|py|sh|bash|js|mjs|ts|rb|go|html|css|csv|xml)$|^[^.]+$/i;

const toFile = (content: Uint8Array | undefined, size: number): SkillFile => {
  if (!content) return { size };
  const { text, invalidAt } = decodeText(content);
  return invalidAt === undefined ? { size, text } : { size, notUtf8: true };
};

const readFileFor = async (tree: FileTree, path: string, wantText: boolean): Promise<SkillFile> => {
  const size = (await tree.size(path)) ?? 0;
  return toFile(wantText && size <= READ_LIMIT ? await tree.read(path) : undefined, size);
};

/** Only what decides about the program: enough to load a skill. */
export const readForLoading = async (
  tree: FileTree,
  path: string,
  entries: readonly TreeEntry[],
  content: Uint8Array,
): Promise<SkillInput> => {
  const files = new Map<string, SkillFile>();
  for (const entry of entries) {
    if (entry.kind === 'file') files.set(entry.name, { size: 0, ...(entry.escapes && { escapes: true }) });
  }
  const input: SkillInput = { content, fileName: 'SKILL.md', folder: lastName(path) || tree.name, files, partial: true };
  if (!files.has('SKILL.star') && !/^metaskill\s*:/m.test(decodeText(content).text.slice(0, 20_000))) return input;
  const withoutFiles = readDocument({ content, fileName: 'SKILL.md', folder: input.folder ?? '' });
  const program = findProgram(withoutFiles).path ?? 'SKILL.star';
  if (files.get(program)?.escapes === true) return input;
  const full = joinPath(path, program);
  const size = await tree.size(full);
  const programContent = size !== undefined && size <= PROGRAM_SIZE_LIMIT ? await tree.read(full) : undefined;
  if (size !== undefined && (programContent || size > PROGRAM_SIZE_LIMIT)) files.set(program, toFile(programContent, size));
  else if (size !== undefined) files.set(program, { size, escapes: true });
  return input;
};

/** Everything below the folder, for all rules. */
export const readWhole = async (tree: FileTree, path: string, fileName: string): Promise<SkillInput> => {
  const files = new Map<string, SkillFile>();
  const visit = async (folder: string): Promise<void> => {
    for (const entry of (await tree.list(joinPath(path, folder))) ?? []) {
      const inner = joinPath(folder, entry.name);
      if (files.size >= MAX_FILES || entry.name === '.git' || entry.name === 'node_modules') continue;
      if (entry.escapes) files.set(inner, { size: 0, escapes: true });
      else if (entry.kind === 'file') files.set(inner, await readFileFor(tree, joinPath(path, inner), TEXT.test(entry.name)));
      // A link to a folder could lead back here.
      else if (entry.target === undefined) await visit(inner);
    }
  };
  await visit('');
  const content = (await tree.read(joinPath(path, fileName))) ?? new Uint8Array();
  return { content, fileName, folder: lastName(path) || tree.name, files };
};
