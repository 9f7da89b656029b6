import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Tests, their helpers and prose never reach a build. */
const ignored = /\.test\.tsx?$|\.md$|^(?:testing|fixtures)$/;

/**
 * What a build depends on, as one short string: the newest change, the number of files and their size. It differs
 * when a file was edited, added, removed or renamed (a folder's own time changes with its entries).
 *
 * @param {string} root
 * @param {readonly string[]} paths files or folders below root; a missing one counts as empty
 * @param {RegExp} skip names left out
 */
export function stamp(root, paths, skip = ignored) {
  let newest = 0;
  let files = 0;
  let bytes = 0;
  /** @param {string} path */
  const visit = (path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return;
    newest = Math.max(newest, stat.mtimeMs);
    if (stat.isDirectory()) {
      for (const name of readdirSync(path)) if (!skip.test(name)) visit(join(path, name));
      return;
    }
    files += 1;
    bytes += stat.size;
  };
  for (const path of paths) visit(join(root, path));
  return [Math.round(newest), files, bytes].map((number) => number.toString(36)).join('-');
}
