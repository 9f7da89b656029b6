import { describe, expect, it } from 'vitest';
import { collectLog } from '../../base/log.ts';
import { createDrafts } from './drafts.ts';
import { createHandles } from './handles.ts';
import { createMemoryStorage } from './memory-store.ts';
import { createSettings } from './settings.ts';
import { StorageError, toStorageError, type Storage } from './storage.ts';
import { createTimers, draft, storageContract } from './testing/storage-contract.ts';

describe('storage in memory', () => {
  storageContract(() => Promise.resolve(createMemoryStorage()));
});

describe('rows', () => {
  it('ST5: that this version cannot read are skipped, with a log line that does not quote them', async () => {
    const { log, lines } = collectLog();
    const storage = createMemoryStorage(log);
    storage.plant('drafts', ['w', 'old'], { workspace: 'w', path: 'old', contents: 'secret text' });
    await storage.write([{ kind: 'put', table: 'drafts', row: draft('w', 'new') }]);
    expect((await storage.list('drafts')).map(({ path }) => path)).toEqual(['new']);
    expect(await storage.get('drafts', ['w', 'old'])).toBeUndefined();
    expect(lines[0]?.text).toContain('a row of drafts was skipped');
    expect(JSON.stringify(lines)).not.toContain('secret text');
  });

  it('ST6: errors are sentences', () => {
    expect(toStorageError(new DOMException('', 'QuotaExceededError'))).toMatchObject({ code: 'full' });
    expect(toStorageError(new DOMException('', 'InvalidStateError'))).toMatchObject({ code: 'closed' });
    expect(toStorageError(new Error('x')).message).toContain('failed: x');
    const known = new StorageError('full', 'x');
    expect(toStorageError(known)).toBe(known);
  });

  it('ST7: settings are kept by key', async () => {
    const settings = createSettings(createMemoryStorage());
    expect(await settings.get('x')).toBeUndefined();
    await settings.set('x', { a: 1 });
    expect(await settings.get('x')).toEqual({ a: 1 });
    await settings.remove('x');
    expect(await settings.get('x')).toBeUndefined();
  });
});

describe('drafts', () => {
  const failingOnce = (): Storage & { fails: number } => {
    const storage = createMemoryStorage();
    const made = {
      ...storage,
      fails: 1,
      write: (changes: Parameters<Storage['write']>[0]) =>
        made.fails-- > 0 ? Promise.reject(new StorageError('full', 'no room')) : storage.write(changes),
    };
    return made;
  };

  it('DR3: are written when the page is hidden', async () => {
    const storage = createMemoryStorage();
    const page = { window: new EventTarget(), document: new EventTarget() };
    const timers = createTimers();
    const drafts = createDrafts({ storage, now: () => 1, ...timers, page, onError: () => undefined });
    drafts.keep('w', 'a', { text: 'one', base: '' });
    page.document.dispatchEvent(new Event('visibilitychange'));
    await drafts.flush();
    expect(await storage.count('drafts')).toBe(1);
    drafts.keep('w', 'b', { text: 'two', base: '' });
    page.window.dispatchEvent(new Event('pagehide'));
    await drafts.flush();
    expect(await storage.count('drafts')).toBe(2);
    expect(timers.delays()).toEqual([]);
    await drafts[Symbol.asyncDispose]();
  });

  it('DR4: that could not be written are reported, and tried again', async () => {
    const storage = failingOnce();
    const told: unknown[] = [];
    const drafts = createDrafts({ storage, now: () => 1, ...createTimers(), onError: (thrown) => told.push(thrown) });
    drafts.keep('w', 'a', { text: 'one', base: '' });
    await drafts.flush();
    expect(told).toHaveLength(1);
    expect((await drafts.get('w', 'a'))?.text).toBe('one');
    drafts.keep('w', 'b', { text: 'two', base: '' });
    await drafts.flush();
    expect((await storage.list('drafts')).map(({ path }) => path)).toEqual(['a', 'b']);
  });

  it('DR6: a newer text does not wait for an older write, and an older one that fails later does not come back', async () => {
    const storage = createMemoryStorage();
    const writes: { readonly text: string; readonly settle: (fails: boolean) => Promise<void> }[] = [];
    const slow: Storage = {
      ...storage,
      write: (changes, options) =>
        new Promise((resolve, reject) => {
          const [change] = changes;
          writes.push({
            text: change?.kind === 'put' && change.table === 'drafts' ? change.row.text : '',
            settle: async (fails) => {
              if (fails) reject(new Error('no room'));
              else await storage.write(changes, options).then(resolve);
            },
          });
        }),
    };
    const told: unknown[] = [];
    const timers = createTimers();
    const drafts = createDrafts({ storage: slow, now: () => 1, ...timers, onError: (thrown) => told.push(thrown) });
    drafts.keep('w', 'a', { text: 'one', base: '' });
    await Promise.resolve();
    drafts.keep('w', 'a', { text: 'two', base: '' });
    await Promise.resolve();
    expect(writes.map(({ text }) => text)).toEqual(['one', 'two']);
    const flushed = drafts.flush();
    await writes[1]?.settle(false);
    await writes[0]?.settle(true);
    await flushed;
    expect(told).toHaveLength(1);
    expect((await drafts.get('w', 'a'))?.text).toBe('two');
    await drafts.flush();
    expect(writes).toHaveLength(2);
  });

  it('DR5: a durable flush asks the database for strict durability, once', async () => {
    const storage = createMemoryStorage();
    const asked: unknown[] = [];
    const watched: Storage = {
      ...storage,
      write: (changes, options) => {
        asked.push(options?.durable);
        return storage.write(changes);
      },
    };
    const drafts = createDrafts({ storage: watched, now: () => 1, ...createTimers(), onError: () => undefined });
    drafts.keep('w', 'a', { text: 'one', base: '' });
    await drafts.flush({ durable: true });
    drafts.keep('w', 'a', { text: 'two', base: '' });
    await drafts.flush();
    expect(asked).toEqual([true, false]);
  });
});

