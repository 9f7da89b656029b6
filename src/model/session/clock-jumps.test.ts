/** A computer sleeps, is set to another time, or corrects its clock while an answer comes. */
import { expect, it } from 'vitest';
import { setup } from './testing/setup.ts';

const DAY = 86_400_000;

it('SE62: events keep their order, and nothing takes less than no time, when the clock jumps', async () => {
  // Back while an answer comes, and forward between two: the timers of a turn would notice the latter.
  const jumps = [0, -DAY, -3 * DAY, -1000];
  const bench = await setup({
    script: (_, index) => {
      bench.clock.advance(jumps[index % jumps.length] ?? 0);
      return `Answer ${index}.`;
    },
  });
  const { session, journal, clock } = bench;
  for (const [index, jump] of jumps.entries()) {
    expect(await session.send(`Question ${index}`)).toMatchObject({ kind: 'completed', text: `Answer ${index}.` });
    clock.advance(40 * DAY - jump);
  }
  const ids = journal.events.map(({ id }) => id);
  expect(ids.toSorted()).toEqual(ids);
  for (const event of journal.events)
    for (const [key, value] of Object.entries(event.payload))
      if (/latency|wall_time|first_byte/.test(key) && typeof value === 'number')
        expect(value, `${event.type} ${key}`).toBeGreaterThanOrEqual(0);
});
