/** Files of the folder that the arguments of a call name. Copies of them go along, so that the program can open what it is told to. */
import { joinPath } from '../../base/paths.ts';
import { type Json, isObject } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { isTreePath, type FileTree } from '../files/file-tree.ts';
import { isCredentialPath } from '../scan/places.ts';
import type { Files } from '../signing/digest.ts';

const MOST_FILES = 500;
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_PATHS = 100;
const LONGEST_PATH = 400;
/** What no program of a skill is given, named or not. */
const PRIVATE = /(?:^|\/)(?:\.git|\.lathe|node_modules)(?:\/|$)/i;

const textsOf = (value: Json): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value))
    return (value as readonly Json[]).flatMap((item) => (typeof item === 'string' ? [item] : []));
  return [];
};

/** As a path in the folder; nothing for what is none, or lies where the program's own files are. */
const pathOf = (text: string, ownFolders: ReadonlySet<string>): string | undefined => {
  if (text === '' || text.length > LONGEST_PATH || /[\n\0]|^[a-z]+:\/\//i.test(text)) return undefined;
  const path = text.replace(/^(?:\.\/)+/, '').replace(/(?<!\/)\/+$/, '');
  if (path === '' || path === '.' || !isTreePath(path)) return undefined;
  return ownFolders.has((path.split('/')[0] ?? '').toLowerCase()) ? undefined : path;
};

/** Says what is too much; a name that is no file is left to the program. */
export const namedFiles = async (args: Json, own: Files, tree: FileTree): Promise<Result<Files, string>> => {
  const ownFolders = new Set([...own.keys()].map((path) => (path.split('/')[0] ?? '').toLowerCase()));
  const texts = isObject(args) ? Object.values(args).flatMap(textsOf) : [];
  const open = [...new Set(texts)].slice(0, MOST_PATHS).flatMap((text) => pathOf(text, ownFolders) ?? []);
  const found = new Map<string, Uint8Array>();
  let bytes = 0;
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (PRIVATE.test(path) || isCredentialPath(path) || found.has(path)) continue;
    const entries = await tree.list(path);
    if (entries) {
      open.push(...entries.map(({ name }) => joinPath(path, name)));
      if (open.length > MOST_FILES) return err(`${path} has too many files: a call accepts ${MOST_FILES} at most`);
      continue;
    }
    const content = await tree.read(path, MOST_BYTES);
    if (!content) {
      if (((await tree.size(path)) ?? 0) > MOST_BYTES)
        return err(`${path} is too large: a call accepts at most 16 MiB`);
      continue;
    }
    bytes += content.length;
    found.set(path, content);
    if (bytes > MOST_BYTES || found.size > MOST_FILES)
      return err(`too many files, or too large: a call accepts at most ${MOST_FILES} files and 16 MiB`);
  }
  return ok(found);
};
