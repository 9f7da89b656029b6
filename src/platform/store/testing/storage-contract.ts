/** What both storages keep, and everything that is built on them. */
import { err, ok } from '../../../base/result.ts';
import { expect, it } from 'vitest';
import type { LatheEvent } from '../../../model/event/types.ts';
import { createDrafts, type Drafts } from '../drafts.ts';
import { createMyData } from '../my-data.ts';
import { createSessions, type Sessions } from '../sessions.ts';
import type { DraftRow } from '../schema.ts';
import type { Storage } from '../storage.ts';
import { createConsents, createOrigins } from '../trust.ts';
import { createVault } from '../vault.ts';

export const draft = (workspace: string, path: string, text = 'text'): DraftRow => ({
  workspace,
  path,
  text,
  base: '',
  baseHash: '',
  savedAt: 1,
});

/** Timers that go off when the test says so. */
export const createTimers = () => {
  let timers: { readonly work: () => void; readonly ms: number }[] = [];
  return {
    setTimer: (work: () => void, ms: number) => {
      const timer = { work, ms };
      timers.push(timer);
      return timer;
    },
    clearTimer: (timer: unknown) => {
      timers = timers.filter((other) => other !== timer);
    },
    delays: () => timers.map(({ ms }) => ms),
    fire: () => {
      const due = timers;
      timers = [];
      due.forEach(({ work }) => work());
    },
  };
};

const event = (session: string, number: number): LatheEvent => ({
  id: `01J${String(number).padStart(23, '0')}`,
  timestamp: number,
  session_id: session,
  turn_id: null,
  parent_event_id: null,
  type: 'session.ended',
  actor: 'system',
  sensitivity: 'aggregatable',
  payload: { reason: 'completed', number } as never,
});

const facts = (id: string, createdAt = 1) => ({
  id,
  title: `session ${id}`,
  workspace: 'w',
  model: 'm',
  createdAt,
  totals: { turns: 0, inputTokens: 0, outputTokens: 0 },
});

const fail = (thrown: unknown): never => {
  throw thrown;
};

const sessionsOn = (
  storage: Storage,
  onError: (thrown: unknown) => void = fail,
): Sessions & ReturnType<typeof createTimers> => {
  const timers = createTimers();
  let time = 10;
  return { ...createSessions({ storage, now: () => time++, ...timers, onError }), ...timers };
};

