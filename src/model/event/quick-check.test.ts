import { expect, test } from 'vitest';
import { catalog } from './catalog.ts';
import { EVENT_TYPES } from './check.ts';
import { quickTest } from './quick-check.ts';
import { draftOf } from './testing/events.ts';

const STRANGE = [
  undefined,
  null,
  '',
  'text',
  0,
  -1,
  0.5,
  NaN,
  Infinity,
  2 ** 60,
  true,
  [],
  {},
  [null],
  { a: 1 },
  new Date(0),
];

type Place = readonly (string | number)[];

const placesIn = (value: unknown, at: Place = []): readonly Place[] =>
  typeof value === 'object' && value !== null
    ? [at, ...Object.entries(value).flatMap(([key, item]) => placesIn(item, [...at, key]))]
    : [at];

/** A copy in which one place is replaced, left out, or has a neighbour that nobody named. */
const changed = (value: unknown, [first, ...rest]: Place, how: 'replace' | 'remove' | 'add', by: unknown): unknown => {
  if (first === undefined)
    return how === 'add' && typeof value === 'object' ? { ...value, stranger: by } : how === 'remove' ? undefined : by;
  const copy: unknown = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
  const record = copy as Record<string | number, unknown>;
  if (rest.length === 0 && how === 'remove') delete record[first];
  else record[first] = changed(record[first], rest, how, by);
  return copy;
};

test('EV3 the quick check and the catalog agree on every payload, right or wrong', () => {
  const tests = new Map(EVENT_TYPES.map((type) => [type, quickTest(catalog[type].payload)]));
  let [right, wrong] = [0, 0];
  for (const type of EVENT_TYPES) expect(tests.get(type)?.(draftOf(type).payload), type).toBe(true);
  for (const type of EVENT_TYPES) {
    const payload = draftOf(type).payload;
    // All of them: a sample lets a rare disagreement through on one day and not on another.
    for (const place of placesIn(payload))
      for (const how of ['replace', 'remove', 'add'] as const)
        for (const by of STRANGE) {
          const other = changed(payload, place, how, by);
          const expected = catalog[type].payload.safeParse(other).success;
          if (expected) right++;
          else wrong++;
          expect.soft(tests.get(type)?.(other), `${type} ${place.join('.')} ${how}`).toBe(expected);
        }
  }
  expect(right).toBeGreaterThan(100);
  expect(wrong).toBeGreaterThan(1000);
});
