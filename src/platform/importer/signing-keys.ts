/**
 * This browser's own signing key, and the public keys that are trusted beside it. The private part cannot be read where the browser knows
 * Ed25519; elsewhere it is kept in memory, and in the vault while that is open. Only public parts are ever exported.
 */
import { err, ok, type Result } from '../../base/result.ts';
import type { TrustedKey } from '../../model/signing/types.ts';
import { fingerprint } from '../../model/signing/verify.ts';
import { z } from '../../model/zod.ts';
import type { Settings } from '../store/settings.ts';
import type { Vault } from '../store/vault.ts';
import { createWebKey, hasEd25519, softwareKey, webKey, type SigningKey } from './ed25519.ts';

const KEY = 'signing.key';
const TRUSTED = 'signing.trusted';
const VAULT_KEY = 'signing:seed';

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array && value.length === 32);
const keySchema = z.object({
  version: z.literal(1),
  privateKey: z.custom<CryptoKey>((value) => typeof value === 'object' && value !== null && 'extractable' in value),
  publicKey: bytes,
});
const trustedSchema = z.array(z.object({ name: z.string(), publicKey: z.string() }));

export const toHex = (data: Uint8Array): string =>
  Array.from(data, (byte) => byte.toString(16).padStart(2, '0')).join('');
const fromHex = (text: string): Uint8Array | undefined =>
  /^[0-9a-f]{64}$/i.test(text)
    ? Uint8Array.from({ length: 32 }, (_, index) => Number.parseInt(text.slice(index * 2, index * 2 + 2), 16))
    : undefined;

export interface SigningKeys {
  /** Made at the first use. */
  readonly own: () => Promise<SigningKey>;
  readonly trusted: () => Promise<readonly TrustedKey[]>;
  /** Those beside the own one, as hex digits. */
  readonly others: () => Promise<readonly { readonly name: string; readonly publicKey: string }[]>;
  /** `name` and 64 hex digits, as `exportPublic` writes them. */
  readonly trust: (name: string, publicKey: string) => Promise<Result<void, string>>;
  readonly distrust: (publicKey: string) => Promise<void>;
  readonly exportPublic: () => Promise<string>;
}

export interface SigningKeysDeps {
  readonly settings: Settings;
  readonly crypto: Crypto;
  /** Keeps the key's seed where the browser cannot keep a key of its own. */
  readonly vault?: Pick<Vault, 'get' | 'save' | 'state'>;
}

export const createSigningKeys = ({ settings, crypto, vault }: SigningKeysDeps): SigningKeys => {
  const { subtle } = crypto;
  let current: Promise<SigningKey> | undefined;

  const load = async (): Promise<SigningKey> => {
    if (await hasEd25519(subtle)) {
      const stored = keySchema.safeParse(await settings.get(KEY));
      if (stored.success) return webKey(subtle, stored.data.privateKey, stored.data.publicKey);
      const { key, privateKey } = await createWebKey(subtle);
      await settings.set(KEY, { version: 1, privateKey, publicKey: key.publicKey });
      return key;
    }
    const kept = vault?.get(VAULT_KEY);
    const seed = (kept === undefined ? undefined : fromHex(kept)) ?? crypto.getRandomValues(new Uint8Array(32));
    if (vault && kept === undefined && (await vault.state()) === 'unlocked') await vault.save(VAULT_KEY, toHex(seed));
    return softwareKey(seed);
  };

  const own = (): Promise<SigningKey> => (current ??= load());
  const others = async (): Promise<z.infer<typeof trustedSchema>> => {
    const parsed = trustedSchema.safeParse(await settings.get(TRUSTED));
    return parsed.success ? parsed.data : [];
  };

  return {
    own,
    others,
    trusted: async () => [
      { name: 'this browser', publicKey: (await own()).publicKey },
      ...(await others()).flatMap(({ name, publicKey }) => {
        const key = fromHex(publicKey);
        return key ? [{ name, publicKey: key }] : [];
      }),
    ],
    trust: async (name, publicKey) => {
      const key = fromHex(publicKey.trim());
      if (!key) return err('A public key is 64 hex digits.');
      const rest = (await others()).filter((item) => item.publicKey !== toHex(key));
      await settings.set(TRUSTED, [...rest, { name: name.trim() || fingerprint(key), publicKey: toHex(key) }]);
      return ok(undefined);
    },
    distrust: async (publicKey) => {
      const rest = (await others()).filter((item) => item.publicKey !== publicKey);
      await settings.set(TRUSTED, rest);
    },
    exportPublic: async () => toHex((await own()).publicKey),
  };
};
