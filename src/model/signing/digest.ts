/**
 * The digest of a set of files: SHA-256 over, for each file in the given order, its path, its size and its bytes. Path and size are in it, so
 * that no byte can wander from one file to the next, and none can be renamed.
 */
import { sha256 } from '../../base/hash.ts';

const encoder = new TextEncoder();

export type Files = ReadonlyMap<string, Uint8Array>;

/** Nothing if one of them is not there. */
export const digestFiles = (files: Files, order: readonly string[]): string | undefined => {
  const parts: Uint8Array[] = [];
  for (const path of order) {
    const content = files.get(path);
    if (!content) return undefined;
    parts.push(encoder.encode(`${path}\0${content.length}\0`), content);
  }
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return `sha256:${sha256(bytes)}`;
};
