import type { CallState } from '../../model/session/state.ts';
import type { Selection } from '../../stores/session-types.ts';

/** The request that is selected, or the last of the turn that is, or the last of all. */
export const chosenCall = <T extends Pick<CallState, 'requestId' | 'turnId'>>(
  calls: readonly T[],
  { requestId, turnId }: Selection,
): T | undefined =>
  calls.find((call) => call.requestId === requestId) ??
  (turnId === undefined ? undefined : calls.findLast((call) => call.turnId === turnId)) ??
  calls.at(-1);
