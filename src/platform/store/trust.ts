/** Which skills are not the user's own, and which of them the user trusts to run (D27). */
import { isBelow } from '../../model/files/file-tree.ts';
import type { ConsentRow, OriginRow } from './schema.ts';
import type { Change, Storage } from './storage.ts';

export interface Consents {
  readonly list: () => Promise<readonly ConsentRow[]>;
  readonly has: (hash: string) => Promise<boolean>;
  readonly give: (hash: string, skill: string) => Promise<void>;
  readonly revoke: (hash: string) => Promise<void>;
}

export interface Origins {
  readonly list: (workspace: string) => Promise<readonly OriginRow[]>;
  readonly note: (origin: Omit<OriginRow, 'at'>) => Promise<void>;
  /** A folder that is renamed, or that is in one, stays foreign. */
  readonly move: (workspace: string, from: string, to: string) => Promise<void>;
  /** Of a copy: it is as foreign as what it was made of. */
  readonly copy: (workspace: string, from: string, to: string) => Promise<void>;
  /** Once the folder is gone: another one by that name is another matter. */
  readonly forget: (workspace: string, path: string) => Promise<void>;
}

interface TrustDeps {
  readonly storage: Storage;
  readonly now: () => number;
}

export const createConsents = ({ storage, now }: TrustDeps): Consents => ({
  list: async () => (await storage.list('consents')).toSorted((a, b) => b.givenAt - a.givenAt),
  has: async (hash) => (await storage.get('consents', [hash])) !== undefined,
  give: (hash, skill) => storage.write([{ kind: 'put', table: 'consents', row: { hash, skill, givenAt: now() } }]),
  revoke: (hash) => storage.write([{ kind: 'delete', table: 'consents', key: [hash] }]),
});

export const createOrigins = ({ storage, now }: TrustDeps): Origins => {
  const at = async (workspace: string, path: string): Promise<readonly OriginRow[]> =>
    (await storage.list('origins', [workspace])).filter((row) => row.path === path || isBelow(path, row.path));
  const removed = (row: OriginRow): Change => ({ kind: 'delete', table: 'origins', key: [row.workspace, row.path] });
  const moved = (row: OriginRow, from: string, to: string): Change => ({
    kind: 'put',
    table: 'origins',
    row: { ...row, path: to + row.path.slice(from.length) },
  });
  return {
    list: (workspace) => storage.list('origins', [workspace]),
    note: (origin) => storage.write([{ kind: 'put', table: 'origins', row: { ...origin, at: now() } }]),
    move: async (workspace, from, to) => {
      const rows = await at(workspace, from);
      await storage.write([...rows.map(removed), ...rows.map((row) => moved(row, from, to))]);
    },
    copy: async (workspace, from, to) => {
      await storage.write((await at(workspace, from)).map((row) => moved(row, from, to)));
    },
    forget: async (workspace, path) => {
      await storage.write((await at(workspace, path)).map(removed));
    },
  };
};
