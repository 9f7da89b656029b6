/** The terminal's signing key: a file that only its owner can read. Every `*.pub` beside it is trusted. */
import { createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Signer, TrustedKey, VerifySignature } from '../../model/signing/types.ts';

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

export const keysFolder = (given: string | undefined): string =>
  given ?? process.env['LATHE_KEYS'] ?? join(homedir(), '.config', 'lathe', 'keys');

/** Made at the first use. */
export const nodeSigner = (folder: string): Signer => {
  const path = join(folder, 'author.key');
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, randomBytes(32), { mode: 0o600, flag: 'wx' });
  }
  const seed = readFileSync(path);
  if (seed.length !== 32) throw new Error(`${path} isn’t a Lathe key. A key has 32 bytes`);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32));
  if (!existsSync(join(folder, 'author.pub'))) writeFileSync(join(folder, 'author.pub'), publicKey);
  return { publicKey, sign: (bytes) => Promise.resolve(new Uint8Array(sign(null, bytes, key))) };
};

export const nodeTrusted = (folder: string): readonly TrustedKey[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.pub'))
        .toSorted()
        .map((name) => ({ name: name.slice(0, -4), publicKey: new Uint8Array(readFileSync(join(folder, name))) }))
        .filter(({ publicKey }) => publicKey.length === 32)
    : [];

export const nodeVerify: VerifySignature = (publicKey, signature, bytes) => {
  const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' });
  return Promise.resolve(verify(null, bytes, key, signature));
};
