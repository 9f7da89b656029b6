/** What is known about a value without running the program: where it came from, and its text where that is written out. */
import type { FunctionExpr } from './program.ts';
import type { Step } from './types.ts';

/** `environment`: all variables; `variable`: one of them; `secret`: a credential; `home`: files of the home folder; `asset`: a file of the skill that is no program. */
export type Label = 'environment' | 'variable' | 'secret' | 'home' | 'network' | 'decoded' | 'asset';

export interface Mark extends Step {
  readonly label: Label;
  /** Of a variable. */
  readonly name?: string;
  /** From a file in which people keep the keys of many services, this skill's too. */
  readonly isOwn?: true;
  /** Of such a file, only one entry. */
  readonly isPart?: true;
}

export interface Scope {
  readonly names: Map<string, Value>;
  readonly parent: Scope | undefined;
  readonly globals: Set<string>;
}

export interface Closure {
  readonly expr: FunctionExpr;
  readonly scope: Scope;
  readonly self?: Value;
  /** Which module it was written in. */
  readonly module: number;
}

/** Stands in a string for what is not known. */
export const HOLE = '\uFFFC';

export interface Value {
  readonly marks: readonly Mark[];
  /** What the text may be. Empty: nothing is known. */
  readonly texts: readonly string[];
  /** What a name stands for: `os.environ`, `requests.Session().post`. */
  readonly ref?: string;
  readonly items?: readonly Value[];
  readonly closure?: Closure;
  /** Of an object, a module or a class; shared by all who hold it. */
  readonly fields?: Map<string, Value>;
}

const MAX_TEXTS = 8;
const MAX_MARKS = 12;
const MAX_LENGTH = 200_000;

export const NOTHING: Value = { marks: [], texts: [] };

export const textValue = (text: string): Value => ({ marks: [], texts: [text] });

export const joinMarks = (lists: readonly (readonly Mark[])[]): readonly Mark[] => {
  const filled = lists.filter((list) => list.length > 0);
  if (filled.length <= 1) return filled[0] ?? [];
  const seen = new Map<string, Mark>();
  for (const mark of filled.flat()) {
    const key = `${mark.label}\0${mark.name ?? ''}\0${mark.file}\0${mark.line}\0${mark.isPart ?? ''}`;
    if (!seen.has(key) && seen.size < MAX_MARKS) seen.set(key, mark);
  }
  return [...seen.values()];
};

export const marksOf = (values: readonly Value[]): readonly Mark[] => joinMarks(values.map(({ marks }) => marks));

/** Everything that a value holds, in one set of marks. */
export const allMarks = (value: Value): readonly Mark[] => {
  const visited = new Set<Value>();
  const collect = (at: Value, depth: number): readonly Mark[] => {
    if (visited.has(at) || depth > 4) return [];
    visited.add(at);
    const inner = [...(at.items ?? []), ...(at.fields?.values() ?? [])];
    return inner.length === 0 ? at.marks : joinMarks([at.marks, ...inner.map((item) => collect(item, depth + 1))]);
  };
  return collect(value, 0);
};

const partMarks = (marks: readonly Mark[]): readonly Mark[] =>
  marks.some(({ isOwn }) => isOwn) ? marks.map((mark) => (mark.isOwn ? { ...mark, isPart: true } : mark)) : marks;

/** One entry of a file of keys, such as the own key of a program. */
export const partOf = (value: Value): Value => {
  const marks = partMarks(value.marks);
  return marks === value.marks ? value : { ...value, marks };
};

/** What a program logs in with. */
export const asLogin = (value: Value): Value => ({ marks: partMarks(allMarks(value)), texts: value.texts });

/** Either of the two. */
export const either = (a: Value, b: Value): Value => {
  if (a === b || b === NOTHING) return a;
  if (a === NOTHING) return b;
  const closure = a.closure ?? b.closure;
  // A name says more than what a call of it gave.
  const ref = a.ref?.endsWith('()') === true ? (b.ref ?? a.ref) : (a.ref ?? b.ref);
  const items = a.items ?? b.items;
  const fields = a.fields ?? b.fields;
  return {
    marks: joinMarks([a.marks, b.marks]),
    texts: [...new Set([...a.texts, ...b.texts])].slice(0, MAX_TEXTS),
    ...(closure && { closure }),
    ...(ref !== undefined && { ref }),
    ...(items && { items }),
    ...(fields && { fields }),
  };
};

export const withMarks = (value: Value, marks: readonly Mark[]): Value =>
  marks.length === 0 ? value : { ...value, marks: joinMarks([value.marks, marks]) };

export const concat = (values: readonly Value[]): Value => {
  const marks = joinMarks(values.map(allMarks));
  // Two lists that are added are one list.
  const [first] = values;
  if (first?.items && values.every(({ items }) => items)) {
    return { marks, texts: [], items: values.flatMap(({ items }) => items ?? []) };
  }
  let texts = [''];
  for (const { texts: next } of values) {
    const options = next.length === 0 ? [HOLE] : next;
    texts = texts
      // What is full stays as it is: cut again for each value that follows, it would be copied each time.
      .flatMap((text) =>
        text.length >= MAX_LENGTH
          ? [text]
          : options.map((option) =>
              text.length + option.length > MAX_LENGTH ? (text + option).slice(0, MAX_LENGTH) : text + option,
            ),
      )
      .slice(0, MAX_TEXTS);
  }
  return {
    marks,
    texts: texts.filter((text) => text.replaceAll(HOLE, '') !== '' || values.length === 0 || text === ''),
  };
};

/** The same data in another form: strings as `change` says. */
export const mapTexts = (value: Value, change: (text: string) => string | undefined): Value => ({
  marks: allMarks(value),
  texts: value.texts.map(change).filter((text) => text !== undefined),
});

/** The text, if there is exactly one and it is known in full. */
export const knownText = (value: Value | undefined): string | undefined => {
  const [only, ...more] = value?.texts ?? [];
  return only === undefined || more.length > 0 || only.includes(HOLE) ? undefined : only;
};
