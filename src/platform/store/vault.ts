/**
 * Keys of providers, on request kept for the next visit, encrypted with a passphrase. One record holds all of them:
 *
 *   passphrase → PBKDF2-SHA256 (600,000 rounds, 16 random bytes of salt) → AES-256-GCM (12 random bytes of iv, new at each write)
 *
 * version and rounds are authenticated with it. Nothing but that record is written; open keys live in memory until `lock`.
 */
import { errorName } from '../../base/errors.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { codePointLength } from '../../base/text.ts';
import { z } from '../../model/zod.ts';
import type { VaultRow } from './schema.ts';
import type { Storage } from './storage.ts';

const VAULT_ITERATIONS = 600_000;
const MIN_PASSPHRASE = 8;

export type VaultState = 'empty' | 'locked' | 'unlocked';

export interface VaultProblem {
  readonly code: 'wrong-passphrase' | 'weak-passphrase' | 'locked' | 'exists' | 'empty' | 'damaged';
  readonly message: string;
}

type Answer = Result<void, VaultProblem>;

export interface Vault {
  readonly state: () => Promise<VaultState>;
  /** A new, unlocked vault without keys. */
  readonly create: (passphrase: string) => Promise<Answer>;
  readonly unlock: (passphrase: string) => Promise<Answer>;
  readonly lock: () => void;
  readonly save: (provider: string, key: string) => Promise<Answer>;
  /** Nothing while it is locked. */
  readonly get: (provider: string) => string | undefined;
  readonly providers: () => readonly string[];
  readonly forget: (provider: string) => Promise<Answer>;
  /** Works without the passphrase: a person who forgot it can start again. */
  readonly forgetAll: () => Promise<void>;
}

const problem = (code: VaultProblem['code'], message: string): Result<never, VaultProblem> => err({ code, message });
const LOCKED = problem('locked', 'The keys are locked. Unlock them with your passphrase first.');
const keysSchema = z.record(z.string(), z.string());

const encoder = new TextEncoder();
const decoder = new TextDecoder();
type Bytes = Uint8Array<ArrayBuffer>;

const context = (iterations: number): Bytes => encoder.encode(`lathe vault 1 ${iterations}`);

/** The same passphrase, however its accents were typed. */
const deriveKey = async (
  { subtle }: Crypto,
  passphrase: string,
  salt: Bytes,
  iterations: number,
): Promise<CryptoKey> => {
  const secret = encoder.encode(passphrase.normalize('NFKC'));
  const material = await subtle.importKey('raw', secret, 'PBKDF2', false, ['deriveKey']);
  return subtle.deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt, iterations },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
};

interface OpenVault {
  readonly key: CryptoKey;
  readonly salt: Bytes;
  readonly iterations: number;
  readonly keys: ReadonlyMap<string, string>;
}

export const createVault = ({ storage, crypto }: { readonly storage: Storage; readonly crypto: Crypto }): Vault => {
  let open: OpenVault | undefined;
  const load = (): Promise<VaultRow | undefined> => storage.get('vault', ['keys']);

  const seal = async ({ key, salt, iterations, keys }: OpenVault): Promise<void> => {
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const text = encoder.encode(JSON.stringify(Object.fromEntries(keys)));
    const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: context(iterations) }, key, text);
    const row: VaultRow = { id: 'keys', version: 1, iterations, salt, iv, data: new Uint8Array(data) };
    await storage.write([{ kind: 'put', table: 'vault', row }]);
  };

  const change = async (edit: (keys: Map<string, string>) => void): Promise<Answer> => {
    if (!open) return LOCKED;
    const keys = new Map(open.keys);
    edit(keys);
    const next = { ...open, keys };
    await seal(next);
    open = next;
    return ok(undefined);
  };

  return {
    state: async () => {
      if (open) return 'unlocked';
      return (await load()) ? 'locked' : 'empty';
    },
    create: async (passphrase) => {
      if (await load())
        return problem('exists', 'This browser already has saved keys. Unlock them, or remove them first.');
      if (codePointLength(passphrase) < MIN_PASSPHRASE) {
        return problem(
          'weak-passphrase',
          `Use a passphrase of at least ${MIN_PASSPHRASE} characters; several words are best.`,
        );
      }
      const salt = crypto.getRandomValues(new Uint8Array(16));
      const key = await deriveKey(crypto, passphrase, salt, VAULT_ITERATIONS);
      const made: OpenVault = { key, salt, iterations: VAULT_ITERATIONS, keys: new Map() };
      await seal(made);
      open = made;
      return ok(undefined);
    },
    unlock: async (passphrase) => {
      const row = await load();
      if (!row) return problem('empty', 'No keys are saved in this browser.');
      // A record with fewer rounds is none of ours.
      if (row.iterations < VAULT_ITERATIONS)
        return problem('damaged', 'The saved keys are damaged. Remove them and enter them again.');
      const key = await deriveKey(crypto, passphrase, row.salt, row.iterations);
      let text: string;
      try {
        const opened = await crypto.subtle.decrypt(
          { name: 'AES-GCM', iv: row.iv, additionalData: context(row.iterations) },
          key,
          row.data,
        );
        text = decoder.decode(opened);
      } catch (thrown) {
        if (errorName(thrown) !== 'OperationError') throw thrown;
        return problem('wrong-passphrase', 'Wrong passphrase. Try again, or remove the saved keys.');
      }
      const keys = keysSchema.parse(JSON.parse(text));
      open = { key, salt: row.salt, iterations: row.iterations, keys: new Map(Object.entries(keys)) };
      return ok(undefined);
    },
    lock: () => {
      open = undefined;
    },
    save: (provider, key) => change((keys) => keys.set(provider, key)),
    get: (provider) => open?.keys.get(provider),
    providers: () => [...(open?.keys.keys() ?? [])].toSorted(),
    forget: (provider) => change((keys) => keys.delete(provider)),
    forgetAll: async () => {
      open = undefined;
      await storage.write([{ kind: 'clear', table: 'vault' }]);
    },
  };
};
