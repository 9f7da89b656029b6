/** What of the session panel itself is open, and what is being written. The session is in `stores/session-store.ts`. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Example } from '../../model/session-view/examples.ts';

export type SessionDialog =
  | { readonly kind: 'keys' | 'sessions' | 'rename' | 'delete' | 'import' }
  | { readonly kind: 'raw'; readonly requestId: string };

export interface SessionUiState {
  /** The message that is being written. */
  readonly draft: string;
  /** A message was handed to the session, and its turn has not ended. */
  readonly isSending: boolean;
  readonly dialog: SessionDialog | undefined;
  /** Grows when a dialog was closed: a key or an address may have changed in it. */
  readonly closed: number;
  /** Else only together with Ctrl or Cmd. */
  readonly enterSends: boolean;
  /** Whether the example of the first start is still in the composer. */
  readonly isFirstStart: boolean;
  readonly example: Example['id'] | undefined;
  /** Something that went wrong outside of a turn, such as an import. */
  readonly problem: string | undefined;
  /** The request whose approval was put off. */
  readonly laterApproval: string | undefined;
}

export interface SessionUi extends Pick<StoreApi<SessionUiState>, 'getState' | 'getInitialState' | 'subscribe'> {
  readonly write: (draft: string) => void;
  /** Empties the composer: its message goes to a session. */
  readonly handOver: () => void;
  /** The session has the message, or gave it back. */
  readonly handedOver: () => void;
  readonly show: (dialog: SessionDialog | undefined) => void;
  readonly setEnterSends: (enterSends: boolean) => void;
  readonly startExample: (id: Example['id'] | undefined) => void;
  readonly fail: (problem: string | undefined) => void;
  readonly decideLater: (requestId: string | undefined) => void;
  /** A message was sent: from now on the composer starts empty. */
  readonly begun: () => void;
}

const KEY = 'lathe.session';
const VERSION = 1;

type Kept = { readonly version: number; readonly enterSends: boolean; readonly hasBegun: boolean };

const readKept = (storage: Pick<Storage, 'getItem'>): Kept => {
  const nothing = { version: VERSION, enterSends: false, hasBegun: false };
  try {
    const value: unknown = JSON.parse(storage.getItem(KEY) ?? 'null');
    if (typeof value !== 'object' || value === null || !('version' in value) || value.version !== VERSION)
      return nothing;
    return {
      version: VERSION,
      enterSends: 'enterSends' in value && value.enterSends === true,
      hasBegun: 'hasBegun' in value && value.hasBegun === true,
    };
  } catch {
    // Blocked or broken storage: nothing is remembered, everything works.
    return nothing;
  }
};

export interface SessionUiDeps {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  /** Stands in the composer on the first start. */
  readonly firstDraft: string;
}

export const createSessionUi = ({ storage, firstDraft }: SessionUiDeps): SessionUi => {
  const kept = readKept(storage);
  const store = createStore<SessionUiState>(() => ({
    draft: kept.hasBegun ? '' : firstDraft,
    isSending: false,
    dialog: undefined,
    closed: 0,
    enterSends: kept.enterSends,
    isFirstStart: !kept.hasBegun,
    example: kept.hasBegun ? undefined : 'full',
    problem: undefined,
    laterApproval: undefined,
  }));
  const { getState, setState } = store;
  const keep = (): void => {
    const { enterSends, isFirstStart } = getState();
    try {
      storage.setItem(KEY, JSON.stringify({ version: VERSION, enterSends, hasBegun: !isFirstStart } satisfies Kept));
    } catch {
      // As above.
    }
  };
  return {
    getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    write: (draft) => setState({ draft }),
    handOver: () => setState({ draft: '', isSending: true }),
    handedOver: () => setState({ isSending: false }),
    show: (dialog) => setState(({ closed }) => ({ dialog, closed: dialog ? closed : closed + 1 })),
    setEnterSends: (enterSends) => {
      setState({ enterSends });
      keep();
    },
    startExample: (example) => setState({ example }),
    fail: (problem) => setState({ problem }),
    decideLater: (laterApproval) => setState({ laterApproval }),
    begun: () => {
      if (!getState().isFirstStart) return;
      setState({ isFirstStart: false });
      keep();
    },
  };
};
