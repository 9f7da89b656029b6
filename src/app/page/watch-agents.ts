/** Watched folders of the page, and the capture that serves it. */
import { delay } from '../../platform/delay.ts';
import { watchFolder } from '../../platform/fs/watched-folder.ts';
import { watchCapture } from '../../platform/fs/watched-recording.ts';
import { createHandles } from '../../platform/store/handles.ts';
import type { RecordingsStore } from '../../stores/recordings-store.ts';
import { createWatchStore, type WatchStore } from '../../stores/watch-store.ts';
import type { Desk } from '../desk/desk-types.ts';
import type { Browser } from './browser.ts';
import type { Outside } from '../desk/outside.ts';

export interface WatchAgentsDeps {
  readonly desk: Pick<Desk, 'database'>;
  readonly outside: Pick<Outside, 'now' | 'newId' | 'pick' | 'base'>;
  readonly browser: Pick<Browser, 'canPickFolders' | 'choose'>;
  readonly recordings: RecordingsStore;
  /** `lathe capture --open` serves this page. */
  readonly isCaptured: boolean;
}

export const watchAgents = ({ desk, outside, browser, recordings, isCaptured }: WatchAgentsDeps): WatchStore => {
  const { now, newId, base } = outside;
  const watch = createWatchStore({
    handles: createHandles({ storage: desk.database, now, newId }),
    pick: () => outside.pick('lathe-watch'),
    ...(!browser.canPickFolders && { choose: () => browser.choose('folder') }),
    watch: (folder) => (options) => watchFolder(folder, { ...options, wait: delay }),
    recordings,
  });
  if (isCaptured) void watch.follow('lathe capture', (options) => watchCapture(base, { ...options, wait: delay }));
  return watch;
};
