/** What the shell keeps in `localStorage`, for `My data`. */
import type { DataItem, DataReport, MyData } from '../features/settings/my-data.tsx';

export interface LocalDataDeps {
  readonly storage: Pick<Storage, 'length' | 'key' | 'getItem' | 'removeItem'>;
  /** What the browser counts for this page. */
  readonly estimate: () => Promise<{ readonly usage?: number; readonly quota?: number }>;
  /** Hands a file to the user. */
  readonly download: (name: string, text: string) => void;
}

const PREFIX = 'lathe.';

const GROUPS: readonly { readonly label: string; readonly detail: string; readonly keys: readonly string[] }[] = [
  { label: 'Appearance', detail: 'theme, density, sizes of the regions', keys: ['theme', 'density', 'layout'] },
  { label: 'Settings', detail: 'what new sessions start with', keys: ['settings'] },
  { label: 'Traces of use', detail: 'recent commands, the tour', keys: ['recent-commands', 'tour'] },
];

const read = (storage: LocalDataDeps['storage']): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (let index = 0; index < storage.length; index++) {
    const key = storage.key(index);
    if (key?.startsWith(PREFIX)) found.set(key.slice(PREFIX.length), storage.getItem(key) ?? '');
  }
  return found;
};

const itemsOf = (values: ReadonlyMap<string, string>): DataItem[] => {
  const rest = new Set(values.keys());
  const groups = [...GROUPS, { label: 'Other', detail: 'of another version', keys: [] as readonly string[] }];
  return groups.flatMap(({ label, detail, keys }, index) => {
    const own = index === groups.length - 1 ? [...rest] : keys.filter((key) => rest.delete(key));
    if (own.length === 0) return [];
    // Two bytes for each unit of text, as browsers count it.
    const bytes = own.reduce((sum, key) => sum + 2 * (PREFIX.length + key.length + (values.get(key) ?? '').length), 0);
    return { label, detail, bytes };
  });
};

export const createLocalData = ({ storage, estimate, download }: LocalDataDeps): MyData => ({
  report: async (): Promise<DataReport> => {
    const { usage, quota } = await estimate();
    return {
      items: itemsOf(read(storage)),
      ...(usage !== undefined && { used: usage }),
      ...(quota !== undefined && { quota }),
    };
  },
  exportAll: async () => {
    const values = Object.fromEntries(read(storage));
    download('lathe-data.json', `${JSON.stringify({ version: 1, local: values }, undefined, 2)}\n`);
    return Promise.resolve();
  },
  deleteAll: async () => {
    for (const key of read(storage).keys()) storage.removeItem(PREFIX + key);
    return Promise.resolve();
  },
});
