/** `grep_files`. */
import { joinPath } from '../../base/paths.ts';
import { codePointLength, compareCodePoints, takeCodePoints } from '../../base/text.ts';
import type { FileTree } from '../files/file-tree.ts';
import { definitions, GREP_DEFAULT, GREP_MOST } from './definitions.ts';
import { compileGlob } from './glob.ts';
import { compilePattern, type LinePattern } from './line-pattern.ts';
import { decodeText, numberField, pathField, quoted, textField } from './tool-input.ts';
import { ToolError, type Tool } from './types.ts';

const MOST_FILE_BYTES = 5 * 1024 * 1024;
const MOST_FILES = 20_000;
const SNIPPET = 300;
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules']);

const snippet = (line: string): string => {
  const text = line.trimEnd();
  return codePointLength(text) <= SNIPPET ? text : `${takeCodePoints(text, SNIPPET)}…`;
};

interface Search {
  readonly pattern: LinePattern;
  readonly most: number;
  readonly hits: string[];
  readonly tooLarge: string[];
  /** There is at least one match more than may be given. */
  hasMore: boolean;
}

const searchText = (text: string, path: string, search: Search): void => {
  const { literal } = search.pattern;
  if (literal !== undefined && !text.includes(literal)) return;
  let number = 0;
  for (const raw of text.split('\n')) {
    number++;
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (!search.pattern.test(line)) continue;
    if (search.hits.length >= search.most) {
      search.hasMore = true;
      return;
    }
    search.hits.push(`${path}:${number}: ${snippet(line)}`);
  }
};

const searchFile = async (files: FileTree, path: string, search: Search): Promise<void> => {
  if (((await files.size(path)) ?? 0) > MOST_FILE_BYTES) {
    search.tooLarge.push(path);
    return;
  }
  const content = await files.read(path, MOST_FILE_BYTES);
  const text = content && decodeText(content);
  if (text !== undefined) searchText(text, path, search);
};

/** Files below a folder in the order of their paths, without what nobody wants searched. Links are not followed. */
async function* walk(files: FileTree, folder: string, signal: AbortSignal): AsyncGenerator<string> {
  const entries = (await files.list(folder)) ?? [];
  for (const { name, kind, escapes, target } of entries.toSorted((a, b) => compareCodePoints(a.name, b.name))) {
    signal.throwIfAborted();
    if (escapes === true || target !== undefined) continue;
    const path = joinPath(folder, name);
    if (kind === 'file') yield path;
    else if (!SKIPPED_FOLDERS.has(name)) yield* walk(files, path, signal);
  }
}

export const createGrepTool = (files: FileTree): Tool => ({
  ...definitions.grepFiles,
  run: async (input, { signal }) => {
    const source = textField(input, 'pattern');
    const pattern = compilePattern(source);
    if (!pattern.ok)
      throw new ToolError(`pattern ${JSON.stringify(source)} is not valid: ${pattern.error}`, 'validation_error');
    const glob = textField(input, 'glob');
    const filter = glob === '' ? undefined : compileGlob(glob);
    if (filter && !filter.ok)
      throw new ToolError(`glob ${JSON.stringify(glob)} is not valid: ${filter.error}`, 'validation_error');
    const path = pathField(input, '.');
    const search: Search = {
      pattern: pattern.value,
      most: Math.min(GREP_MOST, numberField(input, 'max') ?? GREP_DEFAULT),
      hits: [],
      tooLarge: [],
      hasMore: false,
    };
    let searched = 0;
    if ((await files.size(path)) !== undefined) {
      await searchFile(files, path, search);
      searched = 1;
    } else if ((await files.list(path)) === undefined)
      throw new ToolError(`there is no file or folder ${quoted(path)}`, 'not_found');
    else {
      for await (const file of walk(files, path, signal)) {
        // A glob is about what is below the folder that is searched.
        if (filter && !filter.value(path === '' ? file : file.slice(path.length + 1)) && !filter.value(file)) continue;
        if (searched++ >= MOST_FILES) break;
        await searchFile(files, file, search);
        if (search.hasMore) break;
      }
    }
    const lines = search.hits.length === 0 ? [`no matches for ${JSON.stringify(source)}`] : search.hits;
    const notes = [
      ...(search.hasMore
        ? [
            `[stopped at ${search.most} matches: narrow path, glob or pattern${search.most < GREP_MOST ? `, or raise max (at most ${GREP_MOST})` : ''}]`,
          ]
        : []),
      ...(searched > MOST_FILES ? [`[stopped after ${MOST_FILES} files: narrow path or glob]`] : []),
      ...(search.tooLarge.length > 0 ? [`[not searched, over 5 MB: ${search.tooLarge.slice(0, 10).join(', ')}]`] : []),
    ];
    return {
      text: [...lines, ...notes].join('\n'),
      metadata: {
        matches: search.hits.length,
        files_searched: Math.min(searched, MOST_FILES),
        truncated: search.hasMore,
      },
    };
  },
});
