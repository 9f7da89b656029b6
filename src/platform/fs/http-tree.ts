import type { FileTree, TreeEntry } from '../../model/files/file-tree.ts';
import { z } from '../../model/zod.ts';

const listingSchema = z.array(z.object({ path: z.string(), size: z.number(), text: z.string().optional() }));
const encoder = new TextEncoder();

/**
 * A folder on a static server, read only. A server cannot list, so the build writes `index.json` beside the files. It may hold
 * their texts too, which saves a request for each.
 */
export const createHttpTree = async (base: URL, name: string, get: typeof fetch): Promise<FileTree> => {
  const response = await get(new URL('index.json', base));
  if (!response.ok) throw new Error(`the list of files could not be loaded: ${response.status}`);
  const listing = listingSchema.parse(await response.json());
  const sizes = new Map(listing.map(({ path, size }) => [path, size]));
  const texts = new Map(listing.flatMap(({ path, text }) => (text === undefined ? [] : [[path, text] as const])));
  const refuse = (): Promise<never> => Promise.reject(new Error(`${name} cannot be changed in place`));

  const list = (folder: string): readonly TreeEntry[] | undefined => {
    const prefix = folder === '' ? '' : `${folder}/`;
    const found = new Map<string, TreeEntry>();
    for (const path of sizes.keys()) {
      if (!path.startsWith(prefix)) continue;
      const [first = '', ...rest] = path.slice(prefix.length).split('/');
      found.set(first, { name: first, kind: rest.length === 0 ? 'file' : 'folder' });
    }
    return found.size === 0 ? undefined : [...found.values()];
  };

  return {
    name,
    list: (path) => Promise.resolve(list(path)),
    size: (path) => Promise.resolve(sizes.get(path)),
    read: async (path) => {
      if (!sizes.has(path)) return undefined;
      const text = texts.get(path);
      if (text !== undefined) return encoder.encode(text);
      const file = await get(new URL(path.split('/').map(encodeURIComponent).join('/'), base));
      if (!file.ok) throw new Error(`${path} could not be loaded: ${file.status}`);
      return new Uint8Array(await file.arrayBuffer());
    },
    write: refuse,
    rename: refuse,
    remove: refuse,
  };
};
