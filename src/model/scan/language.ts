/** What the interpreter asks of a language, and what it tells about a call. */
import type { Lowered } from './program.ts';
import type { Place } from './types.ts';
import { NOTHING, type Value } from './value.ts';
import type { World } from './world.ts';

export interface CallSite {
  /** What is called, by its full name: `os.system`, `?.join` for a method of something unknown. */
  readonly ref: string;
  readonly method: string;
  readonly receiver: Value;
  readonly args: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
  readonly place: Place;
  readonly world: World;
  readonly depth: number;
}

/** By its name or its place. */
export const argument = ({ args, named }: CallSite, index: number, ...names: readonly string[]): Value =>
  names.map((name) => named.get(name)).find((value) => value !== undefined) ?? args[index] ?? NOTHING;

export interface LanguageEffects {
  readonly call: (site: CallSite) => Value | undefined;
  /** What a name with dots stands for, in its usual spelling. */
  readonly normalRef: (ref: string) => string;
  readonly isEnvironment: (ref: string) => boolean;
  /** Starts a program, or runs what it is given. */
  readonly isRunner: (ref: string) => boolean;
  /** Sources that are not calls, such as `process.env`. */
  readonly member: (world: World, place: Place, ref: string) => Value | undefined;
  /** The module of the skill that an import means. */
  readonly resolve: (from: string, path: string) => string | undefined;
  /** Methods of JavaScript see `this`; those of Python get it as their first parameter. */
  readonly bindsThis: boolean;
}

export interface Module {
  readonly file: string;
  readonly program: Lowered;
  readonly placeOf: (offset: number) => Place;
}
