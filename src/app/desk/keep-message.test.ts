import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { createSessionUi } from '../../features/session/session-ui.ts';
import { createDrafts } from '../../platform/store/drafts.ts';
import { createMemoryStorage } from '../../platform/store/memory-store.ts';
import type { SessionsState } from '../../stores/session-types.ts';
import { keepMessage } from './keep-message.ts';

const setUp = async (storage = createMemoryStorage()) => {
  const drafts = createDrafts({
    storage,
    now: () => 1,
    setTimer: () => 0,
    clearTimer: () => undefined,
    onError: (thrown) => {
      throw thrown;
    },
  });
  const begun = JSON.stringify({ version: 1, enterSends: false, hasBegun: true });
  const ui = createSessionUi({ storage: { getItem: () => begun, setItem: () => undefined }, firstDraft: 'Try this' });
  const sessions = createStore(() => ({ written: 0 }) as SessionsState);
  await keepMessage({ drafts, ui, sessions });
  const stored = async (): Promise<readonly string[]> => {
    await drafts.flush();
    return (await storage.list('drafts')).map(({ text }) => text);
  };
  return { storage, ui, sessions, stored };
};

describe('the message in the composer', () => {
  it('DURA3: is there again after the page died while it was written', async () => {
    const { storage, ui, stored } = await setUp();
    ui.write('Please look at');
    ui.write('Please look at this');
    expect(await stored()).toEqual(['Please look at this']);
    expect((await setUp(storage)).ui.getState().draft).toBe('Please look at this');
  });

  it('DURA3: stays a draft while it is sent, until the database has it', async () => {
    const { ui, sessions, stored } = await setUp();
    ui.write('Go');
    ui.handOver();
    expect(ui.getState().draft).toBe('');
    expect(await stored()).toEqual(['Go']);
    sessions.setState({ written: 1 });
    expect(await stored()).toEqual([]);
  });

  it('DURA3: is dropped when it is emptied by hand, and kept when the session gives it back', async () => {
    const { ui, stored } = await setUp();
    ui.write('Go');
    ui.write('');
    expect(await stored()).toEqual([]);
    ui.write('Again');
    ui.handOver();
    ui.write('Again');
    ui.handedOver();
    expect(await stored()).toEqual(['Again']);
  });
});
