/** Ed25519, wherever it comes from. Keys and signatures are raw bytes: 32 and 64 of them. */

export interface Signer {
  readonly publicKey: Uint8Array;
  readonly sign: (bytes: Uint8Array) => Promise<Uint8Array>;
}

export type VerifySignature = (publicKey: Uint8Array, signature: Uint8Array, bytes: Uint8Array) => Promise<boolean>;

export interface TrustedKey {
  /** Whose it is. */
  readonly name: string;
  readonly publicKey: Uint8Array;
}
