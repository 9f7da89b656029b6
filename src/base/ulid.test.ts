import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUlid, isUlid, ulidAfter } from './ulid.ts';

describe('ULIDs', () => {
  it('have 10 characters of time and 16 of chance', () => {
    // The example of the specification: 1469918176385 is 01ARYZ6S41.
    const ulid = createUlid({ now: () => 1_469_918_176_385, random: () => 0 });
    expect(ulid()).toBe('01ARYZ6S410000000000000000');
    expect(createUlid({ now: () => 0, random: () => 0.999_999 })()).toBe('0000000000ZZZZZZZZZZZZZZZZ');
    expect(createUlid({ now: () => 2 ** 48 - 1, random: () => 0.5 })()).toBe('7ZZZZZZZZZGGGGGGGGGGGGGGGG');
  });

  it('grow, whatever the clock and the chance do', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(5), fc.constantFrom(0, 0.3, 0.999_999)), { minLength: 2, maxLength: 60 }),
        (ticks) => {
          let tick = ticks[0] ?? [0, 0];
          const ulid = createUlid({ now: () => 1_700_000_000_000 + tick[0], random: () => tick[1] });
          const ids = ticks.map((next) => {
            tick = next;
            return ulid();
          });
          expect(ids.every(isUlid)).toBe(true);
          expect(ids.toSorted()).toEqual(ids);
          expect(new Set(ids).size).toBe(ids.length);
        },
      ),
    );
  });

  it('carry over, into the time if need be', () => {
    expect(ulidAfter('01ARYZ6S41000000000000000Z')).toBe('01ARYZ6S410000000000000010');
    expect(ulidAfter('01ARYZ6S41ZZZZZZZZZZZZZZZZ')).toBe('01ARYZ6S420000000000000000');
    expect(() => ulidAfter('7ZZZZZZZZZZZZZZZZZZZZZZZZZ')).toThrow('no ULID after');
    expect(() => ulidAfter('')).toThrow('no ULID after');
  });

  it('are told from other text', () => {
    for (const text of [
      '',
      '01ARYZ6S41',
      '81ARYZ6S410000000000000000',
      '01aryz6s410000000000000000',
      '01ARYZ6S41000000000000000U',
    ])
      expect(isUlid(text)).toBe(false);
  });
});
