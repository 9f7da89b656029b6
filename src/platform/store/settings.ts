import type { Storage } from './storage.ts';

/** What a settings store keeps its text in: one value per key, checked by anyone who reads it. */
export interface Settings {
  readonly get: (key: string) => Promise<unknown>;
  readonly set: (key: string, value: unknown) => Promise<void>;
  readonly remove: (key: string) => Promise<void>;
}

export const createSettings = (storage: Storage): Settings => ({
  get: async (key) => (await storage.get('settings', [key]))?.value,
  set: (key, value) => storage.write([{ kind: 'put', table: 'settings', row: { key, value } }]),
  remove: (key) => storage.write([{ kind: 'delete', table: 'settings', key: [key] }]),
});
