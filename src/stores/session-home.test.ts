import { describe, expect, it, vi } from 'vitest';
import { silentLog } from '../base/log.ts';
import { createPendingTree } from '../model/tool/pending-tree.ts';
import { createMemoryTabGuard } from '../platform/fs/memory-tab-guard.ts';
import { createMemoryTree } from '../platform/fs/memory-tree.ts';
import type { TabGuard } from '../platform/fs/tab-guard.ts';
import { createHostLog } from '../platform/provider/host-log.ts';
import { createMemoryProvider, type MemoryScript } from '../platform/provider/memory-provider.ts';
import { createSessionServices } from '../platform/runtime/session-services.ts';
import { createMemoryStorage } from '../platform/store/memory-store.ts';
import type { FolderIdentity } from '../platform/store/schema.ts';
import type { Storage } from '../platform/store/storage.ts';
import { createMemoryTokenizer } from '../platform/tokenizer/memory-tokenizer.ts';
import { createSessionStore } from './session-store.ts';
import type { SessionFolder } from './session-types.ts';

const skillText = (name: string): string =>
  `---\nname: ${name}\ndescription: Writes ${name} reports. Use when a ${name} report is asked for.\n---\nSay it.\n`;

const folderOf = (name: string, skill: string, id = `id-${name}`) => {
  const files = createPendingTree(createMemoryTree({ [`skills/${skill}/SKILL.md`]: skillText(skill) }, name));
  const identity: FolderIdentity = { id, name, kind: 'disk' };
  const folder: SessionFolder = {
    identity,
    library: { project: { tree: files } },
    files,
    profile: 'standard',
    isForeign: () => false,
    book: { isTrusted: () => Promise.resolve(false) },
  };
  return folder;
};

const harbour = folderOf('harbour', 'tide');
const airport = folderOf('airport', 'wind');

interface Options {
  readonly storage?: Storage;
  readonly guard?: TabGuard;
  readonly script?: MemoryScript;
  readonly first?: SessionFolder;
  /** Before a session gets its folder. */
  readonly beforeFolder?: () => Promise<void>;
}

/** A page with a store of sessions, and folders that can be opened in it. */
const setup = async (options: Options = {}) => {
  const storage = options.storage ?? createMemoryStorage();
  const services = await createSessionServices({
    storage,
    crypto: globalThis.crypto,
    tokenizer: createMemoryTokenizer(),
    engine: () => Promise.resolve(undefined),
    fetch: () => Promise.reject(new TypeError('Failed to fetch')),
    pageOrigin: { protocol: 'https:', host: 'lathe.test' },
    hosts: createHostLog(),
    log: silentLog,
    now: () => Date.now(),
    random: () => Math.random(),
    speed: 0,
    onStorageError: (thrown) => {
      throw thrown;
    },
  });
  const provider = createMemoryProvider(options.script ?? (() => 'Yes.'), { now: () => Date.now(), id: 'simulator' });
  let open = options.first ?? harbour;
  const known = new Map([harbour, airport].map((folder) => [folder.identity.id, folder]));
  const reopened: (FolderIdentity | undefined)[] = [];
  const store = createSessionStore({
    runtime: () => Promise.resolve({ ...services.runtime, client: () => provider }),
    folder: async () => {
      const now = open;
      await options.beforeFolder?.();
      return now;
    },
    folders: {
      current: () => open.identity,
      isKnown: ({ id }) => Promise.resolve(known.has(id)),
      reopen: async (folder) => {
        reopened.push(folder);
        const found = folder && known.get(folder.id);
        if (found) await enter(found);
      },
    },
    guard: options.guard ?? createMemoryTabGuard(),
    nextFrame: (callback) => void setTimeout(callback),
  });
  const enter = (folder: SessionFolder): Promise<void> => {
    open = folder;
    return store.enterFolder(folder.identity);
  };
  /** The stable prompt of each request, by the skill in its index. */
  const indexes = () =>
    provider.requests.map(({ system }) => (JSON.stringify(system).includes('tide') ? 'tide' : 'wind'));
  return { store, storage, enter, provider, indexes, known, reopened, sessions: services.runtime.sessions };
};

const titles = (store: Awaited<ReturnType<typeof setup>>['store']) => store.state()?.turns.length;

