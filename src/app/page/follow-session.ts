/** The address names the open session (D41): a reload opens it again, and back and forward come to the one that was open. */
import type { SessionStore } from '../../stores/session-types.ts';
import type { Navigation } from '../address/navigation.ts';

export interface FollowSessionDeps {
  readonly navigation: Navigation;
  readonly sessions: SessionStore;
  readonly fail: (id: string, thrown: unknown) => void;
}

export interface FollowedSession {
  /** Opens the session that the address names, once the folder of the last visit is open. */
  readonly start: () => Promise<void>;
}

export const followSession = ({ navigation, sessions, fail }: FollowSessionDeps): FollowedSession => {
  /** The page moves by itself: going back does not stop here. */
  const settle = (): void => navigation.settle({ session: sessions.getState().currentId });

  const open = async (): Promise<void> => {
    const { session } = navigation.get();
    const { currentId, status } = sessions.getState();
    if (session === currentId) return;
    // Nothing is closed by an address without a session, and nothing is stopped by going back.
    if (session === undefined || status === 'running' || status === 'starting') {
      settle();
      return;
    }
    try {
      await sessions.open(session);
    } catch (thrown) {
      fail('session', thrown);
      settle();
    }
  };

  let isStarted = false;
  sessions.subscribe((state, before) => {
    if (state.currentId !== before.currentId) settle();
  });
  navigation.subscribe(() => {
    if (isStarted) void open();
  });
  return {
    start: async () => {
      isStarted = true;
      await open();
    },
  };
};
