import { describe, expect, it } from 'vitest';
import { createLocalData } from './local-data.ts';

const setup = (content: Record<string, string>) => {
  const kept = new Map(Object.entries(content));
  const files: [name: string, text: string][] = [];
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
    download: (name, text) => void files.push([name, text]),
  });
  return { data, kept, files };
};

describe('my data in localStorage', () => {
  const content = { 'lathe.theme': 'dark', 'lathe.settings': '{}', other: 'x', 'lathe.future': 'y' };

  it('is told by what it is for, with its size', async () => {
    expect(await setup(content).data.report()).toEqual({
      items: [
        { label: 'Appearance', detail: 'theme, density, sizes of the regions', bytes: 30 },
        { label: 'Settings', detail: 'what new sessions start with', bytes: 32 },
        { label: 'Other', detail: 'of another version', bytes: 26 },
      ],
      used: 100,
      quota: 1000,
    });
  });

  it('is exported as it is, without what belongs to others', async () => {
    const { data, files } = setup(content);
    await data.exportAll();
    expect(files.map(([name, text]) => [name, JSON.parse(text)])).toEqual([
      ['lathe-data.json', { version: 1, local: { theme: 'dark', settings: '{}', future: 'y' } }],
    ]);
  });

  it('is deleted, all of it and nothing else', async () => {
    const { data, kept } = setup(content);
    await data.deleteAll();
    expect([...kept]).toEqual([['other', 'x']]);
    expect((await data.report()).items).toEqual([]);
  });
});
