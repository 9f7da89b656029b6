/** One of a few words that the user chooses and the browser keeps. */

/** May refuse: a browser can block storage. The choice then holds until the page is closed. */
export type ChoiceStorage = Pick<Storage, 'getItem' | 'setItem'>;

export interface StoredChoice<T extends string> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

const attempt = <T>(action: () => T): T | undefined => {
  try {
    return action();
  } catch {
    return undefined;
  }
};

export const createStoredChoice = <T extends string>(deps: {
  readonly storage: ChoiceStorage;
  readonly key: string;
  /** The first one holds until the user chooses. */
  readonly values: readonly [T, ...T[]];
  /** Called for the stored value immediately, so that the first paint already has it, and for each later one. */
  readonly show: (value: T) => void;
}): StoredChoice<T> => {
  const listeners = new Set<() => void>();
  const stored = attempt(() => deps.storage.getItem(deps.key));
  let current: T = deps.values.find((value) => value === stored) ?? deps.values[0];
  deps.show(current);
  return {
    get: () => current,
    set: (value) => {
      current = value;
      attempt(() => deps.storage.setItem(deps.key, value));
      deps.show(value);
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
