/** A SKILL.md from standard input, as if it were a file: what editors check before anybody saves. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { err, ok, type Result } from '../base/result.ts';
import type { FileTree } from '../model/files/file-tree.ts';
import { readDocument } from '../model/skill/document.ts';
import { fieldText, typingOf } from '../model/skill/fields.ts';
import { createMemoryTree } from '../platform/fs/memory-tree.ts';
import { createNodeTree } from '../platform/fs/node-tree.ts';
import { textOf, type Values } from './arguments.ts';

const FILE = 'SKILL.md';

/** `-`, `--stdin`, or `--stdin-filename` alone: the name of the file, empty where none was given. Nothing: folders are meant. */
export const readStdinOption = (values: Values, positionals: readonly string[]): Result<string | undefined, string> => {
  const name = textOf(values, 'stdin-filename');
  const isAsked = values['stdin'] === true || positionals.includes('-');
  if (!isAsked && (name === undefined || positionals.length > 0))
    return name === undefined ? ok(undefined) : err('--stdin-filename needs - or --stdin');
  if (positionals.some((path) => path !== '-')) return err("standard input and DIR can't be used together");
  if (name !== undefined && basename(name).toLowerCase() !== FILE.toLowerCase())
    return err(`invalid --stdin-filename '${name}'; expected the path of a ${FILE}`);
  if (values['fix'] === true) return err("--fix needs a file on disk; it can't be used with standard input");
  if (values['watch'] === true) return err("--watch can't be used with standard input");
  return ok(name ?? '');
};

/** For reading: the same folder, with other content in one file at its top. */
const withFile = (tree: FileTree, content: Uint8Array): FileTree => ({
  name: tree.name,
  list: async (path) => {
    const entries = await tree.list(path);
    if (path !== '' || entries?.some(({ name }) => name === FILE) === true) return entries;
    return [...(entries ?? []), { name: FILE, kind: 'file' }];
  },
  size: (path) => (path === FILE ? Promise.resolve(content.byteLength) : tree.size(path)),
  read: (path, limit = Infinity) => {
    if (path !== FILE) return tree.read(path, limit);
    return Promise.resolve(content.byteLength > limit ? undefined : new Uint8Array(content));
  },
  write: (path, bytes) => tree.write(path, bytes),
  rename: (from, to) => tree.rename(from, to),
  remove: (path) => tree.remove(path),
});

/** The skill, among the files that lie beside the one that it is named after. */
export const stdinSkill = (name: string): { readonly folder: string; readonly tree: FileTree } => {
  const content = readFileSync(0);
  const folder = name === '' ? '.' : dirname(name);
  if (name !== '' && existsSync(folder)) return { folder, tree: withFile(createNodeTree(folder), content) };
  // Without a name nobody knows what its folder is called, so it is called as the skill.
  const document = readDocument({ content, fileName: FILE });
  const called = name === '' ? fieldText(document, 'name', typingOf('standard')) : basename(resolve(folder));
  return { folder, tree: createMemoryTree({ [FILE]: content }, called ?? 'skill') };
};
