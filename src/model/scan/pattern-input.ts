import type { Place } from './types.ts';
import type { World } from './world.ts';

/** A string in which patterns are looked for, and where what is found goes. */
export interface PatternInput {
  readonly text: string;
  readonly placeOf: (offset: number) => Place;
  readonly world: World;
}
