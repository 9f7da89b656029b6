export interface Emitter<T> {
  readonly emit: (value: T) => void;
  readonly subscribe: (listener: (value: T) => void) => Disposable;
}

/**
 * Calls every listener in the order in which they came. One that throws does not keep the others from hearing; what it threw
 * goes to `onError`, or to the caller once all have heard.
 */
export const createEmitter = <T>(onError?: (thrown: unknown) => void): Emitter<T> => {
  // A wrapper each: the same function may listen twice.
  const listeners = new Set<{ readonly hear: (value: T) => void }>();
  return {
    emit: (value) => {
      const thrown: unknown[] = [];
      const present = [...listeners];
      for (const listener of present) {
        if (!listeners.has(listener)) continue;
        try {
          listener.hear(value);
        } catch (error) {
          thrown.push(error);
        }
      }
      if (onError) thrown.forEach((error) => onError(error));
      else if (thrown.length > 0) throw thrown[0];
    },
    subscribe: (hear) => {
      const listener = { hear };
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
};
