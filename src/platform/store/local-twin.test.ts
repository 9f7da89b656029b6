import { describe, expect, it } from 'vitest';
import { createLocalTwin } from './local-twin.ts';
import { createMemoryStorage } from './memory-store.ts';
import { createSettings } from './settings.ts';

const memory = (values = new Map<string, string>()) => ({
  values,
  get length() {
    return values.size;
  },
  key: (index: number) => [...values.keys()][index] ?? null,
  getItem: (key: string) => values.get(key) ?? null,
  setItem: (key: string, value: string) => void values.set(key, value),
  removeItem: (key: string) => void values.delete(key),
});

const fail = (thrown: unknown): never => {
  throw thrown;
};

describe('small choices', () => {
  it('LT1: a choice that the browser took along when it died comes back from the database', async () => {
    const settings = createSettings(createMemoryStorage());
    const before = memory();
    const twin = createLocalTwin(before);
    twin.setItem('lathe.density', 'compact');
    expect(await twin.follow(settings, fail)).toBe(false);
    const onDisk = new Map(before.values);
    twin.setItem('lathe.theme', 'dark');
    twin.setItem('lathe.density', 'comfortable');
    // Asked for after the writes, so answered after them.
    await settings.get('local');

    const after = memory(onDisk);
    const again = createLocalTwin(after);
    expect(again.getItem('lathe.density')).toBe('compact');
    expect(await again.follow(settings, fail)).toBe(true);
    expect(again.getItem('lathe.density')).toBe('comfortable');
    expect(again.getItem('lathe.theme')).toBe('dark');
    expect(await createLocalTwin(after).follow(settings, fail)).toBe(false);
  });

  it('LT2: the storage counts where it is as new as the database, or newer', async () => {
    const settings = createSettings(createMemoryStorage());
    const place = memory();
    const twin = createLocalTwin(place);
    await twin.follow(settings, fail);
    twin.setItem('lathe.theme', 'dark');
    await settings.get('local');
    // A visit whose database could not be opened.
    createLocalTwin(place).setItem('lathe.theme', 'light');
    const again = createLocalTwin(place);
    expect(await again.follow(settings, fail)).toBe(false);
    expect(again.getItem('lathe.theme')).toBe('light');
  });

  it('LT3: brings nothing back that was deleted, and ignores a row that it cannot read', async () => {
    const settings = createSettings(createMemoryStorage());
    const place = memory();
    const twin = createLocalTwin(place);
    await twin.follow(settings, fail);
    twin.setItem('lathe.theme', 'dark');
    twin.removeItem('lathe.theme');
    expect(await settings.get('local')).toBeUndefined();
    expect(place.values.size).toBe(0);
    await settings.set('local', { version: 1, revision: 9, values: { 'lathe.theme': 7 } });
    expect(await createLocalTwin(place).follow(settings, fail)).toBe(false);
    await settings.set('local', { version: 1, revision: 9, values: { other: 'x', 'lathe.theme': 'dark' } });
    expect(await createLocalTwin(place).follow(settings, fail)).toBe(true);
    expect([...place.values.keys()].toSorted()).toEqual(['lathe-revision', 'lathe.theme']);
  });
});
