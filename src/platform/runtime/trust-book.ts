/** Which metaskills from elsewhere a person has agreed to run (D27), known without waiting. */
import { createEmitter } from '../../base/emitter.ts';
import type { ConsentRow } from '../store/schema.ts';
import type { Consents } from '../store/trust.ts';

export interface TrustBook {
  /** Newest first. The same array until something changes. */
  readonly list: () => readonly ConsentRow[];
  readonly hashes: () => ReadonlySet<string>;
  readonly give: (hash: string, skill: string) => Promise<void>;
  readonly revoke: (hash: string) => Promise<void>;
  readonly subscribe: (listener: () => void) => () => void;
}

export const openTrustBook = async (consents: Consents): Promise<TrustBook> => {
  const changes = createEmitter<undefined>();
  let rows = await consents.list();
  let hashes: ReadonlySet<string> = new Set(rows.map(({ hash }) => hash));
  const look = async (): Promise<void> => {
    rows = await consents.list();
    hashes = new Set(rows.map(({ hash }) => hash));
    changes.emit(undefined);
  };
  return {
    list: () => rows,
    hashes: () => hashes,
    give: async (hash, skill) => {
      await consents.give(hash, skill);
      await look();
    },
    revoke: async (hash) => {
      await consents.revoke(hash);
      await look();
    },
    subscribe: (listener) => {
      const subscription = changes.subscribe(listener);
      return () => subscription[Symbol.dispose]();
    },
  };
};
