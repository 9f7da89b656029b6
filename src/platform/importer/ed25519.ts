/** Ed25519 by WebCrypto where the host has it, else by @noble/ed25519, which is loaded only then. */
import type { Signer, VerifySignature } from '../../model/signing/types.ts';

type Bytes = Uint8Array<ArrayBuffer>;
const copy = (bytes: Uint8Array): Bytes => new Uint8Array(bytes);

export interface SigningKey extends Signer {
  /** `webcrypto`: nobody can read the private part, this page included. `software`: it lives in memory. */
  readonly kind: 'webcrypto' | 'software';
}

/** Whether the host signs by itself; older browsers do not. */
export const hasEd25519 = async (subtle: SubtleCrypto): Promise<boolean> => {
  try {
    await subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify']);
    return true;
  } catch (thrown) {
    if (thrown instanceof Error) return false;
    throw thrown;
  }
};

export const webKey = async (
  subtle: SubtleCrypto,
  privateKey: CryptoKey,
  publicKey: Uint8Array,
): Promise<SigningKey> => ({
  kind: 'webcrypto',
  publicKey,
  sign: async (bytes) => new Uint8Array(await subtle.sign({ name: 'Ed25519' }, privateKey, copy(bytes))),
});

/** A key whose private part cannot be read. */
export const createWebKey = async (
  subtle: SubtleCrypto,
): Promise<{ readonly key: SigningKey; readonly privateKey: CryptoKey }> => {
  const { privateKey, publicKey } = await subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify']);
  const raw = new Uint8Array(await subtle.exportKey('raw', publicKey));
  return { key: await webKey(subtle, privateKey, raw), privateKey };
};

/** From 32 secret bytes. */
export const softwareKey = async (seed: Uint8Array): Promise<SigningKey> => {
  const { getPublicKeyAsync, signAsync } = await import('@noble/ed25519');
  const secret = copy(seed);
  return {
    kind: 'software',
    publicKey: await getPublicKeyAsync(secret),
    sign: async (bytes) => signAsync(copy(bytes), secret),
  };
};

export const softwareVerify: VerifySignature = async (publicKey, signature, bytes) => {
  const { verifyAsync } = await import('@noble/ed25519');
  try {
    return await verifyAsync(copy(signature), copy(bytes), copy(publicKey), { zip215: false });
  } catch (thrown) {
    // Bytes that are not a point of the curve.
    if (thrown instanceof Error) return false;
    throw thrown;
  }
};

/** By WebCrypto, and by software where that does not know Ed25519. */
export const createVerify = (subtle: SubtleCrypto): VerifySignature => {
  let isKnown: Promise<boolean> | undefined;
  return async (publicKey, signature, bytes) => {
    isKnown ??= hasEd25519(subtle);
    if (!(await isKnown)) return softwareVerify(publicKey, signature, bytes);
    if (publicKey.length !== 32 || signature.length !== 64) return false;
    try {
      const key = await subtle.importKey('raw', copy(publicKey), { name: 'Ed25519' }, false, ['verify']);
      return await subtle.verify({ name: 'Ed25519' }, key, copy(signature), copy(bytes));
    } catch (thrown) {
      if (thrown instanceof Error) return false;
      throw thrown;
    }
  };
};
