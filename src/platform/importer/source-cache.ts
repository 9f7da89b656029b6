/** Skills that were fetched, for seven days: a second import within that time asks nobody. */
import { parseJson } from '../../base/json.ts';
import { valueOr } from '../../base/result.ts';
import type { FileTree } from '../../model/files/file-tree.ts';
import type { LeftOut } from '../../model/files/write-rules.ts';
import { sha256 } from '../../base/hash.ts';
import { z } from '../../model/zod.ts';
import { writeZip, readZip } from '../fs/zip.ts';
import { createMemoryTree } from '../fs/memory-tree.ts';

export const CACHE_SECONDS = 7 * 86_400;

export interface CachedSource {
  readonly name: string;
  readonly from: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** What the source had and may not be written. */
  readonly leftOut: readonly LeftOut[];
  /** Milliseconds since 1970. */
  readonly fetchedAt: number;
}

export interface SourceCache {
  readonly get: (url: string) => Promise<CachedSource | undefined>;
  readonly put: (url: string, source: Omit<CachedSource, 'fetchedAt'>) => Promise<void>;
  readonly remove: (url: string) => Promise<void>;
}

const headSchema = z.object({
  version: z.literal(1),
  url: z.string(),
  name: z.string(),
  from: z.string(),
  fetchedAt: z.number(),
  leftOut: z.array(z.object({ path: z.string(), reason: z.string() })).exactOptional(),
});

/** In a folder: one zip and one JSON file for each address. What is too old is removed when it is found. */
export const createTreeCache = (tree: FileTree, now: () => number): SourceCache => {
  const paths = (url: string): { readonly head: string; readonly body: string } => {
    const key = sha256(url);
    return { head: `${key.slice(0, 2)}/${key}.json`, body: `${key.slice(0, 2)}/${key}.zip` };
  };
  const remove = async (url: string): Promise<void> => {
    const { head, body } = paths(url);
    for (const path of [head, body]) if ((await tree.size(path)) !== undefined) await tree.remove(path);
  };
  return {
    remove,
    get: async (url) => {
      const { head, body } = paths(url);
      const [text, bytes] = [await tree.read(head), await tree.read(body)];
      if (!text || !bytes) return undefined;
      const parsed = headSchema.safeParse(valueOr(parseJson(new TextDecoder().decode(text)), undefined));
      if (!parsed.success || parsed.data.url !== url || now() - parsed.data.fetchedAt > CACHE_SECONDS * 1000) {
        await remove(url);
        return undefined;
      }
      const read = await readZip(bytes, parsed.data.name);
      if (!read.ok) return undefined;
      const { name, from, fetchedAt, leftOut = [] } = parsed.data;
      return { name, from, fetchedAt, leftOut, files: read.value.tree.files };
    },
    put: async (url, { name, from, files, leftOut }) => {
      const { head, body } = paths(url);
      const packed = await writeZip(createMemoryTree(files, name), '');
      if (!packed.ok) return;
      await tree.write(body, packed.value);
      await tree.write(
        head,
        new TextEncoder().encode(JSON.stringify({ version: 1, url, name, from, leftOut, fetchedAt: now() })),
      );
    },
  };
};

export const createMemoryCache = (now: () => number): SourceCache =>
  createTreeCache(createMemoryTree({}, 'cache'), now);
