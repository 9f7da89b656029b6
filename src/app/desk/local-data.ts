/** What the page keeps in this browser, for `My data`: `localStorage`, the database, private workspaces. */
import { err, ok, type Result } from '../../base/result.ts';
import { plural } from '../../base/text.ts';
import type { DataItem, DataReport, MyData } from '../../features/settings/my-data.tsx';
import type { MyData as PlatformData, StoredKind, StoredName } from '../../platform/store/my-data.ts';

export interface LocalDataDeps {
  readonly storage: Pick<Storage, 'length' | 'key' | 'getItem' | 'removeItem'>;
  /** What the browser counts for this page. */
  readonly estimate: () => Promise<{ readonly usage?: number; readonly quota?: number }>;
  /** The database and the private workspaces; they come with the desk. */
  readonly stored: () => Promise<StoredData>;
  /** Hands a file to the user. */
  readonly download: (name: string, content: Uint8Array) => void;
  /** As at the very first visit: what is still in memory goes too. */
  readonly startAnew: () => void;
}

/** What is behind `localStorage`. */
export interface StoredData {
  readonly data: Pick<PlatformData, 'facts' | 'exportAll' | 'deleteKind' | 'deleteAll'>;
  /** One archive of the private workspaces and the given files. */
  readonly pack: (files: ReadonlyMap<string, string>) => Promise<Result<Uint8Array, { readonly message: string }>>;
}

const PREFIX = 'lathe.';

const GROUPS: readonly { readonly label: string; readonly detail: string; readonly keys: readonly string[] }[] = [
  { label: 'Appearance', detail: 'theme, density, layout', keys: ['theme', 'density', 'layout'] },
  { label: 'Settings', detail: 'defaults for new sessions', keys: ['settings'] },
  { label: 'Usage history', detail: 'recent commands, the tour', keys: ['recent-commands', 'tour'] },
];

const read = (storage: LocalDataDeps['storage']): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (let index = 0; index < storage.length; index++) {
    const key = storage.key(index);
    if (key?.startsWith(PREFIX)) found.set(key.slice(PREFIX.length), storage.getItem(key) ?? '');
  }
  return found;
};

interface Group {
  readonly item: DataItem;
  readonly keys: readonly string[];
}

const groupsOf = (values: ReadonlyMap<string, string>): Group[] => {
  const rest = new Set(values.keys());
  const groups = [...GROUPS, { label: 'Other', detail: 'panel state', keys: [] as readonly string[] }];
  return groups.flatMap(({ label, detail, keys }, index): Group[] => {
    const own = index === groups.length - 1 ? [...rest] : keys.filter((key) => rest.delete(key));
    if (own.length === 0) return [];
    // Two bytes for each unit of text, as browsers count it.
    const bytes = own.reduce((sum, key) => sum + 2 * (PREFIX.length + key.length + (values.get(key) ?? '').length), 0);
    return [{ item: { id: `local ${label}`, label, detail, bytes }, keys: own }];
  });
};

const STORED = 'stored ';

const storedItem = ({ table, label, count, bytes }: StoredKind): DataItem => ({
  id: `${STORED}${table}`,
  // The shell keeps settings of its own.
  label: table === 'settings' ? 'Where you left off' : label,
  detail: table === 'settings' ? 'last folder, dismissed notices' : plural(count, 'entry', 'entries'),
  ...(bytes !== undefined && { bytes }),
});

export const createLocalData = ({ storage, estimate, stored, download, startAnew }: LocalDataDeps): MyData => {
  const remove = (keys: Iterable<string>): void => {
    for (const key of keys) storage.removeItem(PREFIX + key);
  };
  return {
    report: async (): Promise<DataReport> => {
      const { usage, quota } = await estimate();
      const { kinds } = await (await stored()).data.facts();
      return {
        items: [
          // A place that was made and never filled is nothing to delete.
          ...kinds.filter(({ count, bytes }) => count > 0 && bytes !== 0).map(storedItem),
          ...groupsOf(read(storage)).map(({ item }) => item),
        ],
        ...(usage !== undefined && { used: usage }),
        ...(quota !== undefined && { quota }),
      };
    },
    exportAll: async () => {
      const { data, pack } = await stored();
      let text = '';
      for await (const piece of data.exportAll()) text += piece;
      const local = { version: 1, local: Object.fromEntries(read(storage)) };
      const packed = await pack(
        new Map([
          ['data.json', text],
          ['local.json', `${JSON.stringify(local, undefined, 2)}\n`],
        ]),
      );
      if (packed.ok) download('lathe-data.zip', packed.value);
      return packed;
    },
    deleteItem: async (id) => {
      if (id.startsWith(STORED)) return (await stored()).data.deleteKind(id.slice(STORED.length) as StoredName);
      remove(groupsOf(read(storage)).find(({ item }) => item.id === id)?.keys ?? []);
      return ok(undefined);
    },
    deleteAll: async () => {
      const deleted = await (await stored()).data.deleteAll();
      remove(read(storage).keys());
      if (!deleted.ok)
        return err({ message: `${deleted.error.message} Everything else was deleted. Reload the page.` });
      // The folder on the screen may have been among it: no panel may continue with what is gone, or write it again.
      startAnew();
      return deleted;
    },
  };
};
