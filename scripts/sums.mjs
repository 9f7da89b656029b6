// SHA256SUMS of a folder, as `sha256sum -c SHA256SUMS` reads them.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export const SUMS_FILE = 'SHA256SUMS';

/** @param {string} folder @returns {string} a line per file, sorted by path; records of a build are left out */
export const sumsOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => path !== SUMS_FILE && !path.startsWith('.'))
    .toSorted()
    .map(
      (path) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex')}  ${path}\n`,
    )
    .join('');

/** @param {string} folder */
export const writeSums = (folder) => writeFileSync(join(folder, SUMS_FILE), sumsOf(folder));
