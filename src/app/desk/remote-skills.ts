/** Where the page asks addresses for skills, and where it keeps the copies. */
import { errorMessage } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import { createHandleTree } from '../../platform/fs/handle-tree.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { createCountedFetch } from '../../platform/importer/counted-fetch.ts';
import type { RemoteSkills } from '../../platform/importer/remote-skills.ts';
import { REMOTE_SKILLS } from './kept-copies.ts';
import type { HostLog } from '../../platform/provider/host-log.ts';

/** Beside the private workspaces; where the browser has no such place, copies last as long as the page. */
const openCopies = async (log: Log): Promise<FileTree> => {
  try {
    const top = await navigator.storage.getDirectory();
    return createHandleTree(await top.getDirectoryHandle(REMOTE_SKILLS, { create: true }));
  } catch (thrown) {
    const why = errorMessage(thrown);
    log({ level: 'warning', code: 'remote.no_copies', text: `Can’t cache skills from URLs: ${why}` });
    return createMemoryTree({}, REMOTE_SKILLS);
  }
};

export interface RemoteDeps {
  readonly hosts: HostLog;
  readonly log: Log;
  readonly now: () => number;
}

export const openRemoteSkills = async ({ hosts, log, now }: RemoteDeps): Promise<RemoteSkills> => {
  const { createRemoteSkills } = await import('../../platform/importer/remote-skills.ts');
  const get = createCountedFetch({
    fetch: (input, init) => fetch(input, init),
    hosts,
    now,
    ownHost: location.host,
  });
  return createRemoteSkills({ get, cache: await openCopies(log), log });
};
