/** Files of the folder that are not tracked: those that no rule ignores, or those that one does. */
import { joinPath } from '../../../base/paths.ts';
import type { IndexEntry } from '../../../model/sandbox/git-index.ts';
import { noIgnoreRules, type IgnoreRules } from '../../../model/sandbox/ignore-rules.ts';
import type { CallOut } from '../call-out.ts';
import type { SeenEntry } from '../sandbox-files.ts';

export const SUBMODULE = 0o160000;

interface Place {
  readonly callOut: CallOut;
  /** The top of the repository, and its `.git`. */
  readonly dir: string;
  readonly gitdir: string;
}

const readBytes = async (callOut: CallOut, path: string): Promise<Uint8Array | undefined> =>
  ((await callOut('readMany', [path])) as readonly (Uint8Array | undefined)[])[0];

export const untrackedFiles = async (
  { callOut, dir, gitdir }: Place,
  entries: readonly IndexEntry[],
  all: boolean,
  wantsIgnored: boolean,
): Promise<string[]> => {
  const tracked = new Set(entries.map(({ path }) => path));
  const folders = new Set<string>();
  const parts = new Set(entries.filter(({ mode }) => mode === SUBMODULE).map(({ path }) => path));
  for (const { path } of entries)
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) folders.add(path.slice(0, at));
  const exclude = await readBytes(callOut, `${gitdir}/info/exclude`);
  const start = exclude ? noIgnoreRules.with('', new TextDecoder().decode(exclude)) : noIgnoreRules;

  const walk = async (folder: string, above: IgnoreRules, isInside = false): Promise<string[]> => {
    const entriesHere = (await callOut('list', joinPath(dir, folder)).catch(() => [])) as readonly SeenEntry[];
    const own = entriesHere.some(({ name }) => name === '.gitignore')
      ? await readBytes(callOut, `${dir}/${joinPath(folder, '.gitignore')}`)
      : undefined;
    const rules = own ? above.with(folder, new TextDecoder().decode(own)) : above;
    const found = entriesHere.map(async ({ name, kind }): Promise<readonly string[]> => {
      const path = joinPath(folder, name);
      // A folder where a file is tracked, and a repository that is a part of this one.
      if (name === '.git' || (tracked.has(path) && (kind === 'file' || !all || parts.has(path)))) return [];
      const isIgnored = isInside || (rules.ignores(path, kind === 'folder') && !folders.has(path));
      if (kind === 'file') return isIgnored === wantsIgnored ? [path] : [];
      if (isIgnored && !wantsIgnored) return [];
      const isNested = await callOut('stat', `${dir}/${path}/.git`).then(
        () => true,
        () => false,
      );
      const inside = isNested ? (isIgnored === wantsIgnored ? [`${path}/`] : []) : await walk(path, rules, isIgnored);
      if (inside.length === 0 || folders.has(path) || all) return inside;
      // One line for a folder of which everything is wanted.
      const isWhole = !wantsIgnored || isIgnored || (await walkOthers(path, rules)).length === 0;
      return isWhole ? [`${path}/`] : inside;
    });
    return (await Promise.all(found)).flat();
  };
  /** What is not ignored in a folder of which something is. */
  const walkOthers = async (folder: string, above: IgnoreRules): Promise<readonly string[]> => {
    const entriesHere = (await callOut('list', `${dir}/${folder}`).catch(() => [])) as readonly SeenEntry[];
    const found = entriesHere.map(async ({ name, kind }): Promise<readonly string[]> => {
      const path = joinPath(folder, name);
      if (above.ignores(path, kind === 'folder')) return [];
      return kind === 'file' ? [path] : walkOthers(path, above);
    });
    return (await Promise.all(found)).flat();
  };
  return (await walk('', start)).toSorted((a, b) => (a < b ? -1 : 1));
};
