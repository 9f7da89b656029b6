import { webcrypto } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { testSigner, testVerify } from '../../model/importer/testing/test-signer.ts';
import { createMyData } from '../store/my-data.ts';
import { createMemoryStorage } from '../store/memory-store.ts';
import { createSettings } from '../store/settings.ts';
import { createVault } from '../store/vault.ts';
import { createVerify, createWebKey, softwareKey, softwareVerify } from './ed25519.ts';
import { createSigningKeys, toHex } from './signing-keys.ts';
import { createVaultCredentials } from './vault-credentials.ts';

const crypto = webcrypto as unknown as Crypto;
const bytes = new TextEncoder().encode('the final bytes of a manifest');
/** A host whose WebCrypto does not know the curve. */
const oldCrypto = new Proxy(crypto, {
  get: (target, key) =>
    key === 'subtle'
      ? { generateKey: () => Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError')) }
      : key === 'getRandomValues'
        ? target.getRandomValues.bind(target)
        : undefined,
});

describe('Ed25519', () => {
  it('KY1: three ways, one signature', async () => {
    const node = testSigner();
    const software = await softwareKey(new Uint8Array(32).fill(7));
    const { key: web } = await createWebKey(crypto.subtle);
    expect(toHex(software.publicKey)).toBe(toHex(node.publicKey));
    expect(toHex(await software.sign(bytes))).toBe(toHex(await node.sign(bytes)));
    const verifies = [createVerify(crypto.subtle), softwareVerify, testVerify, createVerify(oldCrypto.subtle)];
    for (const key of [node, software, web]) {
      const signature = await key.sign(bytes);
      for (const verify of verifies) {
        expect(await verify(key.publicKey, signature, bytes)).toBe(true);
        expect(await verify(key.publicKey, signature, bytes.slice(1))).toBe(false);
      }
    }
  });

  it('KY1: what is no key and no signature is not a match', async () => {
    const verify = createVerify(crypto.subtle);
    expect(await verify(new Uint8Array(31), new Uint8Array(64), bytes)).toBe(false);
    expect(await verify(new Uint8Array(32).fill(255), new Uint8Array(64).fill(255), bytes)).toBe(false);
    expect(await softwareVerify(new Uint8Array(32).fill(255), new Uint8Array(64).fill(255), bytes)).toBe(false);
  });
});

describe('keys of a browser', () => {
  it('KY2: made once, not readable, kept', async () => {
    const storage = createMemoryStorage();
    const deps = { settings: createSettings(storage), crypto };
    const first = await createSigningKeys(deps).own();
    const second = await createSigningKeys(deps).own();
    expect(first.kind).toBe('webcrypto');
    expect(toHex(second.publicKey)).toBe(toHex(first.publicKey));
    const row = storage.rows('settings')[0] as { value: { privateKey: CryptoKey } };
    expect(row.value.privateKey.extractable).toBe(false);
  });

  it('KY2: in an old browser its seed is in memory, and in an open vault', async () => {
    const storage = createMemoryStorage();
    const settings = createSettings(storage);
    const vault = createVault({ storage, crypto });
    const shut = createSigningKeys({ settings, crypto: oldCrypto, vault });
    expect((await shut.own()).kind).toBe('software');
    expect(storage.rows('settings')).toEqual([]);
    await vault.create('a long passphrase');
    const kept = await createSigningKeys({ settings, crypto: oldCrypto, vault }).exportPublic();
    expect(await createSigningKeys({ settings, crypto: oldCrypto, vault }).exportPublic()).toBe(kept);
  });

  it('KY3: trusted keys, and an export without private ones', async () => {
    const storage = createMemoryStorage();
    const keys = createSigningKeys({ settings: createSettings(storage), crypto });
    const other = toHex(testSigner().publicKey);
    expect((await keys.trust('ada', 'nonsense')).ok).toBe(false);
    await keys.trust('ada', other);
    expect((await keys.trusted()).map(({ name }) => name)).toEqual(['this browser', 'ada']);
    let text = '';
    for await (const piece of createMyData({ storage, now: () => 0 }).exportAll()) text += piece;
    expect(text).toContain(other);
    expect(text).not.toMatch(/"d":|"k":|BEGIN PRIVATE/);
    expect(
      (JSON.parse(text) as { settings: { key: string; value: { privateKey: unknown } }[] }).settings.find(
        ({ key }) => key === 'signing.key',
      )?.value.privateKey,
    ).toEqual({});
    await keys.distrust(other);
    expect(await keys.trusted()).toHaveLength(1);
  });
});

describe('credentials in the vault', () => {
  const SECRET = 'desk-token-98765';

  it('VC1: encrypted, with states; nothing without the passphrase', async () => {
    const storage = createMemoryStorage();
    let now = 1000;
    const vault = createVault({ storage, crypto });
    const credentials = createVaultCredentials({ vault, now: () => now });
    expect(await credentials.save('desk', { TOKEN: SECRET }, 'ada')).toContain('locked');
    await vault.create('a long passphrase');
    expect(await credentials.save('desk', { TOKEN: SECRET }, 'ada', 5000)).toBeUndefined();
    expect(credentials.values('desk', 'ada')).toEqual({ TOKEN: SECRET });
    expect(credentials.list()).toMatchObject([
      { binding: 'desk', fields: ['TOKEN'], state: 'configured', savedAt: 1000 },
    ]);
    expect(JSON.stringify(credentials.list())).not.toContain(SECRET);
    // CR5: nobody but the owner gets it, or can say that it has expired.
    expect(credentials.values('desk', 'eve')).toBeUndefined();
    await credentials.expire('desk', 'eve');
    expect(credentials.list()[0]?.state).toBe('configured');
    now = 6000;
    expect(credentials.list()[0]?.state).toBe('expired');
    expect(credentials.values('desk', 'ada')).toBeUndefined();

    const [sealed] = storage.rows('vault') as { data: Uint8Array }[];
    const raw = new TextDecoder('latin1').decode(sealed?.data);
    expect(raw).not.toContain(SECRET);
    let text = '';
    for await (const piece of createMyData({ storage, now: () => 0 }).exportAll()) text += piece;
    expect(text).not.toContain(SECRET);

    const later = createVault({ storage, crypto });
    const locked = createVaultCredentials({ vault: later, now: () => 0 });
    expect(locked.values('desk', 'ada')).toBeUndefined();
    expect(await later.unlock('another passphrase')).toMatchObject({ ok: false, error: { code: 'wrong-passphrase' } });
    expect(locked.list()).toEqual([]);
    expect(await later.unlock('a long passphrase')).toMatchObject({ ok: true });
    expect(locked.values('desk', 'ada')).toEqual({ TOKEN: SECRET });
    expect(await locked.remove('desk')).toBe(true);
    expect(await locked.remove('desk')).toBe(false);
  });

  it('VC1: a changed ciphertext is refused', async () => {
    const storage = createMemoryStorage();
    const vault = createVault({ storage, crypto });
    await vault.create('a long passphrase');
    await createVaultCredentials({ vault, now: () => 0 }).save('desk', { TOKEN: SECRET }, 'ada');
    const row = storage.rows('vault')[0] as { data: Uint8Array };
    const data = new Uint8Array(row.data);
    data[3] = (data[3] ?? 0) ^ 1;
    storage.plant('vault', ['keys'], { ...row, data });
    const later = createVault({ storage, crypto });
    expect((await later.unlock('a long passphrase')).ok).toBe(false);
    expect(createVaultCredentials({ vault: later, now: () => 0 }).values('desk', 'ada')).toBeUndefined();
  });
});
