import { describe, expect, it } from 'vitest';
import { requestName, requestNumbers, requestTitle } from './request-names.ts';

const calls = (nested: readonly boolean[]) => nested.map((isNested, index) => ({ requestId: String(index), isNested }));
const numbers = (...nested: boolean[]): string[] => [...requestNumbers(calls(nested)).values()];

describe('names of requests', () => {
  it('WF1: requests of turns are counted, those of asks below the request before them', () => {
    expect(numbers(false, false, true, true, false, true)).toEqual(['1', '2', '2.1', '2.2', '3', '3.1']);
  });

  it('WF1: asks before any request have a name of their own', () => {
    expect(numbers(true, true, false, true)).toEqual(['ask 1', 'ask 2', '1', '1.1']);
  });

  it('says a number with a sign, and a name as it is', () => {
    expect(['4', '4.1', 'ask 1'].map(requestName)).toEqual(['#4', '#4.1', 'ask 1']);
    expect(['4', '4.1', 'ask 1'].map(requestTitle)).toEqual(['Request #4', 'Request #4.1', 'Request of ask 1']);
  });
});
