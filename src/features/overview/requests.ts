import type { CallState } from '../../model/session/state.ts';
import type { Selection } from '../../stores/session-types.ts';

/** `4`, and `4.1` for the first request of an ask that request 4 led to. */
export const requestNumbers = (
  calls: readonly Pick<CallState, 'requestId' | 'isNested'>[],
): ReadonlyMap<string, string> => {
  const numbers = new Map<string, string>();
  let outer = 0;
  let inner = 0;
  for (const { requestId, isNested } of calls) {
    if (isNested) inner++;
    else {
      outer++;
      inner = 0;
    }
    numbers.set(requestId, isNested ? `${outer}.${inner}` : String(outer));
  }
  return numbers;
};

/** The request that is selected, or the last of the turn that is, or the last of all. */
export const chosenCall = <T extends Pick<CallState, 'requestId' | 'turnId'>>(
  calls: readonly T[],
  { requestId, turnId }: Selection,
): T | undefined =>
  calls.find((call) => call.requestId === requestId) ??
  (turnId === undefined ? undefined : calls.findLast((call) => call.turnId === turnId)) ??
  calls.at(-1);
