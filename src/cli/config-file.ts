import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { err, ok, type Result } from '../base/result.ts';
import { CONFIG_FILE, parseCheckConfig, type CheckConfig } from '../model/workspace/check-config.ts';

export interface FoundConfig {
  readonly file: CheckConfig;
  /** From the folder of the file to the folder that was asked for. */
  readonly at: string;
}

/** The top of a folder's project, or the folder where the command runs if that is above it. */
export const aroundOf = (folder: string, top: string): string => {
  const here = resolve('.');
  const below = relative(here, top);
  return below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below) ? resolve(folder, top) : here;
};

/** The nearest `lathe.yaml` at or above a folder, up to the top of its project or to where the command runs. An error has a line for every mistake. */
export const findConfig = (folder: string, top: string): Result<FoundConfig | undefined, string> => {
  const start = resolve(folder);
  const last = aroundOf(folder, top);
  for (let at = start; ; at = dirname(at)) {
    const path = join(at, CONFIG_FILE);
    if (existsSync(path)) {
      const read = parseCheckConfig(readFileSync(path, 'utf8'));
      return read.ok
        ? ok({ file: read.value, at: relative(at, start).split(sep).join('/') })
        : err(read.error.map(({ line, message }) => `${relative('.', path)}:${line}: ${message}`).join('\n'));
    }
    if (at === last || dirname(at) === at) return ok(undefined);
  }
};
