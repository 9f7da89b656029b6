/**
 * Skips texts that are made to be slow: the time per byte stays the same from 50 KB to 1 MiB. A piece whose 200 KB already
 * take much longer per byte is not tried at 1 MiB: it would take hours.
 */
import { FORMS } from './hostile-forms.ts';
import { fill, PASSES, PIECES } from './hostile-texts.ts';
import { bestOf, report } from './measure.ts';

const SIZES = [50_000, 200_000, 1024 * 1024] as const;
/** Below this, the clock and the collector of garbage say more than the work. */
const LEAST_MS = 5;
const LIMIT = 3;

const ALL: readonly (readonly [name: string, make: (size: number) => string])[] = [
  ...PIECES.map((piece) => [JSON.stringify(piece), (size: number) => fill(piece, size)] as const),
  ...Object.entries(FORMS),
];

for (const [name, pass] of Object.entries(PASSES)) {
  let worst = { ratio: 0, piece: '' };
  for (const [piece, make] of ALL) {
    const [small, ...larger] = SIZES;
    const smallest = make(small);
    const base = Math.max(
      bestOf(3, () => pass(smallest)),
      LEAST_MS,
    );
    for (const size of larger) {
      const text = make(size);
      const ratio = bestOf(1, () => pass(text)) / base / (size / small);
      if (ratio > worst.ratio) worst = { ratio, piece };
      if (ratio > LIMIT) break;
    }
  }
  report(`${name}: time per byte, worst ${worst.piece}`, worst.ratio, { atMost: LIMIT });
}
