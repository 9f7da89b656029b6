import { describe, expect, it } from 'vitest';
import { err, ok } from '../../base/result.ts';
import { createMemoryStorage } from '../../platform/store/memory-store.ts';
import { createMyData, type StoredFolders } from '../../platform/store/my-data.ts';
import { createLocalData } from './local-data.ts';

const setup = async (
  content: Record<string, string>,
  problem?: { readonly message: string },
  workspaces?: StoredFolders,
) => {
  const kept = new Map(Object.entries(content));
  const files: [name: string, text: string][] = [];
  /** What was kept each time the page started again. */
  const starts: string[][] = [];
  const database = createMemoryStorage();
  const draft = { workspace: 'w', path: 'a.md', text: 'x', base: '', baseHash: '', savedAt: 0 };
  await database.write([{ kind: 'put', table: 'drafts', row: draft }]);
  const data = createLocalData({
    storage: {
      get length() {
        return kept.size;
      },
      key: (index) => [...kept.keys()][index] ?? null,
      getItem: (key) => kept.get(key) ?? null,
      removeItem: (key) => void kept.delete(key),
    },
    estimate: () => Promise.resolve({ usage: 100, quota: 1000 }),
    stored: () =>
      Promise.resolve({
        data: createMyData({ storage: database, now: () => 0, ...(workspaces && { workspaces }) }),
        pack: (all) => Promise.resolve(problem ? err(problem) : ok(new TextEncoder().encode(JSON.stringify([...all])))),
      }),
    startAnew: () => void starts.push([...kept.keys()]),
    download: (name, bytes) => void files.push([name, new TextDecoder().decode(bytes)]),
  });
  return { data, kept, files, database, starts };
};

describe('my data', () => {
  const content = { 'lathe.theme': 'dark', 'lathe.settings': '{}', other: 'x', 'lathe.future': 'y' };
  // {"workspace":"w","path":"a.md","text":"x","base":"","baseHash":"","savedAt":0}
  const drafts = { id: 'stored drafts', label: 'Unsaved text', detail: '1 entry', bytes: 78 };

  it('is told by what it is for, with its size', async () => {
    const { data } = await setup(content);
    expect(await data.report()).toEqual({
      items: [
        drafts,
        { id: 'local Appearance', label: 'Appearance', detail: 'theme, density, layout', bytes: 30 },
        { id: 'local Settings', label: 'Settings', detail: 'defaults for new sessions', bytes: 32 },
        { id: 'local Other', label: 'Other', detail: 'panel state', bytes: 26 },
      ],
      used: 100,
      quota: 1000,
    });
  });

  it('is exported whole, without what belongs to others', async () => {
    const { data, files } = await setup(content);
    await data.exportAll();
    const [[name, text] = ['', '[]']] = files;
    const parts = new Map(JSON.parse(text) as [string, string][]);
    expect(name).toBe('lathe-data.zip');
    expect(JSON.parse(parts.get('local.json') ?? '')).toEqual({
      version: 1,
      local: { theme: 'dark', settings: '{}', future: 'y' },
    });
    expect(JSON.parse(parts.get('data.json') ?? '')).toMatchObject({ drafts: [{ path: 'a.md', text: 'x' }] });
  });

  it('hands over why it cannot be exported, and no file', async () => {
    const { data, files } = await setup(content, { message: 'There are more than 9 files.' });
    expect(await data.exportAll()).toEqual({ ok: false, error: { message: 'There are more than 9 files.' } });
    expect(files).toEqual([]);
  });

  it('is deleted one kind at a time', async () => {
    const { data, kept, database } = await setup(content);
    await data.deleteItem('local Other');
    expect([...kept.keys()]).toEqual(['lathe.theme', 'lathe.settings', 'other']);
    expect(await database.count('drafts')).toBe(1);
    await data.deleteItem('stored drafts');
    expect(await database.count('drafts')).toBe(0);
    expect((await data.report()).items.map(({ id }) => id)).toEqual(['local Appearance', 'local Settings']);
  });

  it('is deleted, all of it and nothing else, and only then the page starts again', async () => {
    const { data, kept, starts, database } = await setup(content);
    await data.deleteItem('local Other');
    expect(starts).toEqual([]);
    await data.deleteAll();
    expect(starts).toEqual([['other']]);
    expect(await database.count('drafts')).toBe(0);
    expect([...kept]).toEqual([['other', 'x']]);
    expect((await data.report()).items).toEqual([]);
  });

  it('MD4: says what could not be deleted instead of starting again', async () => {
    const { data, kept, starts, database } = await setup(content, undefined, {
      list: () => Promise.resolve(['mine']),
      remove: () => Promise.resolve(err({ message: 'Another tab has it.' })),
      size: () => Promise.resolve(err({ message: 'Another tab has it.' })),
    });
    expect((await data.report()).items.at(1)).toEqual({
      id: 'stored workspaces',
      label: 'Private workspaces',
      detail: '1 entry',
    });
    expect(await data.deleteAll()).toEqual(
      err({
        message: 'mine couldn’t be deleted: Another tab has it. Everything else was deleted. Reload the page.',
      }),
    );
    expect([starts, [...kept.keys()], await database.count('drafts')]).toEqual([[], ['other'], 0]);
  });
});