describe('a session and its folder', () => {
  it('HOME1: is kept with the folder in which it started', async () => {
    const { store, sessions } = await setup();
    await store.send('One');
    expect(await sessions.list()).toMatchObject([{ workspace: 'harbour', folder: harbour.identity }]);
  });

  it('HOME2: another folder leaves the session, saves it, and says where it is', async () => {
    const { store, enter, sessions, indexes } = await setup();
    await store.send('One');
    const id = store.getState().currentId ?? '';
    await enter(airport);
    expect(store.getState()).toMatchObject({ status: 'none', left: { id, title: 'One', name: 'harbour' } });
    expect(store.session()).toBeUndefined();
    // The whole journal is there, not only what a timer had written.
    expect((await sessions.events(id)).some(({ type }) => type === 'turn.completed')).toBe(true);
    await store.send('Two');
    expect(indexes()).toEqual(['tide', 'wind']);
    expect(new Set((await sessions.list()).map(({ folder }) => folder?.name))).toEqual(new Set(['airport', 'harbour']));
  });

  it('HOME2: a turn that runs is stopped, and what had come is kept', async () => {
    const { store, enter } = await setup({ script: () => ({ content: 'Half of it', hang: true }) });
    const sending = store.send('One');
    await vi.waitFor(() => expect(store.getState().live[0]?.blocks[0]?.text).toBe('Half of it'));
    await enter(airport);
    expect(await sending).toMatchObject({ kind: 'cancelled' });
    expect(store.getState()).toMatchObject({ status: 'none', live: [] });
    await enter(harbour);
    expect(store.state()?.turns).toMatchObject([{ status: 'cancelled' }]);
    expect(JSON.stringify(store.journal()?.events)).toContain('Half of it');
  });

  it('HOME3: the folder restores the session that was left in it, with the right prompt', async () => {
    const { store, enter, indexes } = await setup();
    await store.send('One');
    const id = store.getState().currentId ?? '';
    await enter(airport);
    await store.send('Two');
    const other = store.getState().currentId ?? '';
    await enter(harbour);
    expect(store.getState()).toMatchObject({ status: 'idle', currentId: id, left: { id: other, name: 'airport' } });
    await store.send('Three');
    expect(indexes()).toEqual(['tide', 'wind', 'tide']);
    await enter(airport);
    expect(store.getState()).toMatchObject({ currentId: other, left: { id } });
    expect(titles(store)).toBe(1);
  });

  it('HOME3: a session that was closed before its folder was left stays closed', async () => {
    const { store, enter } = await setup();
    await store.send('One');
    store.newSession();
    await enter(airport);
    expect(store.getState().left).toBeUndefined();
    await enter(harbour);
    expect(store.getState()).toMatchObject({ status: 'none' });
    expect(store.getState().currentId).toBeUndefined();
  });

  it('HOME3: the way back opens the folder and the session; the notice is over then', async () => {
    const { store, enter, reopened } = await setup();
    await store.send('One');
    const id = store.getState().currentId ?? '';
    await enter(airport);
    await store.goHome(id);
    expect(reopened).toEqual([harbour.identity]);
    expect(store.getState().currentId).toBe(id);
    expect(store.getState().left).toBeUndefined();
    expect(await store.send('Two')).toMatchObject({ kind: 'completed' });
  });

  it('HOME3: the same folder opened again continues with its session over the new files', async () => {
    const { store, enter } = await setup();
    await store.send('One');
    const id = store.getState().currentId ?? '';
    await enter(folderOf('harbour', 'tide'));
    expect(store.getState().currentId).toBe(id);
    expect(store.getState().left).toBeUndefined();
    expect(await store.send('Two')).toMatchObject({ kind: 'completed' });
    expect(titles(store)).toBe(2);
  });

  it('HOME4: a session of another folder can be read, and nothing can be sent, run or forked', async () => {
    const { store, enter, provider, sessions } = await setup();
    await store.send('One');
    const id = store.getState().currentId ?? '';
    const turn = store.state()?.turns[0]?.id ?? '';
    store.newSession();
    await enter(airport);
    await store.open(id);
    const events = await sessions.events(id);
    expect(store.getState()).toMatchObject({
      currentId: id,
      away: { reason: 'folder', name: 'harbour', folder: harbour.identity },
    });
    expect(store.state()?.turns).toHaveLength(1);
    const why = 'This session belongs to the folder harbour. Open that folder to continue.';
    expect(await store.send('Two')).toEqual({ kind: 'refused', message: why });
    expect(await store.runMetaskill({ name: 'tide' })).toMatchObject({ result: `error: ${why}`, ok: false });
    await expect(store.fork(turn)).rejects.toThrow(why);
    store.rename('Other');
    await store.checkFolder();
    expect(store.getState().changes).toBeUndefined();
    expect(provider.requests).toHaveLength(1);
    // Reading writes nothing.
    store.newSession();
    expect(await sessions.events(id)).toEqual(events);
  });

  it('HOME4: a session that is shown continues when its folder is opened', async () => {
    const { store: before, storage } = await setup();
    await before.send('One');
    const id = before.getState().currentId ?? '';
    const after = await setup({ storage, first: airport });
    await after.store.open(id);
    expect(after.store.getState().away).toBeDefined();
    await after.store.goHome(id);
    expect(after.store.getState().away).toBeUndefined();
    expect(await after.store.send('Two')).toMatchObject({ kind: 'completed' });
    expect(after.indexes()).toEqual(['tide']);
  });

  it('HOME1: a folder that was forgotten and picked again has its sessions, and they remember its new id', async () => {
    const { store, enter, known, sessions, reopened } = await setup();
    await store.send('One');
    const id = store.getState().currentId ?? '';
    await enter(airport);
    known.delete(harbour.identity.id);
    await store.open(id);
    expect(store.getState().away).toEqual({ reason: 'folder', name: 'harbour', folder: undefined });
    await store.goHome(id);
    expect(reopened).toEqual([undefined]);
    const again = folderOf('harbour', 'tide', 'id-new');
    known.set('id-new', again);
    await enter(again);
    expect(store.getState()).toMatchObject({ currentId: id });
    expect(store.getState().away).toBeUndefined();
    await store.send('Two');
    expect((await sessions.list()).find((row) => row.id === id)?.folder).toEqual(again.identity);
  });

  it('HOME1: a session from before folders were recorded belongs to the folder of its name', async () => {
    const { store, storage, sessions } = await setup();
    await store.send('One');
    const id = store.getState().currentId ?? '';
    const [row] = await sessions.list();
    if (!row) throw new Error('not kept');
    const { folder: _folder, ...old } = row;
    await storage.write([{ kind: 'put', table: 'sessions', row: old }]);
    const elsewhere = await setup({ storage, first: airport });
    await elsewhere.store.open(id);
    expect(elsewhere.store.getState().away).toMatchObject({ name: 'harbour', folder: undefined });
    const here = await setup({ storage });
    await here.store.open(id);
    expect(here.store.getState().away).toBeUndefined();
    await here.store.send('Two');
    expect(await here.sessions.list()).toMatchObject([{ id, folder: harbour.identity }]);
  });

  it('HOME5: a session that is starting while another folder is opened does not start', async () => {
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    let isSlow = true;
    const { store, enter, provider, sessions, indexes } = await setup({
      beforeFolder: () => (isSlow ? gate : Promise.resolve()),
    });
    const sending = store.send('One');
    await enter(airport);
    isSlow = false;
    release();
    expect(await sending).toMatchObject({ kind: 'refused', message: expect.stringContaining('another folder') });
    expect([provider.requests, await sessions.list()]).toEqual([[], []]);
    await store.send('Two');
    expect(indexes()).toEqual(['wind']);
  });

  it('HOME5: of two sessions opened in a row the later one is shown', async () => {
    const { store } = await setup();
    await store.send('One');
    const one = store.getState().currentId ?? '';
    store.newSession();
    await store.send('Two');
    const two = store.getState().currentId ?? '';
    store.newSession();
    await Promise.all([store.open(one), store.open(two)]);
    expect(store.getState()).toMatchObject({ status: 'idle', currentId: two });
  });

  it('HOME2: folders opened in a row end with the session of the last one', async () => {
    const { store, enter } = await setup();
    await store.send('One');
    const one = store.getState().currentId ?? '';
    await enter(airport);
    await store.send('Two');
    const entering = [enter(harbour), enter(airport), enter(harbour)];
    await Promise.all(entering);
    expect(store.getState()).toMatchObject({ status: 'idle', currentId: one });
  });

  it('HOME4: a session that no longer exists says so, and leaves the current one', async () => {
    const { store } = await setup();
    await store.send('One');
    const id = store.getState().currentId;
    await expect(store.open('sess_gone')).rejects.toThrow('This session no longer exists.');
    expect(store.getState()).toMatchObject({ status: 'idle', currentId: id });
  });

  it('HOME2: a session that is deleted while it runs stays deleted', async () => {
    const { store, sessions } = await setup({ script: () => ({ content: 'Half of it', hang: true }) });
    const sending = store.send('One');
    await vi.waitFor(() => expect(store.getState().live).toHaveLength(1));
    await store.remove(store.getState().currentId ?? '');
    await sending;
    expect(await sessions.list()).toEqual([]);
  });
});

