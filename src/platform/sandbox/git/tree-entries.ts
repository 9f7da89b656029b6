/** The bytes of a tree. */
import { GitFailure } from './git-failure.ts';

interface TreeEntry {
  readonly path: string;
  readonly oid: string;
  readonly mode: number;
}

/** By hand, because the library refuses names that are unusual elsewhere, such as one with a backslash. */
export const readTreeEntries = (bytes: Uint8Array): readonly TreeEntry[] => {
  const entries: TreeEntry[] = [];
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length;) {
    const [blank, end] = [bytes.indexOf(32, at), bytes.indexOf(0, at)];
    if (blank === -1 || end === -1 || end + 20 >= bytes.length + 1) throw new GitFailure('fatal: a tree is damaged');
    const oid = Array.from(bytes.subarray(end + 1, end + 21), (byte) => byte.toString(16).padStart(2, '0')).join('');
    const mode = Number.parseInt(decoder.decode(bytes.subarray(at, blank)), 8);
    entries.push({ path: decoder.decode(bytes.subarray(blank + 1, end)), mode, oid });
    at = end + 21;
  }
  return entries;
};
