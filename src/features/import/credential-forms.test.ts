import { webcrypto } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { InputForm } from '../../model/executor/types.ts';
import { createVaultCredentials } from '../../platform/importer/vault-credentials.ts';
import { createKeyRing } from '../../platform/runtime/key-ring.ts';
import { createMemoryStorage } from '../../platform/store/memory-store.ts';
import { createVault } from '../../platform/store/vault.ts';
import { createCredentialForms } from './credential-forms.ts';

const crypto = webcrypto as unknown as Crypto;

const formOf = (signal: AbortSignal, reason: InputForm['reason'] = 'missing'): InputForm => ({
  executor: 'read_events',
  skill: 'desk by Ada',
  owner: 'ada',
  binding: 'desk',
  title: 'desk',
  fields: [{ name: 'TOKEN', prompt: 'Token', kind: 'token' }],
  reason,
  signal,
});

const open = async (storage = createMemoryStorage()) => {
  const vault = createVault({ storage, crypto });
  const keys = await createKeyRing(vault);
  const credentials = createVaultCredentials({ vault, now: () => 0 });
  return { storage, keys, credentials, forms: createCredentialForms({ keys, credentials }) };
};

describe('forms for credentials', () => {
  it('IP4: one waits until a person answers', async () => {
    const { forms } = await open();
    const { signal } = new AbortController();
    const answer = forms.askInputs(formOf(signal));
    const [waiting] = forms.getState().waiting;
    expect(waiting?.vault).toBe('empty');
    expect(await waiting?.onPassphrase('short')).toContain('at least 8');
    expect(await waiting?.onPassphrase('a long passphrase')).toBeUndefined();
    expect(waiting?.kept()).toBeUndefined();
    waiting?.answer({ TOKEN: 'abc' });
    expect(await answer).toEqual({ TOKEN: 'abc' });
    expect(forms.getState().waiting).toEqual([]);
  });

  it('IP4: a locked vault that has the values is opened, and nothing is typed', async () => {
    const first = await open();
    await first.keys.createVault('a long passphrase');
    await first.credentials.save('desk', { TOKEN: 'abc' }, 'ada');
    const { forms } = await open(first.storage);
    const { signal } = new AbortController();
    void forms.askInputs(formOf(signal));
    const [waiting] = forms.getState().waiting;
    expect([waiting?.vault, waiting?.kept()]).toEqual(['locked', undefined]);
    expect(await waiting?.onPassphrase('a wrong passphrase')).toContain('Wrong passphrase');
    expect(await waiting?.onPassphrase('a long passphrase')).toBeUndefined();
    expect(waiting?.kept()).toEqual({ TOKEN: 'abc' });
  });

  it('IP4: what has expired is asked for again', async () => {
    const { forms, keys, credentials } = await open();
    await keys.createVault('a long passphrase');
    await credentials.save('desk', { TOKEN: 'abc' }, 'ada');
    void forms.askInputs(formOf(new AbortController().signal, 'expired'));
    expect(forms.getState().waiting[0]?.kept()).toBeUndefined();
  });

  it('IP4: a turn that is stopped takes its form away', async () => {
    const { forms } = await open();
    const stop = new AbortController();
    const answer = forms.askInputs(formOf(stop.signal));
    stop.abort();
    expect(await answer).toBeUndefined();
    expect(forms.getState().waiting).toEqual([]);
    expect(await forms.askInputs(formOf(stop.signal))).toBeUndefined();
  });
});
