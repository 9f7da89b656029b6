import type { CallState } from '../../model/session/state.ts';
import type { Selection, SessionStore } from '../../stores/session-types.ts';

/** The request that is selected, or the last of the turn that is, or the last of all. */
export const chosenCall = <T extends Pick<CallState, 'requestId' | 'turnId'>>(
  calls: readonly T[],
  { requestId, turnId }: Selection,
): T | undefined =>
  calls.find((call) => call.requestId === requestId) ??
  (turnId === undefined ? undefined : calls.findLast((call) => call.turnId === turnId)) ??
  calls.at(-1);

/** Nothing is chosen: all instruments show the newest request. */
export const followsNewest = ({ requestId, turnId, eventId }: Selection): boolean =>
  requestId === undefined && turnId === undefined && eventId === undefined;

/** From following to the newest request that there is, and back. */
export const toggleFollowing = (store: Pick<SessionStore, 'getState' | 'state' | 'select'>): void => {
  if (!followsNewest(store.getState().selection)) {
    store.select({});
    return;
  }
  const last = store.state()?.calls.at(-1);
  if (last) store.select({ requestId: last.requestId, turnId: last.turnId });
};
