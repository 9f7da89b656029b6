/** What the desk puts into the workbench once it is there. */
import type { WorkbenchSlots } from './workbench.tsx';

export interface Slots {
  readonly get: () => WorkbenchSlots;
  readonly set: (slots: WorkbenchSlots) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

const NONE: WorkbenchSlots = {};

export const createSlots = (): Slots => {
  let current = NONE;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set: (slots) => {
      current = slots;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
