/** Operators on values that are not known, or only in part. */
import type { Place } from './types.ts';
import {
  allMarks,
  concat,
  either,
  HOLE,
  joinMarks,
  knownText,
  marksOf,
  NOTHING,
  textValue,
  withMarks,
  type Value,
} from './value.ts';
import type { World } from './world.ts';

/** Any one of what is in it. */
export const elementOf = (value: Value): Value => {
  if (value.items && value.items.length > 0) {
    const joined = value.items.slice(0, 32).reduce((a, b) => either(a, b));
    return withMarks(joined, value.marks);
  }
  return { marks: allMarks(value), texts: [] };
};

export const sliceValue = (world: World, place: Place, value: Value, bounds: readonly (Value | undefined)[]): Value => {
  const [from, to, step] = bounds.map(knownText);
  if (step === '-1' && from === undefined && to === undefined) {
    return world.decoded(
      place,
      'reverses text',
      value,
      value.texts.map((text) => Array.from(text).toReversed().join('')),
    );
  }
  const number = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
  if (bounds.some((bound) => bound && knownText(bound) === undefined)) return { marks: allMarks(value), texts: [] };
  const every = number(step) ?? 1;
  return {
    marks: allMarks(value),
    texts: value.texts.map((text) =>
      Array.from(text.slice(number(from), number(to)))
        .filter((_, index) => every <= 1 || index % every === 0)
        .join(''),
    ),
    ...(value.items && { items: value.items.slice(number(from), number(to)) }),
  };
};

/** What operators make of their operands. */
export const mixValues = (world: World, place: Place, op: string, values: readonly Value[]): Value => {
  switch (op) {
    case 'test':
    case '==':
    case '!=':
    case '===':
    case '!==':
    case '<':
    case '>':
    case '<=':
    case '>=':
    case 'in':
    case 'not':
    case 'is':
    case 'instanceof':
      return NOTHING;
    case '/':
      return values[0]?.ref?.startsWith('pathlib') === true || values[1]?.texts.length === 1
        ? { ...concat([values[0] ?? NOTHING, textValue('/'), values[1] ?? NOTHING]), ref: 'pathlib.Path()' }
        : { marks: marksOf(values), texts: [] };
    case '%': {
      const [format = NOTHING, given = NOTHING] = values;
      const fillers = given.items ?? [given];
      return {
        marks: joinMarks([allMarks(format), allMarks(given)]),
        texts: format.texts.map((text) => {
          let index = 0;
          return text.replace(/%[-+#0-9.]*[sdrifx]/g, () => fillers[index++]?.texts[0] ?? HOLE);
        }),
      };
    }
    case '^':
      return world.decoded(place, 'combines bytes with ^', { marks: marksOf(values), texts: [] });
    case 'format':
    case 'item': {
      const [only] = values;
      if (only && values.length === 1) return only;
      return { marks: joinMarks(values.map(allMarks)), texts: [] };
    }
    default:
      return { marks: joinMarks(values.map(allMarks)), texts: [] };
  }
};
