import type { Ids } from '../ids.ts';
import type { SimError } from '../sim-error.ts';

export interface BatchCall {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whose it is; batches of another key are not there. */
  readonly scope: string;
  /** Of this server, for addresses that an answer gives. */
  readonly origin: string;
  readonly ids: Ids;
}

export type BatchReply =
  | { readonly error: SimError }
  | { readonly body: object }
  /** A file, in pieces. */
  | { readonly lines: readonly string[] };

/** What is kept for one key, newest last. */
export interface Kept<Value> {
  readonly add: (scope: string, id: string, value: Value) => void;
  readonly get: (scope: string, id: string) => Value | undefined;
  readonly remove: (scope: string, id: string) => boolean;
  /** Newest first. */
  readonly list: (scope: string) => readonly Value[];
  readonly clear: () => void;
}

/** The oldest goes when there are more than `most`. */
export const createKept = <Value>(most: number): Kept<Value> => {
  const all = new Map<string, { readonly scope: string; readonly value: Value }>();
  return {
    add: (scope, id, value) => {
      all.set(id, { scope, value });
      const [oldest] = all.keys();
      if (all.size > most && oldest !== undefined) all.delete(oldest);
    },
    get: (scope, id) => {
      const found = all.get(id);
      return found?.scope === scope ? found.value : undefined;
    },
    remove: (scope, id) => all.get(id)?.scope === scope && all.delete(id),
    list: (scope) =>
      [...all.values()]
        .filter((one) => one.scope === scope)
        .map(({ value }) => value)
        .toReversed(),
    clear: () => all.clear(),
  };
};

/** A page of a list, newest first; nothing for a limit that does not exist. */
export const pageOfList = <Value extends { readonly id: string }>(
  all: readonly Value[],
  query: ReadonlyMap<string, string>,
  names: { readonly after: string; readonly before?: string; readonly most: number },
): { readonly data: readonly Value[]; readonly hasMore: boolean } | undefined => {
  const given = query.get('limit');
  const size = given === undefined ? 20 : Number(given);
  if (!Number.isInteger(size) || size < 1 || size > names.most) return undefined;
  const indexOf = (id: string | undefined): number => (id === undefined ? -1 : all.findIndex((one) => one.id === id));
  const before = names.before === undefined ? -1 : indexOf(query.get(names.before));
  const end = before === -1 ? all.length : before;
  const start = before === -1 ? indexOf(query.get(names.after)) + 1 : Math.max(0, end - size);
  const data = all.slice(start, Math.min(end, start + size));
  return { data, hasMore: before === -1 ? start + size < all.length : start > 0 };
};
