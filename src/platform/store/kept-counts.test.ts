import { describe, expect, it, vi } from 'vitest';
import { withKeptCounts, type Beside } from './kept-counts.ts';
import { createMemoryStorage } from './memory-store.ts';

const local = (): Beside & { readonly values: Map<string, string> } => {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
};

const draft = (path: string) => ({ workspace: 'w', path, text: 'new', base: 'old', baseHash: 'h', savedAt: 1 });

describe('ST11: what the browser dropped', () => {
  it('says what was in a database that came back empty', async () => {
    const beside = local();
    const before = await withKeptCounts(createMemoryStorage(), beside);
    expect(before.lost).toBeUndefined();
    await before.write([
      { kind: 'put', table: 'drafts', row: draft('a.md') },
      { kind: 'put', table: 'drafts', row: draft('b.md') },
    ]);
    await vi.waitFor(() => expect(beside.values.size).toBe(1));
    const { lost } = await withKeptCounts(createMemoryStorage(), beside);
    expect(lost).toEqual({ sessions: 0, drafts: 2, handles: 0, consents: 0 });
    expect((await withKeptCounts(createMemoryStorage(), beside)).lost).toBeUndefined();
  });

  it('calls nothing lost that was deleted, and leaves nothing beside an empty database', async () => {
    const beside = local();
    const storage = createMemoryStorage();
    const database = await withKeptCounts(storage, beside);
    await database.write([{ kind: 'put', table: 'drafts', row: draft('a.md') }]);
    await vi.waitFor(() => expect(beside.values.size).toBe(1));
    await database.write([{ kind: 'clear', table: 'drafts' }]);
    await vi.waitFor(() => expect(beside.values.size).toBe(0));
    expect((await withKeptCounts(storage, beside)).lost).toBeUndefined();
  });

  it('lives with what others wrote there, and with a browser that blocks it', async () => {
    for (const text of ['', '{', '[]', '7', '{"drafts":"many","sessions":-3}']) {
      const beside = local();
      beside.setItem('lathe-kept', text);
      expect((await withKeptCounts(createMemoryStorage(), beside)).lost).toBeUndefined();
    }
    const refuse = (): never => {
      throw new DOMException('blocked', 'SecurityError');
    };
    const database = await withKeptCounts(createMemoryStorage(), {
      getItem: refuse,
      setItem: refuse,
      removeItem: refuse,
    });
    await database.write([{ kind: 'put', table: 'drafts', row: draft('a.md') }]);
    expect(await database.count('drafts')).toBe(1);
  });
});
