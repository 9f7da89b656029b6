/** Forms that wait for a person, and the vault that they fill. Anyone who asks waits for the answer; a turn that is stopped takes its form away. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AskInputs, CredentialStore, CredentialValues, InputForm } from '../../model/executor/types.ts';
import type { KeyRing } from '../../platform/runtime/key-ring.ts';

export interface WaitingForm {
  readonly id: number;
  readonly form: InputForm;
  readonly vault: 'unlocked' | 'locked' | 'empty';
  /** Opens or makes the vault. Says what is wrong. */
  readonly onPassphrase: (passphrase: string) => Promise<string | undefined>;
  /** What the vault held already, once it is open: then nothing has to be typed. */
  readonly kept: () => CredentialValues | undefined;
  readonly answer: (values: CredentialValues | undefined) => void;
}

export interface CredentialForms extends Pick<
  StoreApi<{ readonly waiting: readonly WaitingForm[] }>,
  'getState' | 'getInitialState' | 'subscribe'
> {
  readonly askInputs: AskInputs;
}

export interface CredentialFormsDeps {
  readonly keys: Pick<KeyRing, 'facts' | 'createVault' | 'unlock'>;
  readonly credentials: Pick<CredentialStore, 'values'>;
}

export const createCredentialForms = ({ keys, credentials }: CredentialFormsDeps): CredentialForms => {
  const store = createStore<{ readonly waiting: readonly WaitingForm[] }>(() => ({ waiting: [] }));
  let last = 0;

  const kept = ({ binding, owner, fields, reason }: InputForm): CredentialValues | undefined => {
    // What has expired is asked for again, whatever the vault says.
    const values = reason === 'expired' ? undefined : credentials.values(binding, owner);
    return values && fields.every(({ name }) => (values[name] ?? '') !== '') ? values : undefined;
  };

  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    askInputs: (form) =>
      new Promise((resolve) => {
        const id = ++last;
        const answer = (values: CredentialValues | undefined): void => {
          store.setState(({ waiting }) => ({ waiting: waiting.filter((item) => item.id !== id) }));
          resolve(values);
        };
        if (form.signal.aborted) {
          resolve(undefined);
          return;
        }
        form.signal.addEventListener('abort', () => answer(undefined), { once: true });
        const { vault } = keys.facts();
        const onPassphrase = async (passphrase: string): Promise<string | undefined> => {
          const opened = await (vault === 'empty' ? keys.createVault(passphrase) : keys.unlock(passphrase));
          return opened.ok ? undefined : opened.error.message;
        };
        store.setState(({ waiting }) => ({
          waiting: [...waiting, { id, form, vault, onPassphrase, kept: () => kept(form), answer }],
        }));
      }),
  };
};
