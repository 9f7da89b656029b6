import { describe, expect, it } from 'vitest';
import { silentLog } from '../base/log.ts';
import { err, ok } from '../base/result.ts';
import { createMemoryTree } from '../platform/fs/memory-tree.ts';
import { createRemoteSkills } from '../platform/importer/remote-skills.ts';
import type { RememberedFolder } from '../platform/store/handles.ts';
import { createSourcesStore } from './sources-store.ts';

const A = 'https://a.example/knots/SKILL.md';
const B = 'https://b.example/ropes/SKILL.md';
const skill = (name: string): string => `---\nname: ${name}\ndescription: "Does it. Use when needed."\n---\n\nBody.\n`;
const project = (yaml: string) => createMemoryTree({ '.agents/config.yaml': yaml }, 'top');
const urls = (...all: readonly string[]) => project(`skills:\n  urls: [${all.join(', ')}]\n`);

const setup = () => {
  const pages = new Map([
    [A, skill('knots')],
    [B, skill('ropes')],
  ]);
  const asked: string[] = [];
  const values = new Map<string, unknown>();
  const cache = createMemoryTree({}, 'cache');
  const remembered: RememberedFolder[] = [];
  let canPick = true;
  let changes = 0;
  const get: typeof fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    asked.push(url);
    if (init?.signal?.aborted === true) return Promise.reject(new DOMException('timed out', 'TimeoutError'));
    const page = pages.get(url);
    return page === undefined ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(new Response(page));
  };
  /** As after a reload of the page. */
  const open = () =>
    createSourcesStore({
      remote: () => Promise.resolve(createRemoteSkills({ get, cache, log: silentLog })),
      settings: {
        get: (key) => Promise.resolve(values.get(key)),
        set: (key, value) => Promise.resolve(void values.set(key, value)),
        remove: (key) => Promise.resolve(void values.delete(key)),
      },
      handles: {
        list: () => Promise.resolve(remembered),
        remember: (handle, role, name = '') => {
          const folder = { id: name, role, name, handle, usedAt: 0 };
          remembered.push(folder);
          return Promise.resolve(folder);
        },
        forget: (id) => {
          remembered.splice(0, remembered.length, ...remembered.filter((item) => item.id !== id));
          return Promise.resolve();
        },
        isOpen: () => Promise.resolve(true),
        regrant: () => Promise.resolve(true),
      },
      pick: () =>
        Promise.resolve(
          canPick
            ? ok({ name: 'team' } as FileSystemDirectoryHandle)
            : err({ code: 'refused' as const, message: 'The browser does not open this folder.' }),
        ),
      treeOf: ({ name }) => createMemoryTree({ 'sails/SKILL.md': skill('sails') }, name),
      onChange: () => changes++,
    });
  return {
    pages,
    asked,
    cache,
    values,
    open,
    changes: () => changes,
    refusePick: () => {
      canPick = false;
    },
  };
};

