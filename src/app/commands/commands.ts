/** One list of everything that can be done. Palette, menus, shortcuts, help and tests read it. */
import type { Shortcut } from './keymap.ts';

export const CATEGORIES = ['File', 'Skill', 'Session', 'View', 'Go', 'Help'] as const;
export type Category = (typeof CATEGORIES)[number];

export interface Command {
  /** `area.verb`, kept permanently: recent commands are remembered by it. */
  readonly id: string;
  /** What it does, as an order: `Open folder`. */
  readonly title: string;
  readonly category: Category;
  readonly shortcut?: Shortcut;
  /** Other words that people look for. */
  readonly keywords?: string;
  /** Whether it has a place in the menu. */
  readonly inMenu?: boolean;
  /** Whether the palette lists it. */
  readonly inPalette?: boolean;
  /** True, or the reason why it cannot run now. */
  readonly enabled?: () => true | string;
  readonly run: () => void | Promise<void>;
}

export interface CommandRegistry {
  /** Throws for an id that is taken. Disposing removes the commands again. */
  readonly register: (commands: readonly Command[]) => Disposable;
  readonly list: () => readonly Command[];
  /** Runs a command, or says why not. What a command throws goes to `onError`. */
  readonly run: (id: string) => true | string;
  /** Ids, the last used first; only those that exist. */
  readonly recent: () => readonly string[];
  readonly subscribe: (listener: () => void) => () => void;
}

export interface CommandDeps {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly onError: (command: Command, thrown: unknown) => void;
}

const RECENT_KEY = 'lathe.recent-commands';
const RECENT_MAX = 8;

export const disabledReason = (command: Command): string | undefined => {
  const enabled = command.enabled?.() ?? true;
  return enabled === true ? undefined : enabled;
};

const readRecent = (storage: CommandDeps['storage']): readonly string[] => {
  try {
    const ids: unknown = JSON.parse(storage.getItem(RECENT_KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string').slice(0, RECENT_MAX) : [];
  } catch {
    // Blocked or broken storage: nothing is remembered, everything works.
    return [];
  }
};

export const createCommands = ({ storage, onError }: CommandDeps): CommandRegistry => {
  const commands = new Map<string, Command>();
  const listeners = new Set<() => void>();
  let recent = readRecent(storage);
  let list: readonly Command[] = [];

  const changed = (): void => {
    list = [...commands.values()];
    for (const listener of listeners) listener();
  };

  const remember = (id: string): void => {
    recent = [id, ...recent.filter((other) => other !== id)].slice(0, RECENT_MAX);
    try {
      storage.setItem(RECENT_KEY, JSON.stringify(recent));
    } catch {
      // As above.
    }
  };

  const execute = async (command: Command): Promise<void> => {
    try {
      await command.run();
    } catch (thrown) {
      onError(command, thrown);
    }
  };

  return {
    register: (added) => {
      for (const { id } of added) if (commands.has(id)) throw new Error(`Two commands are called ${id}`);
      for (const command of added) commands.set(command.id, command);
      changed();
      return {
        [Symbol.dispose]: () => {
          for (const { id } of added) commands.delete(id);
          changed();
        },
      };
    },
    list: () => list,
    run: (id) => {
      const command = commands.get(id);
      if (!command) return `No command ${id}.`;
      const reason = disabledReason(command);
      if (reason !== undefined) return reason;
      if (command.inPalette !== false) remember(id);
      void execute(command);
      return true;
    },
    recent: () => recent.filter((id) => commands.has(id)),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
