/** Whether something is still what was signed. Asked at every load; a reason disables it (L1). */
import { sha256 } from '../../base/hash.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { digestFiles, type Files } from './digest.ts';
import { readManifest, readPlainManifest, type Manifest, type PlainManifest } from './manifest.ts';
import type { TrustedKey, VerifySignature } from './types.ts';

export interface Verified<M> {
  readonly manifest: M;
  /** Whose key it was. */
  readonly signedBy: string;
  /** Only what the digest covers: nothing else may reach the sandbox. */
  readonly files: Files;
}

export interface VerifyInput {
  /** Paths as the manifest names them. */
  readonly files: Files;
  readonly trusted: readonly TrustedKey[];
  readonly verify: VerifySignature;
}

export const fingerprint = (publicKey: Uint8Array): string => sha256(publicKey).slice(0, 16);

const decoder = new TextDecoder('utf-8', { fatal: true });

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes);
  } catch (thrown) {
    if (thrown instanceof TypeError) return undefined;
    throw thrown;
  }
};

type Read<M> = (text: string) => Result<M, string>;
interface Coded {
  readonly code: { readonly files: readonly string[]; readonly digest: string };
}

const verifySigned = async <M extends Coded>(
  { files, trusted, verify }: VerifyInput,
  manifestPath: string,
  read: Read<M>,
  mayHold: (path: string) => boolean,
): Promise<Result<Verified<M>, string>> => {
  const bytes = files.get(manifestPath);
  if (!bytes) return err('the manifest is missing');
  const signature = files.get(`${manifestPath}.sig`);
  if (!signature) return err('the signature is missing');
  if (signature.length !== 64) return err(`the signature has ${signature.length} bytes instead of 64`);
  if (trusted.length === 0) return err('no key is trusted here');
  let signedBy: string | undefined;
  for (const { name, publicKey } of trusted)
    if (signedBy === undefined && (await verify(publicKey, signature, bytes))) signedBy = name;
  if (signedBy === undefined) return err('the signature doesn’t match the manifest, or its key isn’t trusted');
  const text = decode(bytes);
  if (text === undefined) return err('the manifest isn’t UTF-8');
  const manifest = read(text);
  if (!manifest.ok) return manifest;
  const { code } = manifest.value;
  const missing = code.files.find((path) => !files.has(path));
  if (missing !== undefined) return err(`${missing} is missing`);
  if (digestFiles(files, code.files) !== code.digest) return err('a file has changed since it was signed');
  const known = new Set([...code.files, manifestPath, `${manifestPath}.sig`]);
  const extra = [...files.keys()].find((path) => !known.has(path) && !mayHold(path));
  if (extra !== undefined) return err(`${extra} is not in the signed manifest`);
  const covered = new Map(code.files.map((path) => [path, files.get(path) ?? new Uint8Array()]));
  return ok({ manifest: manifest.value, signedBy, files: covered });
};

/** `files`: everything in the folder of the skill's executors; `name`: the executor, which is a folder in it. */
export const verifyExecutor = async (input: VerifyInput, name: string): Promise<Result<Verified<Manifest>, string>> => {
  // Its siblings have their own signatures; a file beside the folders has none.
  const isOther = (path: string): boolean =>
    path.includes('/') && !path.startsWith('source/') && !path.startsWith(`${name}/`);
  const verified = await verifySigned(input, `${name}/manifest.toml`, readManifest, isOther);
  if (!verified.ok) return verified;
  const { manifest } = verified.value;
  if (manifest.name !== name) return err(`the manifest is of ${manifest.name}, not of ${name}`);
  if (!manifest.code.files.includes(manifest.execution.entry)) return err('the signature doesn’t cover the entry');
  return verified;
};

/** `files`: everything in the folder of the skill. */
export const verifyPlainSkill = (
  input: VerifyInput,
  manifestPath: string,
): Promise<Result<Verified<PlainManifest>, string>> =>
  verifySigned(input, manifestPath, readPlainManifest, () => false);