describe('a session and its tab', () => {
  it('HOME6: the second tab reads until it takes over; then the first one only reads', async () => {
    const storage = createMemoryStorage();
    const guard = createMemoryTabGuard();
    const one = await setup({ storage, guard });
    await one.store.send('One');
    const id = one.store.getState().currentId ?? '';
    const events = await one.sessions.events(id);
    const two = await setup({ storage, guard });
    await two.store.open(id);
    expect(two.store.getState().away).toEqual({ reason: 'tab' });
    expect(await two.store.send('Two')).toMatchObject({ kind: 'refused' });
    expect(await two.sessions.events(id)).toEqual(events);
    await two.store.takeOver();
    await vi.waitFor(() => expect(two.store.getState()).toMatchObject({ status: 'idle', currentId: id }));
    await vi.waitFor(() => expect(two.store.getState().away).toBeUndefined());
    await vi.waitFor(() => expect(one.store.getState().away).toEqual({ reason: 'tab' }));
    expect(await two.store.send('Two')).toMatchObject({ kind: 'completed' });
    expect(await one.store.send('Three')).toMatchObject({ kind: 'refused' });
    // Closed there, it continues here with all that was said.
    two.store.newSession();
    await vi.waitFor(() => expect(one.store.getState().away).toBeUndefined());
    expect(titles(one.store)).toBe(2);
  });
});
