import { describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../platform/store/memory-store.ts';
import { createConsents } from '../platform/store/trust.ts';
import { createConsentStore } from './consent-store.ts';

const loop = { skill: 'loop', hash: 'h1', files: [{ path: 'SKILL.star', bytes: 3 }] };

const setup = () => {
  const storage = createMemoryStorage();
  let time = 1;
  const consents = createConsents({ storage, now: () => time++ });
  return { storage, consents, store: createConsentStore(consents) };
};

describe('consent', () => {
  it('POL5: a question is open until it is answered; a yes is in the book before the program starts', async () => {
    const { store } = setup();
    const asked = store.askForTrust(loop);
    expect(store.getState().questions).toEqual([loop]);
    await store.answer('h1', true);
    expect(await asked).toBe(true);
    expect(await store.isTrusted('h1')).toBe(true);
    expect(store.getState()).toEqual({ questions: [], given: [{ hash: 'h1', skill: 'loop', givenAt: 1 }] });
  });

  it('POL5: a no leaves the book as it was', async () => {
    const { store } = setup();
    const asked = store.askForTrust(loop);
    await store.answer('h1', false);
    expect([await asked, await store.isTrusted('h1')]).toEqual([false, false]);
    expect(store.getState().questions).toEqual([]);
  });

  it('POL5: two starts of one program ask one question; other files are another one', async () => {
    const { store } = setup();
    const asked = [store.askForTrust(loop), store.askForTrust(loop)];
    const other = store.askForTrust({ ...loop, hash: 'h2' });
    expect(store.getState().questions.map(({ hash }) => hash)).toEqual(['h1', 'h2']);
    await store.answer('h1', true);
    expect(await Promise.all(asked)).toEqual([true, true]);
    expect(store.getState().questions.map(({ hash }) => hash)).toEqual(['h2']);
    await store.answer('h2', false);
    expect(await other).toBe(false);
  });

  it('POL5: a question is withdrawn when nobody waits for it any longer', async () => {
    const { store } = setup();
    const [one, other] = [new AbortController(), new AbortController()];
    const asked = [store.askForTrust(loop, one.signal), store.askForTrust(loop, other.signal)];
    one.abort();
    expect(await asked[0]).toBe(false);
    expect(store.getState().questions).toEqual([loop]);
    other.abort();
    expect(await asked[1]).toBe(false);
    expect(store.getState().questions).toEqual([]);
    expect(await store.askForTrust(loop, one.signal)).toBe(false);
    expect(store.getState().questions).toEqual([]);
    // Asked again, it is a question of its own.
    const again = store.askForTrust(loop);
    await store.answer('h1', true);
    expect(await again).toBe(true);
  });

  it('POL6: what was revoked, here or in another tab, is not trusted at the next start', async () => {
    const { store, consents } = setup();
    await consents.give('h1', 'loop');
    await consents.give('h2', 'loop');
    await store.look();
    expect(store.getState().given.map(({ hash }) => hash)).toEqual(['h2', 'h1']);
    await store.revoke('h1');
    expect(await store.isTrusted('h1')).toBe(false);
    expect(store.getState().given.map(({ hash }) => hash)).toEqual(['h2']);
    await consents.revoke('h2');
    expect(await store.isTrusted('h2')).toBe(false);
  });

  it('POL5: consent that could not be stored is not consent, and the question stays', async () => {
    const { consents } = setup();
    const store = createConsentStore({ ...consents, give: () => Promise.reject(new Error('no room')) });
    const asked = store.askForTrust(loop);
    await expect(store.answer('h1', true)).rejects.toThrow('no room');
    expect(store.getState().questions).toEqual([loop]);
    await store.answer('h1', false);
    expect(await asked).toBe(false);
  });
});
