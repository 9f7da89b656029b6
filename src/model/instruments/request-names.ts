/** What a request is called, in every instrument. */
import type { CallState } from '../session/state.ts';

/**
 * `4`, and `4.1` for the first request of an ask that request 4 led to. An ask of a run that a person has started before any
 * request is `ask 1`.
 */
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
    const nested = outer === 0 ? `ask ${inner}` : `${outer}.${inner}`;
    numbers.set(requestId, isNested ? nested : String(outer));
  }
  return numbers;
};

const isNumber = (number: string): boolean => /^\d/.test(number);

/** `#4`, `#4.1`, `ask 1`. */
export const requestName = (number: string): string => (isNumber(number) ? `#${number}` : number);

/** `Request #4`, and for an ask without a request before it `Request of ask 1`. */
export const requestTitle = (number: string): string =>
  isNumber(number) ? `Request #${number}` : `Request of ${number}`;