export const storageContract = (create: () => Promise<Storage>): void => {
  it('ST1: gives back what was put, by key and in the order of the keys', async () => {
    const storage = await create();
    await storage.write(
      [draft('b', 'x'), draft('a', 'z'), draft('a', 'y'), draft('ab', 'x')].map((row) => ({
        kind: 'put',
        table: 'drafts',
        row,
      })),
    );
    expect(await storage.get('drafts', ['a', 'y'])).toEqual(draft('a', 'y'));
    expect(await storage.get('drafts', ['a', 'nothing'])).toBeUndefined();
    expect((await storage.list('drafts')).map(({ workspace, path }) => workspace + path)).toEqual([
      'ay',
      'az',
      'abx',
      'bx',
    ]);
    expect((await storage.list('drafts', ['a'])).map(({ path }) => path)).toEqual(['y', 'z']);
    expect(await storage.count('drafts')).toBe(4);
  });

  it('ST2: deletes by the start of a key, and whole tables', async () => {
    const storage = await create();
    await storage.write(
      [draft('a', 'x'), draft('a', 'y'), draft('ab', 'x'), draft('b', 'x')].map((row) => ({
        kind: 'put',
        table: 'drafts',
        row,
      })),
    );
    await storage.write([{ kind: 'delete', table: 'drafts', key: ['a'] }]);
    expect((await storage.list('drafts')).map(({ workspace }) => workspace)).toEqual(['ab', 'b']);
    await storage.write([{ kind: 'delete', table: 'drafts', key: ['b', 'x'] }]);
    expect(await storage.count('drafts')).toBe(1);
    await storage.write([{ kind: 'clear', table: 'drafts' }]);
    expect(await storage.list('drafts')).toEqual([]);
  });

  it('ST3: writes all or nothing', async () => {
    const storage = await create();
    await storage.write([{ kind: 'put', table: 'consents', row: { hash: 'h', skill: 's', givenAt: 1 } }]);
    await expect(
      storage.write([
        { kind: 'put', table: 'drafts', row: draft('a', 'x') },
        { kind: 'add', table: 'consents', row: { hash: 'h', skill: 'other', givenAt: 2 } },
      ]),
    ).rejects.toMatchObject({ name: 'StorageError', code: 'exists' });
    expect(await storage.list('drafts')).toEqual([]);
    expect(await storage.get('consents', ['h'])).toEqual({ hash: 'h', skill: 's', givenAt: 1 });
  });

  it('ST4: what is given back is the caller’s own', async () => {
    const storage = await create();
    const value = { list: [1] };
    await storage.write([{ kind: 'put', table: 'settings', row: { key: 'k', value } }]);
    value.list.push(2);
    const read = await storage.get('settings', ['k']);
    (read as { value: typeof value }).value.list.push(3);
    expect((await storage.get('settings', ['k']))?.value).toEqual({ list: [1] });
  });

  const draftsOn = (storage: Storage): Drafts & ReturnType<typeof createTimers> => {
    const timers = createTimers();
    return { ...createDrafts({ storage, now: () => 5, ...timers, onError: fail }), ...timers };
  };

  it('DR1: a draft is written without waiting, with the last text; a large one within 300 ms', async () => {
    const storage = await create();
    const drafts = draftsOn(storage);
    drafts.keep('w', 'a.md', { text: 'x'.repeat(256 * 1024 + 1), base: 'zero' });
    expect(drafts.delays()).toEqual([300]);
    expect(await storage.count('drafts')).toBe(0);
    drafts.keep('w', 'a.md', { text: 'one', base: 'zero' });
    drafts.keep('w', 'a.md', { text: 'two', base: 'zero' });
    drafts.keep('w', 'b.md', { text: 'b', base: '' });
    expect(drafts.delays()).toEqual([]);
    // Asked for after the draft was, so answered after it: nobody flushed.
    await drafts.get('w', 'c.md');
    expect(await storage.get('drafts', ['w', 'a.md'])).toMatchObject({ text: 'two', base: 'zero', savedAt: 5 });
    expect((await draftsOn(storage).list('w')).map(({ path }) => path)).toEqual(['a.md', 'b.md']);
  });

  it('DR2: one that is dropped is gone, also if it was never written', async () => {
    const storage = await create();
    const drafts = draftsOn(storage);
    drafts.keep('w', 'a.md', { text: 'one', base: '' });
    await drafts.flush();
    drafts.drop('w', 'a.md');
    expect(await drafts.get('w', 'a.md')).toBeUndefined();
    drafts.keep('w', 'b.md', { text: 'b', base: '' });
    drafts.drop('w', 'b.md');
    await drafts.flush();
    expect(await storage.count('drafts')).toBe(0);
  });

  it('SS1: a session is kept with its events, in order, in pieces', async () => {
    const storage = await create();
    const sessions = sessionsOn(storage);
    const writer = await sessions.create(facts('s1'));
    writer.append([event('s1', 1), event('s1', 2)]);
    expect(await sessions.events('s1')).toEqual([]);
    sessions.fire();
    await writer.flush();
    writer.append([event('s1', 3)]);
    writer.update({ title: 'better', totals: { turns: 1, inputTokens: 2, outputTokens: 3, cost: 0.5 } });
    await writer.flush();
    await writer.flush();
    expect((await sessions.events('s1')).map(({ timestamp }) => timestamp)).toEqual([1, 2, 3]);
    expect(await sessions.list()).toMatchObject([
      { id: 's1', title: 'better', events: 3, chunks: 2, totals: { cost: 0.5 } },
    ]);
  });

  it('SS2: is gone on with later, and listed newest first', async () => {
    const storage = await create();
    const sessions = sessionsOn(storage);
    const first = await sessions.create(facts('s1'));
    first.append([event('s1', 1)]);
    await first.flush();
    await sessions.create(facts('s2'));
    expect((await sessions.list()).map(({ id }) => id)).toEqual(['s2', 's1']);
    const again = await sessions.resume('s1');
    again?.append([event('s1', 2)]);
    await again?.flush();
    expect((await sessions.list()).map(({ id }) => id)).toEqual(['s1', 's2']);
    expect(await sessions.events('s1')).toHaveLength(2);
    expect(await sessions.resume('nobody')).toBeUndefined();
  });

  it('SS3: two tabs do not write over each other; what was not written is kept and told', async () => {
    const storage = await create();
    const told: unknown[] = [];
    const sessions = sessionsOn(storage, (thrown) => told.push(thrown));
    const one = await sessions.create(facts('s1'));
    const two = await sessions.resume('s1');
    one.append([event('s1', 1)]);
    await one.flush();
    two?.append([event('s1', 2)]);
    await two?.flush();
    expect(told).toMatchObject([{ code: 'exists' }]);
    expect((await sessions.events('s1')).map(({ timestamp }) => timestamp)).toEqual([1]);
  });

  it('SS4: deleting takes the events along, and no others; a title that was given stays', async () => {
    const storage = await create();
    const sessions = sessionsOn(storage);
    for (const id of ['s1', 's10']) {
      const writer = await sessions.create(facts(id));
      writer.append([event(id, 1)]);
      await writer.flush();
      await sessions.rename(id, `named ${id}`);
      writer.append([event(id, 2)]);
      await writer.flush();
    }
    await sessions.remove('s1');
    expect(await sessions.list()).toMatchObject([{ id: 's10', title: 'named s10' }]);
    expect([await sessions.events('s1'), (await sessions.events('s10')).length]).toEqual([[], 2]);
  });

  it('SR1: consents are given, listed and revoked by hash', async () => {
    const storage = await create();
    let time = 1;
    const consents = createConsents({ storage, now: () => time++ });
    await consents.give('h1', 'pdf');
    await consents.give('h2', 'docx');
    expect((await consents.list()).map(({ skill }) => skill)).toEqual(['docx', 'pdf']);
    await consents.revoke('h1');
    expect([await consents.has('h1'), await consents.has('h2')]).toEqual([false, true]);
  });

  it('SR2: where a skill came from follows it when it is moved or copied, and ends with it', async () => {
    const storage = await create();
    const origins = createOrigins({ storage, now: () => 1 });
    await origins.note({ workspace: 'w', path: 'skills/pdf', kind: 'zip', from: 'pdf.zip' });
    await origins.note({ workspace: 'w', path: 'skills/pdf-2', kind: 'url', from: 'https://example.com' });
    await origins.note({ workspace: 'other', path: 'skills/pdf', kind: 'zip', from: 'x.zip' });
    const paths = async () => (await origins.list('w')).map(({ path }) => path);
    await origins.move('w', 'skills/pdf', 'skills/paper');
    expect(await paths()).toEqual(['skills/paper', 'skills/pdf-2']);
    await origins.move('w', 'skills', 'moved');
    expect(await paths()).toEqual(['moved/paper', 'moved/pdf-2']);
    await origins.copy('w', 'moved/paper', 'moved/copy');
    expect(await paths()).toEqual(['moved/copy', 'moved/paper', 'moved/pdf-2']);
    await origins.forget('w', 'moved/paper');
    expect(await paths()).toEqual(['moved/copy', 'moved/pdf-2']);
    expect(await origins.list('other')).toHaveLength(1);
  });

  it('VA1: keys come back with the passphrase and only with it', async () => {
    const storage = await create();
    const vault = createVault({ storage, crypto });
    expect(await vault.state()).toBe('empty');
    expect(await vault.unlock('anything')).toMatchObject({ error: { code: 'empty' } });
    expect(await vault.create('short')).toMatchObject({ error: { code: 'weak-passphrase' } });
    expect(await vault.save('anthropic', 'x')).toMatchObject({ error: { code: 'locked' } });
    expect(await vault.create('correct horse battery')).toMatchObject({ ok: true });
    await vault.save('anthropic', 'sk-ant-secret');
    await vault.save('openai', 'sk-other-secret');
    expect([await vault.state(), vault.get('anthropic'), vault.providers()]).toEqual([
      'unlocked',
      'sk-ant-secret',
      ['anthropic', 'openai'],
    ]);
    vault.lock();
    expect([await vault.state(), vault.get('anthropic')]).toEqual(['locked', undefined]);

    const later = createVault({ storage, crypto });
    expect(await later.unlock('wrong horse battery')).toMatchObject({ error: { code: 'wrong-passphrase' } });
    expect([await later.state(), later.get('anthropic')]).toEqual(['locked', undefined]);
    expect(await later.create('another passphrase')).toMatchObject({ error: { code: 'exists' } });
    expect(await later.unlock('correct horse battery')).toMatchObject({ ok: true });
    expect(later.get('anthropic')).toBe('sk-ant-secret');
    await later.forget('anthropic');
    expect(later.providers()).toEqual(['openai']);
    await later.forgetAll();
    expect([await later.state(), later.get('openai')]).toEqual(['empty', undefined]);
  });

  it('VA2: what is at rest is not readable, and not the same twice', async () => {
    const storage = await create();
    const vault = createVault({ storage, crypto });
    await vault.create('correct horse battery');
    await vault.save('anthropic', 'sk-ant-secret-key-material');
    const first = await storage.get('vault', ['keys']);
    await vault.save('anthropic', 'sk-ant-secret-key-material');
    const second = await storage.get('vault', ['keys']);
    const text = (row: typeof first) => new TextDecoder('latin1').decode(row?.data);
    expect(text(first)).not.toMatch(/secret|anthropic/);
    expect(first?.iterations).toBeGreaterThanOrEqual(600_000);
    expect([...(first?.iv ?? [])]).not.toEqual([...(second?.iv ?? [])]);
    expect(text(first)).not.toBe(text(second));
  });

  it('VA3: a record that was tampered with, or weakened, does not open', async () => {
    const storage = await create();
    const vault = createVault({ storage, crypto });
    await vault.create('correct horse battery');
    await vault.save('anthropic', 'sk-ant');
    const row = await storage.get('vault', ['keys']);
    if (!row) throw new Error('no row');
    const open = async () => createVault({ storage, crypto }).unlock('correct horse battery');
    await storage.write([
      { kind: 'put', table: 'vault', row: { ...row, data: row.data.map((byte, at) => (at === 3 ? byte ^ 1 : byte)) } },
    ]);
    expect(await open()).toMatchObject({ ok: false, error: { code: 'wrong-passphrase' } });
    await storage.write([{ kind: 'put', table: 'vault', row: { ...row, iterations: 1 } }]);
    expect(await open()).toMatchObject({ ok: false, error: { code: 'damaged' } });
  });

  it('MD1: everything is exported but keys and handles', async () => {
    const storage = await create();
    const vault = createVault({ storage, crypto });
    await vault.create('correct horse battery');
    await vault.save('anthropic', 'sk-ant-secret');
    const sessions = sessionsOn(storage);
    for (const id of ['s1', 's2']) {
      const writer = await sessions.create(facts(id));
      writer.append([event(id, 1)]);
      await writer.flush();
    }
    await storage.write([
      { kind: 'put', table: 'drafts', row: draft('w', 'a.md', 'my draft') },
      { kind: 'put', table: 'settings', row: { key: 'theme', value: 'dark' } },
    ]);
    let text = '';
    for await (const piece of createMyData({ storage, now: () => 0 }).exportAll()) text += piece;
    const data = JSON.parse(text) as Record<string, unknown>;
    expect(data).toMatchObject({
      format: 'lathe-data',
      version: 1,
      exportedAt: '1970-01-01T00:00:00.000Z',
      settings: [{ key: 'theme', value: 'dark' }],
      drafts: [{ text: 'my draft' }],
      sessions: [
        { id: 's1', events: [{ timestamp: 1 }] },
        { id: 's2', events: [{ timestamp: 1 }] },
      ],
    });
    expect(Object.keys(data)).not.toContain('vault');
    expect(text).not.toMatch(/sk-ant|salt|"iv"/);
  });

  it('MD2: it is told what is stored, and deleting leaves nothing', async () => {
    const storage = await create();
    await storage.write([
      { kind: 'put', table: 'drafts', row: draft('w', 'a.md') },
      { kind: 'put', table: 'drafts', row: draft('w', 'b.md') },
    ]);
    const names = ['one', 'two'];
    const copies = ['remote-skills'];
    let cleared = 0;
    const mine = createMyData({
      storage,
      now: () => 0,
      manager: { estimate: () => Promise.resolve({ usage: 10, quota: 100 }), persisted: () => Promise.resolve(true) },
      workspaces: {
        list: () => Promise.resolve([...names]),
        remove: (name) => Promise.resolve(ok(names.splice(names.indexOf(name), 1))),
        size: (name) => Promise.resolve(ok(name.length)),
      },
      copies: {
        list: () => Promise.resolve([...copies]),
        remove: (name) => Promise.resolve(ok(copies.splice(copies.indexOf(name), 1))),
        size: () => Promise.resolve(ok(7)),
      },
      clearOther: () => {
        cleared++;
        return Promise.resolve();
      },
    });
    const before = await mine.facts();
    expect(before).toMatchObject({ bytes: 10, quota: 100, isPersistent: true });
    expect(before.kinds.filter(({ count }) => count > 0).map(({ table, count }) => [table, count])).toEqual([
      ['drafts', 2],
      ['workspaces', 2],
      ['copies', 1],
    ]);
    // “one” and “two”; rows count as JSON.
    expect(before.kinds.find(({ table }) => table === 'workspaces')?.bytes).toBe(6);
    const rows = [draft('w', 'a.md'), draft('w', 'b.md')].reduce((sum, row) => sum + JSON.stringify(row).length, 0);
    expect(before.kinds.find(({ table }) => table === 'drafts')?.bytes).toBe(rows);
    expect(await mine.deleteAll()).toEqual(ok(undefined));
    expect((await mine.facts()).kinds.every(({ count }) => count === 0)).toBe(true);
    expect([names, copies, cleared]).toEqual([[], [], 1]);
  });

  it('MD3: one kind is deleted by itself; sessions go with their events', async () => {
    const storage = await create();
    const writer = await sessionsOn(storage).create(facts('s1'));
    writer.append([event('s1', 1)]);
    await writer.flush();
    await storage.write([{ kind: 'put', table: 'drafts', row: draft('w', 'a.md') }]);
    const mine = createMyData({ storage, now: () => 0 });
    expect(await mine.deleteKind('sessions')).toEqual(ok(undefined));
    expect(await Promise.all((['sessions', 'events', 'drafts'] as const).map(storage.count))).toEqual([0, 0, 1]);
  });

  it('MD4: what cannot be deleted is named and keeps no other; what cannot be read has no size', async () => {
    const storage = await create();
    await storage.write([{ kind: 'put', table: 'drafts', row: draft('w', 'a.md') }]);
    let names = ['open', 'locked'];
    const mine = createMyData({
      storage,
      now: () => 0,
      workspaces: {
        list: () => Promise.resolve(names),
        remove: (name) => {
          if (name === 'locked') return Promise.resolve(err({ message: 'Another tab has it.' }));
          names = names.filter((other) => other !== name);
          return Promise.resolve(ok(undefined));
        },
        size: (name) => Promise.resolve(name === 'locked' ? err({ message: 'Another tab has it.' }) : ok(3)),
      },
    });
    const told = (await mine.facts()).kinds.find(({ table }) => table === 'workspaces');
    expect(told).toEqual({ table: 'workspaces', label: 'Private workspaces', count: 2 });
    expect(await mine.deleteAll()).toEqual(err({ message: 'locked couldn’t be deleted: Another tab has it.' }));
    expect([names, await storage.count('drafts')]).toEqual([['locked'], 0]);
  });
};
