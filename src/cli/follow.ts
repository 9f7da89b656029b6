/** `lathe explain --follow DIR`: verdicts on an agent's requests while it works. */
import { existsSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAbort } from '../base/errors.ts';
import type { Explained } from '../model/traffic/explainer.ts';
import { joinSources } from '../model/traffic/recording/sources.ts';
import type { SourceFault } from '../model/traffic/recording/types.ts';
import { callKey, createWatchedFiles, type FileStamp, isOpen } from '../model/traffic/recording/watched.ts';
import { filesBelow, readGrowingFile } from './recording-files.ts';

const STEP_MS = 500;
/** Of the time that a look took: a folder that is large is looked at less often. */
const REST = 3;

const stampsOf = (folders: readonly string[]): readonly FileStamp[] =>
  folders.flatMap((folder) => {
    if (!existsSync(folder)) return [];
    const files = statSync(folder).isDirectory() ? filesBelow(folder) : [folder];
    return files.flatMap((file) => {
      const stat = statSync(file, { throwIfNoEntry: false });
      return stat ? [{ file, size: stat.size, modifiedAt: stat.mtimeMs }] : [];
    });
  });

const faultKey = ({ file, line, message }: SourceFault): string => `${file}:${line}:${message}`;

export interface FollowDeps {
  readonly explain: (calls: readonly Explained['call'][]) => Promise<readonly Explained[]>;
  /** A call that was judged, once. */
  readonly onCall: (item: Explained) => void;
  /** Once each. */
  readonly onFault: (fault: SourceFault) => void;
  readonly signal: AbortSignal;
}

/** Looks until it is aborted; then open calls are reported as they are. */
export const followFolders = async (
  folders: readonly string[],
  { explain, onCall, onFault, signal }: FollowDeps,
): Promise<void> => {
  const watched = createWatchedFiles();
  const told = new Set<string>();
  let last: readonly Explained[] = [];
  const tell = (withOpen: boolean): void => {
    for (const item of last.toSorted((a, b) => a.call.startedAt - b.call.startedAt)) {
      const key = callKey(item.call);
      if (told.has(key) || (!withOpen && isOpen(item.call))) continue;
      told.add(key);
      onCall(item);
    }
  };
  let open: readonly SourceFault[] = [];
  const tellFaults = (faults: readonly SourceFault[]): void => {
    for (const fault of faults) {
      const key = faultKey(fault);
      if (!told.has(key)) onFault(fault);
      told.add(key);
    }
  };
  while (!signal.aborted) {
    const began = performance.now();
    const stale = watched.stale(stampsOf(folders));
    for (const stamp of stale) {
      try {
        let growing = watched.open(stamp);
        readGrowingFile(growing, stamp);
        if (growing.isOther()) {
          growing = watched.openAnew(stamp);
          readGrowingFile(growing, stamp);
        }
        watched.put(stamp, { file: stamp.file, modifiedAt: stamp.modifiedAt, ...growing.end() });
      } catch (thrown) {
        // It was removed since it was listed.
        if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
      }
    }
    if (stale.length > 0) {
      const { calls, faults, used } = joinSources(watched.all());
      // In a folder other files are not a fault.
      const found = faults.filter(({ file }) => used.has(file));
      // A last line may still be on its way: what cannot be read is told when it is there at the next look too.
      const before = new Set(open.map(faultKey));
      tellFaults(found.filter((fault) => before.has(faultKey(fault))));
      open = found;
      last = await explain(calls);
      tell(false);
    }
    try {
      await sleep(Math.max(STEP_MS, REST * (performance.now() - began)), undefined, { signal });
    } catch (thrown) {
      if (!isAbort(thrown)) throw thrown;
    }
  }
  tell(true);
  tellFaults(open);
};
