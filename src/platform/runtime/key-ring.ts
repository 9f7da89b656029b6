/** The keys of providers: in memory, or on request kept for the next visit in the vault. */
import { createEmitter } from '../../base/emitter.ts';
import { ok, type Result } from '../../base/result.ts';
import type { ProviderId } from '../../model/provider/types.ts';
import type { Vault, VaultProblem, VaultState } from '../store/vault.ts';

export type KeyPlace = 'none' | 'memory' | 'vault';
export type KeyProvider = Exclude<ProviderId, 'simulator'>;

export const KEY_PROVIDERS: readonly KeyProvider[] = ['anthropic', 'openai', 'openrouter', 'compatible'];

/** Says where keys are, never what they are. The same object until something changes. */
export interface KeyFacts {
  readonly vault: VaultState;
  readonly places: Readonly<Record<KeyProvider, KeyPlace>>;
}

type Answer = Promise<Result<void, VaultProblem>>;

export interface KeyRing {
  /** Empty: none exists. */
  readonly get: (provider: ProviderId) => string;
  readonly facts: () => KeyFacts;
  readonly subscribe: (listener: () => void) => () => void;
  /** Until the page is closed. */
  readonly hold: (provider: KeyProvider, key: string) => void;
  /** For the next visit too; the vault must be unlocked. */
  readonly save: (provider: KeyProvider, key: string) => Answer;
  readonly createVault: (passphrase: string) => Answer;
  readonly unlock: (passphrase: string) => Answer;
  readonly lock: () => void;
  readonly forget: (provider: KeyProvider) => Answer;
  /** Works without the passphrase. */
  readonly forgetSaved: () => Promise<void>;
}

export const createKeyRing = async (vault: Vault): Promise<KeyRing> => {
  const held = new Map<KeyProvider, string>();
  const changes = createEmitter<undefined>();
  let vaultState = await vault.state();

  const placeOf = (provider: KeyProvider): KeyPlace => {
    if (held.has(provider)) return 'memory';
    return vault.get(provider) === undefined ? 'none' : 'vault';
  };
  const look = (): KeyFacts => ({
    vault: vaultState,
    places: {
      anthropic: placeOf('anthropic'),
      openai: placeOf('openai'),
      openrouter: placeOf('openrouter'),
      compatible: placeOf('compatible'),
    },
  });
  let facts = look();
  const changed = async (): Promise<void> => {
    vaultState = await vault.state();
    facts = look();
    changes.emit(undefined);
  };
  const told = async (answer: Answer): Answer => {
    const result = await answer;
    await changed();
    return result;
  };

  return {
    get: (provider) => (provider === 'simulator' ? '' : (held.get(provider) ?? vault.get(provider) ?? '')),
    facts: () => facts,
    subscribe: (listener) => {
      const subscription = changes.subscribe(listener);
      return () => subscription[Symbol.dispose]();
    },
    hold: (provider, key) => {
      held.set(provider, key.trim());
      facts = look();
      changes.emit(undefined);
    },
    save: async (provider, key) => {
      const saved = await vault.save(provider, key.trim());
      // An older one in memory would hide it.
      if (saved.ok) held.delete(provider);
      await changed();
      return saved;
    },
    createVault: (passphrase) => told(vault.create(passphrase)),
    unlock: (passphrase) => told(vault.unlock(passphrase)),
    lock: () => {
      vault.lock();
      void changed();
    },
    forget: async (provider) => {
      held.delete(provider);
      const answer = vault.get(provider) === undefined ? ok(undefined) : await vault.forget(provider);
      await changed();
      return answer;
    },
    forgetSaved: async () => {
      await vault.forgetAll();
      await changed();
    },
  };
};
