/** The result of a run as the string that the model gets, in the form of the metaskill specification. */
import { codePointLength, takeCodePoints } from '../../base/text.ts';
import { isStringJson, joinObject, splitObject, type RawEntry } from './json-text.ts';
import { TEXT_LIMIT } from './limits.ts';

export type ReturnType = 'NoneType' | 'string' | 'dict';

/** `None`, a string or a dict, as one object; `trace` is added later. */
export const normaliseReturn = (type: ReturnType, json: string): RawEntry[] => {
  if (type === 'NoneType')
    return [
      ['status', '"ok"'],
      ['answer', '""'],
    ];
  if (type === 'string')
    return [
      ['status', '"ok"'],
      ['answer', json],
    ];
  const entries = splitObject(json);
  const has = (key: string): boolean => entries.some(([name]) => name === key);
  return [
    ...entries,
    ...(has('status') ? [] : [['status', '"ok"'] as const]),
    ...(has('answer') ? [] : [['answer', '""'] as const]),
  ];
};

export const statusOf = (entries: readonly RawEntry[]): string => {
  const raw = entries.find(([key]) => key === 'status')?.[1] ?? '""';
  return isStringJson(raw) ? (JSON.parse(raw) as string) : raw;
};

const set = (entries: readonly RawEntry[], key: string, raw: string): RawEntry[] =>
  entries.some(([name]) => name === key)
    ? entries.map((entry) => (entry[0] === key ? [key, raw] : entry))
    : [...entries, [key, raw]];

const text = (name: string, entries: readonly RawEntry[]): string =>
  `[Metaskill: ${name} completed]\n${joinObject(entries)}`;

const fits = (name: string, entries: readonly RawEntry[]): boolean =>
  codePointLength(text(name, entries)) <= TEXT_LIMIT;

/** The largest count from 0 to `most` for which `works` holds; it holds for all smaller ones too. -1 if it never does. */
const largest = (most: number, works: (count: number) => boolean): number => {
  if (!works(0)) return -1;
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (works(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
};

const list = (items: readonly string[]): string => `[${items.join(',')}]`;

/** Drops entries between the first and the last until the rest fits, and says how many. */
const cutTrace = (name: string, entries: readonly RawEntry[], trace: readonly string[]): RawEntry[] => {
  const first = trace[0] ?? '';
  const last = trace.at(-1) ?? '';
  const middle = trace.slice(1, -1);
  const withKept = (count: number): RawEntry[] => {
    const marker = `{"kind":"truncated","data":{"entries":${middle.length - count}}}`;
    return set(entries, 'trace', list([first, ...middle.slice(0, count), marker, last]));
  };
  const kept = largest(middle.length - 1, (count) => fits(name, withKept(count)));
  return kept >= 0 ? withKept(kept) : set(entries, 'trace', list(['{"kind":"truncated"}']));
};

const MARKS = new Set(['trace', 'answer', 'answer_truncated', 'fields_truncated']);

/** The longest prefix of a JSON string that makes the whole fit. */
const cutString = (name: string, entries: readonly RawEntry[], key: string, raw: string): RawEntry[] | undefined => {
  const value = JSON.parse(raw) as string;
  const shortened = (count: number): RawEntry[] => set(entries, key, JSON.stringify(takeCodePoints(value, count)));
  const kept = largest(codePointLength(value), (count) => fits(name, shortened(count)));
  return kept < 0 ? undefined : shortened(kept);
};

/** A field this short tells more than it takes, as long as all of them together are short too. */
const SHORT_FIELD = 100;
const SHORT_FIELDS = 1_000;

/** The status, and the shortest other fields: cutting them would save next to nothing. */
const shortFields = (fields: readonly RawEntry[]): ReadonlySet<string> => {
  const order = ([key, raw]: RawEntry): number => (key === 'status' ? 0 : raw.length);
  const kept = new Set<string>();
  let room = SHORT_FIELDS;
  for (const [key, raw] of fields.toSorted((a, b) => order(a) - order(b))) {
    const size = key.length + raw.length;
    if (size > SHORT_FIELD || size > room) continue;
    kept.add(key);
    room -= size;
  }
  return kept;
};

/** Less than this is not saved by emptying a field: its name is written once more. */
const GAIN = 6;

/** The largest other fields lose their tail or, if they are not text, their value. */
const cutFields = (name: string, start: readonly RawEntry[]): RawEntry[] => {
  const fields = start.filter(([key]) => !MARKS.has(key));
  const short = shortFields(fields);
  const others = fields
    .filter(([key, raw]) => !short.has(key) && raw.length > JSON.stringify(key).length + GAIN)
    .toSorted((a, b) => b[1].length - a[1].length);
  if (others.length === 0) return [...start];
  const emptied = (count: number): RawEntry[] => {
    const gone = new Set(others.slice(0, count).map(([key]) => key));
    const rest = start.map(([key, raw]): RawEntry => [key, gone.has(key) ? (isStringJson(raw) ? '""' : 'null') : raw]);
    return set(rest, 'fields_truncated', JSON.stringify([...gone]));
  };
  const tooFew = largest(others.length - 1, (count) => !fits(name, emptied(count)));
  const entries = emptied(tooFew + 1);
  const [key, raw] = others[tooFew] ?? ['', ''];
  return (isStringJson(raw) ? cutString(name, entries, key, raw) : undefined) ?? entries;
};

/** What is left when even empty fields are too many: the answer, and the names of what is gone, as far as they fit. */
const skeleton = (entries: readonly RawEntry[]): RawEntry[] => {
  const answer = entries.find(([key]) => key === 'answer')?.[1] ?? '""';
  const gone = entries.map(([key]) => key).filter((key) => !MARKS.has(key) && key !== 'status');
  const build = (count: number): RawEntry[] => [
    ['status', JSON.stringify(takeCodePoints(statusOf(entries), 200))],
    ['answer', '""'],
    [
      'fields_truncated',
      JSON.stringify([
        ...gone.slice(0, count).map((key) => takeCodePoints(key, 100)),
        ...(count < gone.length ? [`${gone.length - count} more`] : []),
      ]),
    ],
    ['trace', '[{"kind":"truncated"}]'],
  ];
  // Room for the answer: names may take a tenth at most.
  const count = largest(gone.length, (some) => codePointLength(joinObject(build(some))) <= TEXT_LIMIT / 10);
  return set(build(Math.max(0, count)), 'answer', answer);
};

const cutAnswer = (name: string, entries: readonly RawEntry[]): RawEntry[] => {
  const raw = entries.find(([key]) => key === 'answer')?.[1] ?? '""';
  const marked = set(entries, 'answer_truncated', 'true');
  return (
    (isStringJson(raw) ? cutString(name, marked, 'answer', raw) : undefined) ??
    set(marked, 'answer', isStringJson(raw) ? '""' : 'null')
  );
};

/**
 * The result string: at most 20,000 code points, always strict JSON after the first line. What has to go goes in this
 * order, each step only as far as needed and measured again: the trace, other fields, the answer. Every cut is named.
 */
export const writeEnvelope = (name: string, returned: readonly RawEntry[], trace: readonly string[]): string => {
  let entries = set(returned, 'trace', list(trace));
  if (!fits(name, entries)) entries = cutTrace(name, entries, trace);
  // The answer is the last to go, so other fields go first even if cutting the answer would do.
  if (!fits(name, entries)) entries = cutFields(name, entries);
  if (!fits(name, entries)) entries = cutAnswer(name, entries);
  if (!fits(name, entries)) entries = skeleton(returned);
  if (!fits(name, entries)) entries = cutAnswer(name, entries);
  return text(name, entries);
};
