/** What of the shell itself is open. What matters longer than a moment is in the address or in the layout. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { HelpTopic } from '../views/registry.ts';

/** Something the user should know that has no panel of its own. It stays until it is answered. */
export interface Notice {
  readonly id: string;
  readonly tone: 'info' | 'error';
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

export interface ShellState {
  readonly dialog: 'palette' | 'shortcuts' | 'network' | undefined;
  readonly help: HelpTopic | undefined;
  /** The step of the tour, from 0. */
  readonly tour: number | undefined;
  readonly notices: readonly Notice[];
}

export interface ShellStore extends Pick<StoreApi<ShellState>, 'getState' | 'subscribe' | 'getInitialState'> {
  readonly open: (dialog: ShellState['dialog']) => void;
  readonly showHelp: (topic: HelpTopic | undefined) => void;
  readonly showTour: (step: number | undefined) => void;
  /** A notice with the same id takes the place of the old one. */
  readonly notify: (notice: Notice) => void;
  readonly dismiss: (id: string) => void;
}

const TOUR_KEY = 'lathe.tour';

export const createShellStore = (storage: Pick<Storage, 'getItem' | 'setItem'>): ShellStore => {
  const isKnown = (): boolean => {
    try {
      return storage.getItem(TOUR_KEY) !== null;
    } catch {
      // Nobody could remember that it was seen: it would come at every start.
      return true;
    }
  };
  const store = createStore<ShellState>(() => ({
    dialog: undefined,
    help: undefined,
    tour: isKnown() ? undefined : 0,
    notices: [],
  }));
  const { getState, setState } = store;
  return {
    getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    open: (dialog) => setState({ dialog }),
    showHelp: (help) => setState({ help }),
    showTour: (tour) => {
      setState({ tour });
      if (tour !== undefined) return;
      try {
        storage.setItem(TOUR_KEY, 'seen');
      } catch {
        // As above.
      }
    },
    notify: (notice) => setState({ notices: [...getState().notices.filter(({ id }) => id !== notice.id), notice] }),
    dismiss: (gone) => setState({ notices: getState().notices.filter(({ id }) => id !== gone) }),
  };
};
