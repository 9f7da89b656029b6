import { createEmitter } from '../../base/emitter.ts';
import type { TabGuard, TabRole } from './tab-guard.ts';

/** The guard of tests: every claim on one guard is a tab. */
export const createMemoryTabGuard = (): TabGuard => {
  interface Tab {
    readonly become: (role: TabRole) => void;
  }
  /** The first is the writer. */
  const lines = new Map<string, Tab[]>();
  return {
    claim: (folder) => {
      const line = lines.get(folder) ?? [];
      lines.set(folder, line);
      const changes = createEmitter<TabRole>();
      let role: TabRole = line.length === 0 ? 'writer' : 'reader';
      const tab: Tab = {
        become: (next) => {
          if (next === role) return;
          role = next;
          changes.emit(next);
        },
      };
      line.push(tab);
      return Promise.resolve({
        role: () => role,
        subscribe: changes.subscribe,
        takeOver: () => {
          if (role === 'reader') {
            line[0]?.become('reader');
            line.splice(line.indexOf(tab), 1);
            line.unshift(tab);
            tab.become('writer');
          }
          return Promise.resolve();
        },
        [Symbol.asyncDispose]: () => {
          const at = line.indexOf(tab);
          if (at !== -1) line.splice(at, 1);
          if (at === 0) line[0]?.become('writer');
          return Promise.resolve();
        },
      });
    },
  };
};
