/** Accidents other than kills: a permission that is taken back, a full disk, a damaged database. */
import { readdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserRig } from './browser-rig.ts';
import type { SavedFile } from './kills.ts';

export interface Fault {
  readonly subject: string;
  readonly isThere: boolean;
  readonly damage?: string;
}

const SHORT = 3000;

// oxlint-disable-next-line lathe/no-fixed-sleep -- a save that fails says so in a moment that nothing announces
const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SHORT));

/** Saves while `fault` holds, then again without it: the text must stay in between, and reach the file at the end. */
const saveThrough = async (
  name: string,
  file: SavedFile,
  fault: { readonly begin: () => Promise<unknown>; readonly end: () => Promise<unknown> },
  mark: string,
): Promise<Fault> => {
  await file.ready();
  await fault.begin();
  let isThere: boolean;
  try {
    await file.act(mark);
    await file.finish();
    await moment();
    isThere = await file.isThere(mark);
  } finally {
    await fault.end();
  }
  await file.finish();
  await moment();
  const isSaved = (await file.read())?.endsWith(mark) === true;
  return { subject: name, isThere, ...(!isSaved && { damage: 'the save after it did not reach the file' }) };
};

/** The browser has no room for a single byte more. */
export const fullDisk = async (rig: BrowserRig, file: SavedFile, mark: string): Promise<Fault> => {
  await file.ready();
  const origin = new URL(rig.page.url()).origin;
  const session = await rig.context.newCDPSession(rig.page);
  const set = (quotaSize?: number) =>
    session.send('Storage.overrideQuotaForOrigin', { origin, ...(quotaSize !== undefined && { quotaSize }) });
  return saveThrough(
    'full disk',
    { ...file, ready: async () => undefined },
    { begin: () => set(1), end: () => set() },
    mark,
  );
};

/** The permission to write is gone, as after a click on the lock in the address bar. */
export const revoked = (rig: BrowserRig, file: SavedFile, mark: string): Promise<Fault> =>
  saveThrough(
    'permission revoked',
    file,
    {
      begin: () =>
        rig.page.evaluate(() => {
          // The prototype has its own again once this property is deleted.
          const refuse = (): Promise<never> =>
            Promise.reject(new DOMException('The request is not allowed.', 'NotAllowedError'));
          const { getFileHandle } = Object.getOwnPropertyDescriptors(FileSystemDirectoryHandle.prototype);
          const own = getFileHandle.value as FileSystemDirectoryHandle['getFileHandle'];
          const state = Object.assign(window, { isRevoked: true });
          FileSystemDirectoryHandle.prototype.getFileHandle = async function find(name, options) {
            const handle = await own.call(this, name, options);
            if (state.isRevoked) handle.createWritable = refuse;
            return handle;
          };
        }),
      end: () => rig.page.evaluate(() => void Object.assign(window, { isRevoked: false })),
    },
    mark,
  );

const filesBelow = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
};

/** The browser dies, and half of what its database has on the disk is gone. What was saved in files must be there, and the page must start. */
export const damagedDatabase = async (rig: BrowserRig, file: SavedFile, mark: string): Promise<Fault> => {
  await file.ready();
  await file.act(mark);
  await file.finish();
  await moment();
  const fire = await rig.aim('browser');
  await fire();
  const all = await filesBelow(join(rig.profile, 'Default/IndexedDB'));
  for (const path of all) {
    if (path.endsWith('LOCK')) continue;
    const { size } = await stat(path);
    if (/CURRENT$|MANIFEST/.test(path)) await writeFile(path, 'damaged');
    else await truncate(path, Math.floor(size / 2));
  }
  await file.ready();
  const isThere = await file.isThere(mark);
  return {
    subject: 'damaged database',
    isThere,
    ...(all.length === 0 && { damage: 'no file of a database was found' }),
  };
};
