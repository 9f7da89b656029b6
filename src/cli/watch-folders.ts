import { watch } from 'node:fs';
import { resolve } from 'node:path';
import { interrupted } from './server-options.ts';

/** Editors write a file in several steps. */
const QUIET_MS = 100;

/** Nothing in these belongs to a skill, and git writes there all the time. */
const isNoise = (name: string): boolean => /(?:^|[/\\])(?:\.git|node_modules)(?:[/\\]|$)/.test(name);

/** Runs the work, and again after each change, until it is interrupted. */
export const watchFolders = async (
  folders: readonly string[],
  work: () => Promise<void>,
  { except }: { readonly except: string | undefined },
): Promise<void> => {
  const own = except === undefined ? undefined : resolve(except);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const changed = (folder: string, name: string | null): void => {
    if (name !== null && (isNoise(name) || resolve(folder, name) === own)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(work);
    }, QUIET_MS);
  };
  const watchers = folders.map((folder) => {
    const watcher = watch(folder, { recursive: true }, (_event, name) => changed(folder, name));
    // A folder that is removed ends its events; the next change elsewhere still counts.
    watcher.on('error', (error) => process.stderr.write(`lathe: can't watch ${folder}: ${error.message}\n`));
    return watcher;
  });
  const stopped = interrupted();
  running = running.then(work);
  await stopped;
  clearTimeout(timer);
  for (const watcher of watchers) watcher.close();
  await running;
};