describe('sources of skills', () => {
  it('SC2: a damaged copy is not a copy, and the folder opens', async () => {
    const { open, cache, asked } = setup();
    const first = open();
    await first.read(urls(A));
    await first.allow([A]);
    for (const path of cache.files.keys())
      if (path.endsWith('.json')) await cache.write(path, new TextEncoder().encode('{"version": 1, "ur'));
    asked.length = 0;
    const store = open();
    await store.read(urls(A));
    expect(store.getState().addresses[0]).toMatchObject({ isAllowed: true, isHere: false });
    await store.refresh();
    expect(store.getState().addresses[0]).toMatchObject({ isHere: true });
  });

  it('SC2: what cannot be kept is reported', async () => {
    const { open, values } = setup();
    const store = open();
    await store.read(urls(A));
    values.set = () => {
      throw new Error('The disk is full.');
    };
    await store.allow([A]);
    expect(store.getState().problem).toBe('The disk is full.');
  });

  it('SC1: nobody is asked before somebody agrees', async () => {
    const { open, asked } = setup();
    const store = open();
    await store.read(urls(A, B));
    await store.refresh();
    expect(asked).toEqual([]);
    expect(store.getState().addresses.map(({ url, isAllowed }) => [url, isAllowed])).toEqual([
      [A, false],
      [B, false],
    ]);
    expect(store.input()).toEqual({});
    await store.allow([B]);
    expect(asked).toEqual([B]);
    expect(store.input().remote?.map(({ name }) => name)).toEqual(['b.example/ropes']);
  });

  it('SC2: after a reload copies are there, and nobody is asked until a session starts', async () => {
    const { open, asked, pages } = setup();
    const first = open();
    await first.read(urls(A));
    await first.allow([A]);
    asked.length = 0;
    pages.clear();
    const store = open();
    await store.read(urls(A));
    expect(asked).toEqual([]);
    expect(store.getState().addresses[0]).toMatchObject({ isAllowed: true, isHere: true, problem: undefined });
    await store.refresh();
    expect(asked).toEqual([A]);
    expect(store.getState().addresses[0]?.problem).toMatch(/\(CORS\).*Lathe uses the saved copy\.$/);
    expect(store.input().remote).toHaveLength(1);
  });

  it('SC3: a host that does not answer in time keeps what is there', async () => {
    const { open } = setup();
    const store = open();
    await store.read(urls(A));
    await store.allow([A]);
    await store.refresh(AbortSignal.abort());
    expect(store.getState().addresses[0]).toMatchObject({
      isAsking: false,
      isHere: true,
      problem: 'It didn’t respond in time. Refresh to try again.',
    });
    expect(store.input().remote).toHaveLength(1);
  });

  it('SC4: what is forgotten is gone, with the agreement', async () => {
    const { open, asked, cache, changes } = setup();
    const store = open();
    await store.read(urls(A));
    await store.allow([A]);
    const before = changes();
    await store.forget(A);
    expect(changes()).toBe(before + 1);
    expect(store.input()).toEqual({});
    expect([...cache.files.keys()]).toEqual([]);
    asked.length = 0;
    const later = open();
    await later.read(urls(A));
    await later.refresh();
    expect(asked).toEqual([]);
  });

  it('SC5: another configuration has other sources; the order is its own', async () => {
    const { open } = setup();
    const store = open();
    await store.read(urls(A, B));
    await store.allow([B, A]);
    expect(store.input().remote?.map(({ name }) => name)).toEqual(['a.example/knots', 'b.example/ropes']);
    await store.read(urls(B));
    expect(store.input().remote?.map(({ name }) => name)).toEqual(['b.example/ropes']);
    await store.read(undefined);
    expect(store.input()).toEqual({});
    expect(store.getState().addresses).toEqual([]);
  });

  it('SC5: of two folders that are read in a row the later one counts, whichever is slower', async () => {
    const { open } = setup();
    const store = open();
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const slow = project('skills:\n  paths: [~/slow]\n');
    const reading = store.read({
      ...slow,
      read: async (path) => {
        await gate;
        return slow.read(path);
      },
    });
    await store.read(project('skills:\n  paths: [~/quick]\n'));
    release();
    await reading;
    expect(store.getState().folders.map(({ name }) => name)).toEqual(['~/quick']);
  });

  it('SC6: a folder elsewhere is opened once, remembered, and closed', async () => {
    const { open } = setup();
    const config = project('skills:\n  paths: [~/team]\n');
    const first = open();
    await first.read(config);
    expect(first.getState().folders).toEqual([{ name: '~/team', isOpen: false }]);
    await first.openFolder('~/team');
    expect([...(first.input().configFolders ?? [])].map(([name, tree]) => [name, tree.name])).toEqual([
      ['~/team', 'team'],
    ]);
    const store = open();
    await store.read(config);
    expect(store.getState().folders).toEqual([{ name: '~/team', isOpen: true }]);
    await store.closeFolder('~/team');
    expect(store.getState().folders).toEqual([{ name: '~/team', isOpen: false }]);
    expect(store.input()).toEqual({});
  });

  it('SC6: a folder that the browser refuses is reported', async () => {
    const { open, refusePick } = setup();
    const store = open();
    await store.read(project('skills:\n  paths: [/team]\n'));
    refusePick();
    await store.openFolder('/team');
    expect(store.getState().problem).toBe('The browser does not open this folder.');
  });
});