describe('folders', () => {
  const folder = (name: string, state: PermissionState = 'prompt'): FileSystemDirectoryHandle => {
    let permission = state;
    const handle = {
      kind: 'directory',
      name,
      isSameEntry: (other: FileSystemHandle) => Promise.resolve(other.name === name),
      queryPermission: () => Promise.resolve(permission),
      requestPermission: () => {
        if (permission === 'denied') return Promise.reject(new DOMException('no click', 'SecurityError'));
        permission = 'granted';
        return Promise.resolve(permission);
      },
    };
    return handle as unknown as FileSystemDirectoryHandle;
  };
  const make = () => {
    let [time, id] = [1, 1];
    return createHandles({ storage: createMemoryStorage(), now: () => time++, newId: () => `id-${id++}` });
  };

  it('HA1: are remembered once each, newest first, under one id', async () => {
    const handles = make();
    const one = await handles.remember(folder('one'), 'project');
    await handles.remember(folder('two'), 'project');
    const again = await handles.remember(folder('one'), 'project');
    expect(again.id).toBe(one.id);
    expect((await handles.list('project')).map(({ name }) => name)).toEqual(['one', 'two']);
    await handles.forget(one.id);
    expect((await handles.list()).map(({ name }) => name)).toEqual(['two']);
  });

  it('HA2: there is one user library, one folder per configured name, and twenty projects', async () => {
    const handles = make();
    await handles.remember(folder('mine'), 'user');
    await handles.remember(folder('other'), 'user');
    expect((await handles.list('user')).map(({ name }) => name)).toEqual(['other']);
    await handles.remember(folder('a'), 'config', '~/team');
    await handles.remember(folder('b'), 'config', '~/team');
    await handles.remember(folder('c'), 'config', '~/more');
    expect((await handles.list('config')).map(({ name, handle }) => [name, handle.name])).toEqual([
      ['~/more', 'c'],
      ['~/team', 'b'],
    ]);
    for (let index = 0; index < 25; index++) await handles.remember(folder(`p${index}`), 'project');
    const projects = await handles.list('project');
    expect([projects.length, projects[0]?.name, projects.at(-1)?.name]).toEqual([20, 'p24', 'p5']);
  });

  it('HA3: come back with one click', async () => {
    const handles = make();
    const remembered = await handles.remember(folder('one'), 'project');
    expect(await handles.isOpen(remembered)).toBe(false);
    expect(await handles.regrant(remembered)).toBe(true);
    expect(await handles.isOpen(remembered)).toBe(true);
    const denied = await handles.remember(folder('two', 'denied'), 'project');
    expect(await handles.regrant(denied)).toBe(false);
  });
});
