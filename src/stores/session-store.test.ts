import { readRecording } from '../model/traffic/recording/read-recording.ts';
import { describe, expect, it, vi } from 'vitest';
import { collectLog } from '../base/log.ts';
import { createShadow } from '../model/session/shadow.ts';
import { createSimulator } from '../model/simulator/simulator.ts';
import { createPendingTree } from '../model/tool/pending-tree.ts';
import { after } from '../platform/delay.ts';
import { createMemoryTabGuard } from '../platform/fs/memory-tab-guard.ts';
import { createMemoryTree } from '../platform/fs/memory-tree.ts';
import { createProvider } from '../platform/provider/create-provider.ts';
import { createSimulatedFetch } from '../platform/provider/simulated-fetch.ts';
import { createMemoryStorage } from '../platform/store/memory-store.ts';
import { createSessions, type SessionsDeps } from '../platform/store/sessions.ts';
import { createMemoryTokenizer } from '../platform/tokenizer/memory-tokenizer.ts';
import { createSessionStore } from './session-store.ts';
import type { SessionRuntime } from './session-types.ts';

const skill = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: Writes ${name} reports. Use when a ${name} report is asked for.\n---\n${body}\n`;

const DESK = { id: 'desk', name: 'desk', kind: 'private' } as const;

const setup = (
  beforeOpening: () => Promise<void> = () => Promise.resolve(),
  setTimer: SessionsDeps['setTimer'] = setTimeout,
) => {
  const { log, lines } = collectLog();
  const tree = createMemoryTree({ 'skills/tide/SKILL.md': skill('tide', 'State the height first.') }, 'desk');
  const tokenizer = createMemoryTokenizer();
  let time = Date.UTC(2026, 10, 16);
  const now = (): number => (time += 5);
  const simulator = createSimulator({ tokenizer, clock: { now } });
  const fetch = createSimulatedFetch(simulator, { speed: 0 });
  const client = createProvider({ provider: 'simulator', apiKey: '', fetch, now: simulator.now, isBrowser: false });
  const storage = createMemoryStorage();
  const runtime: SessionRuntime = {
    client: () => client,
    scope: () => 'k',
    simulator,
    shadow: createShadow({ tokenizer, log }),
    engine: () => Promise.resolve(undefined),
    sessions: createSessions({
      storage,
      now,
      setTimer,
      clearTimer: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
      onError: (thrown) => {
        throw thrown;
      },
    }),
    now,
    random: () => 0.5,
    after,
    approvalRules: () => [],
    rememberApproval: () => {},
    log,
    platform: 'test',
  };
  const files = createPendingTree(tree);
  const store = createSessionStore({
    runtime: () => Promise.resolve(runtime),
    folder: async () => {
      await beforeOpening();
      return {
        identity: DESK,
        library: { project: { tree: files } },
        files,
        profile: 'standard',
        isForeign: () => false,
        book: { isTrusted: () => Promise.resolve(false) },
      };
    },
    folders: { current: () => DESK, isKnown: () => Promise.resolve(true), reopen: () => Promise.resolve() },
    guard: createMemoryTabGuard(),
    nextFrame: (callback) => void setTimeout(callback),
  });
  return { store, tree, log: lines, simulator, shadow: runtime.shadow, client, sessions: runtime.sessions };
};

describe('session store', () => {
  it('starts a session with the first message, and reads from the cache with the second', async () => {
    const { store } = setup();
    expect(store.getState().status).toBe('none');
    expect(await store.send('Please write a tide report')).toMatchObject({ kind: 'completed' });
    expect(store.getState()).toMatchObject({ status: 'idle', currentId: store.journal()?.sessionId });
    await store.send('Thank you');
    const calls = store.state()?.calls ?? [];
    expect(calls[0]?.usage?.read).toBe(0);
    expect(calls.at(-1)?.usage?.read).toBeGreaterThan(0);
    expect(store.state()?.title).toBe('Please write a tide report');
    await vi.waitFor(() => expect(store.getState().live).toEqual([]));
    expect(store.getState().revision).toBeGreaterThan(0);
  });

  it('keeps sessions, opens them again, and continues', async () => {
    const { store } = setup();
    await store.send('First');
    const first = store.journal()?.sessionId ?? '';
    const events = store.journal()?.events.slice() ?? [];
    store.newSession();
    expect(store.session()).toBeUndefined();
    await store.send('Second');
    await store.refreshKept();
    expect(
      store
        .getState()
        .kept.map(({ title }) => title)
        .toSorted((a, b) => (a < b ? -1 : 1)),
    ).toEqual(['First', 'Second']);
    await store.open(first);
    expect(store.journal()?.events.slice(0, events.length)).toEqual(events);
    expect(await store.send('Third')).toMatchObject({ kind: 'completed' });
    store.newSession();
    await store.open(first);
    expect(store.state()?.turns).toHaveLength(2);
  });

  it('DURA2: a message is in the database before the model has answered', async () => {
    // The time that events otherwise wait never passes.
    const { store, client, sessions } = setup(undefined, () => 0);
    await store.send('First');
    const call = client.call;
    let kept = 0;
    vi.spyOn(client, 'call').mockImplementation(async (...args) => {
      await vi.waitFor(async () => {
        const events = await sessions.events(store.journal()?.sessionId ?? '');
        kept = events.filter(({ type }) => type === 'turn.started').length;
        expect(kept).toBe(2);
      });
      return call(...args);
    });
    await store.send('Second');
    expect(kept).toBe(2);
  });

  it('exports, deletes and imports a session without loss', async () => {
    const { store } = setup();
    await store.send('First');
    const id = store.journal()?.sessionId ?? '';
    const events = store.journal()?.events.slice() ?? [];
    const text = store.exportJournal('all');
    await store.remove(id);
    expect(store.getState()).toMatchObject({ status: 'none', kept: [] });
    expect(await store.importJournal(text)).toEqual([]);
    expect(store.journal()?.events.slice(0, events.length)).toEqual(events);
    expect(store.getState().kept).toHaveLength(1);
    // The same file once more is another session.
    await store.importJournal(text);
    expect(store.getState().kept).toHaveLength(2);
    expect(await store.importJournal('nonsense')).toHaveLength(1);
  });

  it('REC26: exports its requests as HAR', async () => {
    const { store } = setup();
    await store.send('First');
    const { calls, faults } = readRecording(await store.exportHar(), 'session.har');
    expect(faults).toEqual([]);
    expect(calls.map(({ body }) => body)).toEqual([expect.stringContaining('First')]);
    expect(calls[0]?.usage?.output).toBeGreaterThan(0);
  });

  it('SU13: restores a session that was deleted, as it was, and opens it if it was open', async () => {
    const { store } = setup();
    await store.send('First');
    const first = store.journal()?.sessionId ?? '';
    const text = store.exportJournal('all');
    await store.remove(first);
    expect(store.getState().removed).toEqual({ id: first, title: 'First' });
    await store.restore();
    expect(store.getState().removed).toBeUndefined();
    expect(store.exportJournal('all').startsWith(text.trimEnd())).toBe(true);
    expect(store.getState().kept.map(({ id }) => id)).toEqual([first]);

    // Anyone who has begun another one stays there.
    await store.remove(first);
    await store.send('Second');
    const second = store.journal()?.sessionId;
    await store.restore();
    expect(store.journal()?.sessionId).toBe(second);
    expect(store.getState().kept).toHaveLength(2);

    await store.remove(first);
    store.forgetRemoved();
    await store.restore();
    expect(store.getState().kept.map(({ id }) => id)).toEqual([second]);
  });

  it('gives a request of another session as it was sent, also after the page has forgotten it', async () => {
    const { store, shadow } = setup();
    await store.send('Please write a tide report');
    const requestId = store.state()?.calls.at(-1)?.requestId ?? '';
    store.newSession();
    await store.send('Something else');
    const remembered = await store.sentElsewhere(requestId);
    expect(remembered?.body).toContain('Please write a tide report');
    expect(remembered?.body).not.toContain('Something else');
    shadow.clear();
    expect(await store.sentElsewhere(requestId)).toEqual(remembered);
    expect(await store.sentElsewhere('never sent')).toBeUndefined();
  });

  it('SU15: forks from a turn, and names the fork', async () => {
    const { store } = setup();
    await store.send('First');
    await store.send('Second');
    const turn = store.state()?.turns[0]?.id ?? '';
    const origin = store.journal()?.sessionId;
    await store.fork(turn);
    expect(store.journal()?.sessionId).not.toBe(origin);
    expect(store.state()?.turns).toHaveLength(1);
    expect(store.state()?.title).toBe('First (fork)');
    await store.refreshKept();
    expect(store.getState().kept.map(({ title }) => title)).toContain('First (fork)');
    expect(store.getState().kept).toHaveLength(2);
  });

  it('says what changed in the folder, and what that costs', async () => {
    const { store, tree } = setup();
    await store.send('First');
    await store.checkFolder();
    expect(store.getState().changes).toMatchObject({ skills: [], firstDifference: undefined, memory: undefined });
    await tree.write('skills/wind/SKILL.md', new TextEncoder().encode(skill('wind', 'Knots.')));
    await store.checkFolder();
    expect(store.getState().changes?.skills).toEqual([{ name: 'wind', kind: 'added' }]);
    expect(store.getState().changes?.forecast?.lost).toBeGreaterThan(0);
  });

  it('SE5: what was chosen for the next session is not a change of the folder', async () => {
    const { store } = setup();
    await store.send('First');
    store.configure({ persona: 'You are brief.', withoutTools: ['run_command'], dialect: 'agents', padding: 'off' });
    await store.checkFolder();
    expect(store.getState().changes).toMatchObject({ skills: [], firstDifference: undefined, memory: undefined });
    store.newSession();
    await store.send('Second');
    expect(store.state()?.config?.tools.map(({ name }) => name)).not.toContain('run_command');
    expect(store.state()?.config?.limits.run_seconds).toBe(300);
  });

  it('lives in the time of the simulator: a moved clock lets entries expire', async () => {
    const { store } = setup();
    await store.send('First');
    expect(store.cacheEntries().length).toBeGreaterThan(0);
    await store.advanceClock(6 * 60_000);
    expect(store.cacheEntries()).toEqual([]);
    await store.send('Second');
    expect(store.state()?.calls.at(-1)?.explained?.cause).toBe('ttl-expired');
  });

  it('shows the entries of this session, not those of others', async () => {
    const { store } = setup();
    await store.send('First');
    const own = new Set(store.cacheEntries().map(({ hash }) => hash));
    store.newSession();
    expect(store.cacheEntries()).toEqual([]);
    await store.send('Another conversation');
    const next = store.cacheEntries().map(({ hash }) => hash);
    expect(next.length).toBeGreaterThan(0);
    // Tools and stable prompt are shared; everything after them is of one conversation.
    expect(next.filter((hash) => own.has(hash)).length).toBeLessThanOrEqual(2);
  });

  it('a folder that cannot be opened is said, and tried again with the next message', async () => {
    let isBroken = true;
    const { store } = setup(() => (isBroken ? Promise.reject(new Error('gone')) : Promise.resolve()));
    expect(await store.send('Hi')).toMatchObject({ kind: 'refused' });
    expect(store.getState()).toMatchObject({ status: 'failed', problem: 'gone' });
    isBroken = false;
    expect(await store.send('Hi')).toMatchObject({ kind: 'completed' });
  });
});
