import { existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';

/**
 * The opened folder, and where a session works in it. With `--cwd` the folder is opened as it is, like in the page; without,
 * it is where a session works, and the project around it is opened. A text says what is wrong.
 */
export const openedFolder = (
  folder: string,
  cwd: string | undefined,
): { readonly top: string; readonly workingFolder: string } | string => {
  if (cwd === undefined) return findProject(folder);
  const top = resolve(folder);
  const workingFolder = relative(top, resolve(top, cwd)).split(sep).join('/');
  if (workingFolder === '..' || workingFolder.startsWith('../'))
    return `invalid --cwd '${cwd}'; expected a folder inside ${folder}`;
  const path = join(top, workingFolder);
  return existsSync(path) && statSync(path).isDirectory()
    ? { top, workingFolder }
    : `folder not found: ${cwd} in ${folder}`;
};

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
