/** In a real browser, on its real database. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { collectLog } from '../../base/log.ts';
import { deleteDatabase, MIGRATIONS, openDatabase, type Migration } from './database.ts';
import { createHandles } from './handles.ts';
import type { Storage } from './storage.ts';
import { draft, storageContract } from './testing/storage-contract.ts';

const opened: { readonly name: string; readonly storage: Storage }[] = [];
const newName = (): string => `lathe-test-${Date.now()}-${Math.random()}`;
const open = async (name = newName(), options: Parameters<typeof openDatabase>[0] = {}): Promise<Storage> => {
  const storage = await openDatabase({ name, ...options });
  opened.push({ name, storage });
  return storage;
};
afterEach(async () => {
  for (const { storage } of opened) storage.close();
  for (const name of new Set(opened.map((each) => each.name))) await deleteDatabase(name);
  opened.length = 0;
});

describe('storage in the browser', () => {
  storageContract(() => open());
});

describe('the database', () => {
  it('ST8: keeps what was written when it is opened again', async () => {
    const name = newName();
    const first = await open(name);
    await first.write([{ kind: 'put', table: 'drafts', row: draft('w', 'a') }]);
    first.close();
    expect(await (await open(name)).list('drafts')).toEqual([draft('w', 'a')]);
  });

  it('ST9: is brought up to date step by step, with its rows', async () => {
    const name = newName();
    const first = await open(name);
    await first.write([{ kind: 'put', table: 'settings', row: { key: 'old', value: 1 } }]);
    first.close();
    const steps: string[] = [];
    const rename: Migration = async (_database, upgrade) => {
      steps.push('rename');
      const settings = upgrade.objectStore('settings');
      await settings.put({ key: 'new', value: 2 });
      await settings.delete(['old']);
    };
    const add: Migration = (database) => {
      steps.push('add');
      database.createObjectStore('more');
    };
    const later = await open(name, { migrations: [...MIGRATIONS, rename, add] });
    expect(await later.list('settings')).toEqual([{ key: 'new', value: 2 }]);
    expect(steps).toEqual(['rename', 'add']);
    later.close();
    await open(name, { migrations: [...MIGRATIONS, rename, add] });
    expect(steps).toEqual(['rename', 'add']);
  });

  it('ST9: stays as it was when a step fails', async () => {
    const name = newName();
    const first = await open(name);
    await first.write([{ kind: 'put', table: 'settings', row: { key: 'old', value: 1 } }]);
    first.close();
    const broken: Migration = async (_database, upgrade) => {
      await upgrade.objectStore('settings').clear();
      throw new Error('the step failed');
    };
    await expect(open(name, { migrations: [...MIGRATIONS, broken] })).rejects.toThrow('the step failed');
    expect(await (await open(name)).list('settings')).toEqual([{ key: 'old', value: 1 }]);
  });

  it('ST10: of a newer version is not opened, and a tab with an older one gives way', async () => {
    const name = newName();
    const onOutdated = vi.fn<() => void>();
    const old = await open(name, { onOutdated });
    await open(name, { migrations: [...MIGRATIONS, () => undefined] });
    expect(onOutdated).toHaveBeenCalledTimes(1);
    await expect(old.list('drafts')).rejects.toMatchObject({ code: 'closed' });
    await expect(open(name)).rejects.toThrow('Reload to get that version');
  });

  it('ST3: what cannot be stored takes everything back', async () => {
    const storage = await open();
    await expect(
      storage.write([
        { kind: 'put', table: 'drafts', row: draft('w', 'a') },
        { kind: 'put', table: 'settings', row: { key: 'x', value: () => 1 } },
      ]),
    ).rejects.toMatchObject({ code: 'failed' });
    expect(await storage.count('drafts')).toBe(0);
  });

  it('HA4: folders keep their handle, their id and their files', async () => {
    const name = newName();
    const { log, lines } = collectLog();
    const top = await navigator.storage.getDirectory();
    const folder = await top.getDirectoryHandle('remembered', { create: true });
    await folder.getFileHandle('a.md', { create: true });
    const deps = { now: () => 1, newId: () => 'id-1' };
    const first = await open(name, { log });
    await createHandles({ storage: first, ...deps }).remember(folder, 'project');
    first.close();
    const handles = createHandles({ storage: await open(name, { log }), ...deps, newId: () => 'id-2' });
    const [back] = await handles.list('project');
    expect(await back?.handle.getFileHandle('a.md')).toBeInstanceOf(FileSystemFileHandle);
    expect(back && (await handles.isOpen(back))).toBe(true);
    expect((await handles.remember(folder, 'project')).id).toBe('id-1');
    expect(lines).toEqual([]);
    await top.removeEntry('remembered', { recursive: true });
  });
});
