/** `read_file`, `write_file`, `patch_file`, `list_dir`. */
import type { Json } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { baseName, dirName, joinPath } from '../../base/paths.ts';
import { compareCodePoints } from '../../base/text.ts';
import type { FileTree, TreeEntry } from '../files/file-tree.ts';
import { whyNotWritten } from '../files/write-rules.ts';
import { definitions } from './definitions.ts';
import type { PendingTree } from './pending-tree.ts';
import {
  byteLength,
  cutBytes,
  decodeText,
  encode,
  inWords,
  numberField,
  pathField,
  quoted,
  replaceOnce,
  textField,
} from './tool-input.ts';
import { ToolError, type Tool } from './types.ts';

/** Larger files are not read at all. */
const MOST_FILE_BYTES = 5 * 1024 * 1024;
/** Of one answer of `read_file`. */
const MOST_TEXT_BYTES = 200 * 1024;
const MOST_ENTRIES = 1000;

const PENDING = 'pending until the user applies it';

/** Why there is no file to read there, with the name that was probably meant. */
const missing = async (files: FileTree, path: string): Promise<ToolError> => {
  if ((await files.list(path)) !== undefined)
    return new ToolError(`${quoted(path)} is a folder: use list_dir`, 'not_found');
  const folder = dirName(path);
  const siblings = await files.list(folder);
  const meant = nearest(
    baseName(path),
    (siblings ?? []).map(({ name }) => name),
  );
  if (meant !== undefined)
    return new ToolError(
      `there is no file ${quoted(path)}; did you mean ${quoted(joinPath(folder, meant))}?`,
      'not_found',
    );
  return new ToolError(`there is no file ${quoted(path)}: list_dir shows what there is`, 'not_found');
};

/** A file's text as it is, byte order mark included. */
const readText = async (files: FileTree, path: string): Promise<string> => {
  const size = await files.size(path);
  if (size === undefined) throw await missing(files, path);
  if (size > MOST_FILE_BYTES)
    throw new ToolError(`${quoted(path)} has ${size} bytes, more than the ${MOST_FILE_BYTES} that can be read`);
  const content = await files.read(path);
  if (!content) throw await missing(files, path);
  const text = decodeText(content);
  if (text === undefined) throw new ToolError(`${quoted(path)} is not text (${size} bytes)`);
  return text;
};

/** Some lines of a string, and what to say about the rest. */
const excerpt = (
  text: string,
  offset: number,
  limit: number | undefined,
  path: string,
): { readonly text: string; readonly from: number; readonly to: number; readonly total: number } => {
  const lines = text.split('\n');
  // A line end at the very end starts no line.
  const total = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  if (offset > total && !(offset === 1 && total === 0))
    throw new ToolError(`${quoted(path)} has ${total} lines: offset ${offset} is past its end`, 'validation_error');
  const wanted = Math.min(total, limit === undefined ? total : offset - 1 + limit);
  let to = offset - 1;
  let bytes = 0;
  while (to < wanted) {
    bytes += byteLength(lines[to] ?? '') + 1;
    if (bytes > MOST_TEXT_BYTES && to >= offset) break;
    to++;
  }
  const isWhole = offset === 1 && to === total;
  const chosen = isWhole ? text : lines.slice(offset - 1, to).join('\n');
  const cut = cutBytes(chosen, MOST_TEXT_BYTES);
  if (cut) return { text: `${cut.text}\n[line ${offset} is cut: it has ${cut.total} bytes]`, from: offset, to, total };
  if (isWhole) return { text: chosen === '' ? '(empty)' : chosen, from: offset, to, total };
  const more = to < total ? `; continue with offset=${to + 1}` : '';
  return { text: `${chosen}\n[lines ${offset}-${to} of ${total}${more}]`, from: offset, to, total };
};

const readFile = (files: FileTree): Tool => ({
  ...definitions.readFile,
  run: async (input) => {
    const path = pathField(input);
    const text = (await readText(files, path)).replace(/^\uFEFF/, '');
    const {
      text: shown,
      from,
      to,
      total,
    } = excerpt(text, numberField(input, 'offset') ?? 1, numberField(input, 'limit'), path);
    return { text: shown, metadata: { path, first_line: from, last_line: to, total_lines: total } };
  },
});

/** The same refusals as for commands: what a command may not write, no tool writes. */
const writtenPath = (input: Json): string => {
  const path = pathField(input);
  const why = whyNotWritten(path);
  if (why !== undefined) throw new ToolError(`${quoted(path)} cannot be written: ${why}`, 'permission_denied');
  return path;
};

const writeFile = (files: PendingTree): Tool => ({
  ...definitions.writeFile,
  run: async (input) => {
    const path = writtenPath(input);
    const after = encode(textField(input, 'content'));
    if (path === '') throw new ToolError('path must name a file, not the folder itself', 'validation_error');
    const before = await inWords(() => files.update(path, (old) => ({ after, value: old })));
    const isSame = before?.length === after.length && before.every((byte, index) => byte === after[index]);
    if (isSame) return { text: `${quoted(path)} already has this content: nothing changed`, metadata: { path } };
    const what = before ? `replaced, it had ${before.length} bytes` : 'new file';
    return {
      text: `wrote ${quoted(path)} (${after.length} bytes; ${what}), ${PENDING}`,
      metadata: { path, is_new: !before },
      filesModified: [path],
    };
  },
});

const patchFile = (files: PendingTree): Tool => ({
  ...definitions.patchFile,
  run: async (input) => {
    const path = writtenPath(input);
    if ((await files.size(path)) === undefined) throw await missing(files, path);
    const line = await inWords(() =>
      files.update(path, (content) => {
        const text = content && decodeText(content);
        if (text === undefined) throw new ToolError(`${quoted(path)} is not text`);
        const old = textField(input, 'old');
        const changed = replaceOnce(text, old, textField(input, 'new'), quoted(path));
        return { after: encode(changed), value: text.slice(0, text.indexOf(old)).split('\n').length };
      }),
    );
    return {
      text: `patched ${quoted(path)} at line ${line}, ${PENDING}`,
      metadata: { path, line },
      filesModified: [path],
    };
  },
});

const entryText = ({ name, kind, escapes }: TreeEntry): string => {
  if (escapes === true) return `${name} (a link that leaves the folder)`;
  return kind === 'folder' ? `${name}/` : name;
};

const listDir = (files: FileTree): Tool => ({
  ...definitions.listDir,
  run: async (input) => {
    const path = pathField(input, '.');
    const entries = await files.list(path);
    if (!entries) {
      const isFile = (await files.size(path)) !== undefined;
      throw new ToolError(
        isFile ? `${quoted(path)} is a file: use read_file` : `there is no folder ${quoted(path)}`,
        'not_found',
      );
    }
    const sorted = entries.toSorted((a, b) => compareCodePoints(a.name, b.name));
    const lines = sorted.slice(0, MOST_ENTRIES).map(entryText);
    if (sorted.length > MOST_ENTRIES) lines.push(`[${sorted.length - MOST_ENTRIES} more are not shown]`);
    return {
      text: lines.length === 0 ? '(empty)' : lines.join('\n'),
      metadata: { path: path === '' ? '.' : path, entries: sorted.length },
    };
  },
});

/** In the order of their definitions. */
export const createFileTools = (files: PendingTree): readonly Tool[] => [
  readFile(files),
  writeFile(files),
  patchFile(files),
  listDir(files),
];
