/** Ed25519 by Node, with a key that is made of one byte, so that signatures are the same each time. */
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { Signer, VerifySignature } from '../../signing/types.ts';

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

export const testSigner = (seed = 7): Signer => {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, Buffer.alloc(32, seed)]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    publicKey: new Uint8Array(spki.subarray(-32)),
    sign: (bytes) => Promise.resolve(new Uint8Array(sign(null, bytes, key))),
  };
};

export const testVerify: VerifySignature = (publicKey, signature, bytes) => {
  const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' });
  return Promise.resolve(verify(null, bytes, key, signature));
};
