import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** The top of the project that a folder belongs to: the folder with `.git` at or above it, never the home folder. */
export const findProject = (folder: string): { readonly top: string; readonly workingFolder: string } => {
  const start = resolve(folder);
  const home = existsSync(homedir()) ? realpathSync(homedir()) : homedir();
  for (let at = start; ; at = dirname(at)) {
    if (existsSync(at) && realpathSync(at) === home && at !== start) break;
    if (existsSync(join(at, '.git'))) return { top: at, workingFolder: relative(at, start).split(sep).join('/') };
    if (dirname(at) === at) break;
  }
  return { top: start, workingFolder: '' };
};
