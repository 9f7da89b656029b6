/**
 * The filter of the event stream: `type:tool.* status:error skill:pdf dur:>500ms -actor:user "some words"`. Every term must
 * hold, a comma in a value means "or", a `-` in front means "not". A filter is compiled once and then only tests.
 */
import { err, ok, type Result } from '../../base/result.ts';
import { compareCodePoints } from '../../base/text.ts';
import { nearest } from '../../base/nearest.ts';
import { matchesWildcard, simpleWildcard } from '../../base/wildcard.ts';
import { EVENT_TYPES } from './check.ts';
import { STATUSES, statusOf } from './describe.ts';
import type { EventIndex } from './event-index.ts';
import { readWords, type FilterFault, type FilterValue, type FilterWord } from './filter-text.ts';
import { ACTORS, SENSITIVITIES } from './envelope.ts';
import type { EventType, LatheEvent } from './types.ts';

type Test = (event: LatheEvent, index: EventIndex) => boolean;

export interface Filter {
  readonly source: string;
  /** Nothing is left out. */
  readonly isEmpty: boolean;
  readonly test: Test;
}

const KEYS = ['type', 'status', 'actor', 'tool', 'skill', 'model', 'turn', 'dur', 'sens', 'id'] as const;
type Key = (typeof KEYS)[number];

const MEANINGS: Readonly<Record<Key, string>> = {
  type: 'event type, such as tool.*',
  status: 'ok, error, warning or info',
  actor: 'who: user, agent, system, tool or worker',
  tool: 'tool name',
  skill: 'skill or metaskill name',
  model: 'part of the model name',
  turn: 'turn number, or the start of its ID',
  dur: 'duration, such as >500ms or 1s..5s',
  sens: 'sensitivity: private, pseudonymous, …',
  id: 'start of the event ID',
};

/** Groups such as `tool.*`, in the order of the catalog. */
const GROUPS = [...new Set(EVENT_TYPES.map((type) => `${type.split('.')[0]}.*`))];

const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
/** `*` stands for anything; case does not count. */
const wildcard = (value: string): ((text: string) => boolean) => {
  const pieces = simpleWildcard(value.toLowerCase().replace(/\*+/g, '*'), { question: false });
  return (text) => matchesWildcard(pieces, text.toLowerCase());
};

const fault = (
  value: { readonly from: number; readonly to: number },
  message: string,
  suggestion?: string,
): FilterFault => ({
  message,
  from: value.from,
  to: value.to,
  suggestion,
});

const list = (words: readonly string[]): string => words.join(', ');

type Compiled = Result<Test, FilterFault>;

/** One of a few words. */
const oneOf = (
  value: FilterValue,
  options: readonly string[],
  what: string,
  test: (option: string) => Test,
): Compiled => {
  const wanted = value.text.toLowerCase();
  if (options.includes(wanted)) return ok(test(wanted));
  return err(fault(value, `${what} is one of ${list(options)}`, nearest(wanted, options)));
};

const typeTest = (value: FilterValue): Compiled => {
  const wanted = value.text.toLowerCase();
  const matches = wildcard(wanted);
  const matching = new Set<EventType>(EVENT_TYPES.filter((type) => matches(type) || type.startsWith(`${wanted}.`)));
  if (matching.size > 0) return ok((event) => matching.has(event.type));
  const meant = nearest(wanted, [...EVENT_TYPES, ...GROUPS]);
  return err(fault(value, `no event has a type like ${JSON.stringify(value.text)}; there are ${list(GROUPS)}`, meant));
};

const UNITS: Readonly<Record<string, number>> = {
  us: 0.001,
  µs: 0.001,
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
};

const milliseconds = (text: string): number | undefined => {
  const found = /^(\d+(?:\.\d+)?|\.\d+)\s*([a-zµ]*)$/i.exec(text);
  const unit = found?.[2] === undefined || found[2] === '' ? 1 : UNITS[found[2].toLowerCase()];
  return found && unit !== undefined ? Number(found[1]) * unit : undefined;
};

const durationRange = (text: string): ((ms: number) => boolean) | undefined => {
  const range = /^(.+?)\.\.(.+)$/.exec(text);
  if (range) {
    const [from, to] = [milliseconds(range[1] ?? ''), milliseconds(range[2] ?? '')];
    return from === undefined || to === undefined ? undefined : (ms) => ms >= from && ms <= to;
  }
  const [, sign = '', rest = ''] = /^(>=|<=|>|<|=)?(.*)$/.exec(text) ?? [];
  const limit = milliseconds(rest);
  if (limit === undefined) return undefined;
  switch (sign) {
    case '>':
      return (ms) => ms > limit;
    case '<':
      return (ms) => ms < limit;
    case '<=':
      return (ms) => ms <= limit;
    case '=':
      return (ms) => ms === limit;
    default:
      // A bare time is the least that is wanted.
      return (ms) => ms >= limit;
  }
};

const durationTest = (value: FilterValue): Compiled => {
  const fits = durationRange(value.text);
  if (!fits)
    return err(
      fault(
        value,
        `${JSON.stringify(value.text)} is not a duration: write >500ms, <2s, 1s..5s (units us, ms, s, m, h)`,
        '>500ms',
      ),
    );
  return ok((event, index) => {
    const ms = index.durationOf(event);
    return ms !== undefined && fits(ms);
  });
};

const turnTest = (value: FilterValue): Compiled => {
  if (/^\d{1,5}$/.test(value.text)) {
    const wanted = Number(value.text);
    return ok((event, index) => index.turnOf(event) === wanted);
  }
  const start = value.text.toUpperCase();
  return ok((event) => event.turn_id?.toUpperCase().startsWith(start) === true);
};

const nameTest = (
  value: FilterValue,
  nameOf: (event: LatheEvent, index: EventIndex) => string | undefined,
): Compiled => {
  const matches = wildcard(value.text);
  return ok((event, index) => {
    const name = nameOf(event, index);
    return name !== undefined && matches(name);
  });
};

const compileValue = (key: Key, value: FilterValue): Compiled => {
  if (value.text === '') return err(fault(value, `${key}: needs a value: ${MEANINGS[key]}`));
  switch (key) {
    case 'type':
      return typeTest(value);
    case 'status':
      return oneOf(value, STATUSES, 'a status', (status) => (event) => statusOf(event) === status);
    case 'actor':
      return oneOf(value, ACTORS, 'an actor', (actor) => (event) => event.actor === actor);
    case 'sens':
      return oneOf(
        value,
        SENSITIVITIES,
        'a sensitivity',
        (sensitivity) => (event) => event.sensitivity === sensitivity,
      );
    case 'tool':
      return nameTest(value, (event, index) => index.toolOf(event));
    case 'skill':
      return nameTest(value, (event, index) => index.skillOf(event));
    case 'model':
      return nameTest({ ...value, text: `*${value.text}*` }, (event, index) => index.modelOf(event));
    case 'turn':
      return turnTest(value);
    case 'dur':
      return durationTest(value);
    case 'id': {
      const start = value.text.toUpperCase();
      return ok((event) => event.id.startsWith(start));
    }
  }
};

/** Whether any text or number in a value matches. */
const holds = (value: unknown, pattern: RegExp): boolean => {
  if (typeof value === 'string') return pattern.test(value);
  if (typeof value === 'number') return pattern.test(String(value));
  if (typeof value !== 'object' || value === null) return false;
  for (const key in value) if (holds((value as Readonly<Record<string, unknown>>)[key], pattern)) return true;
  return false;
};

const textTest = (text: string): Test => {
  const pattern = new RegExp(escape(text), 'iu');
  return (event) => pattern.test(event.type) || holds(event.payload, pattern);
};

const isKey = (name: string): name is Key => KEYS.some((key) => key === name);

/** What can be written without another fault: as it is, or with that one's own suggestion; else none exists. */
const usable = (text: string): string | undefined => {
  const parsed = parseFilter(text);
  if (parsed.ok) return text;
  const { from, to, suggestion } = parsed.error;
  if (suggestion === undefined) return undefined;
  const again = text.slice(0, from) + suggestion + text.slice(to);
  return parseFilter(again).ok ? again : undefined;
};

const unknownKey = (word: FilterWord, key: FilterValue, source: string): FilterFault => {
  const meant = nearest(key.text.toLowerCase(), KEYS);
  const place = { from: word.from, to: word.to };
  const written = source.slice(word.from, word.to);
  if (meant === undefined)
    return fault(
      place,
      `unknown key ${JSON.stringify(key.text)}. The keys are ${list(KEYS)}. To search for it as text, put it in quotes`,
      `${word.isNegated ? '-' : ''}"${written.slice(word.isNegated ? 1 : 0).replace(/["\\]/g, '\\$&')}"`,
    );
  const corrected = `${word.isNegated ? '-' : ''}${meant}${source.slice(key.to, word.to)}`;
  return fault(
    place,
    `unknown key ${JSON.stringify(key.text)}; did you mean ${meant}? The keys are ${list(KEYS)}`,
    usable(corrected),
  );
};

interface Term {
  readonly test: Test;
  /** Reads the whole payload. */
  readonly isSlow: boolean;
}

const compileWord = (word: FilterWord, source: string): Result<Term, FilterFault> => {
  const { key, values, isNegated } = word;
  const sign = (test: Test): Test => (isNegated ? (event, index) => !test(event, index) : test);
  if (!key) return ok({ test: sign(textTest(values[0]?.text ?? '')), isSlow: true });
  const name = key.text.toLowerCase();
  if (!isKey(name)) return err(unknownKey(word, key, source));
  const tests: Test[] = [];
  for (const value of values) {
    const compiled = compileValue(name, value);
    if (!compiled.ok) return compiled;
    tests.push(compiled.value);
  }
  const [only] = tests;
  const any: Test = tests.length === 1 && only ? only : (event, index) => tests.some((test) => test(event, index));
  return ok({ test: sign(any), isSlow: false });
};

export const parseFilter = (text: string): Result<Filter, FilterFault> => {
  const { words, fault: broken } = readWords(text);
  const terms: Term[] = [];
  for (const word of words) {
    const term = compileWord(word, text);
    if (!term.ok) return term;
    terms.push(term.value);
  }
  if (broken) return err(broken);
  // The cheap ones first: most events never meet the others.
  const tests = terms.toSorted((a, b) => Number(a.isSlow) - Number(b.isSlow)).map(({ test }) => test);
  return ok({
    source: text,
    isEmpty: tests.length === 0,
    test: (event, index) => tests.every((test) => test(event, index)),
  });
};

export interface Completion {
  readonly text: string;
  readonly detail: string;
}

export interface Completions {
  /** What an option replaces. */
  readonly from: number;
  readonly to: number;
  readonly options: readonly Completion[];
}

const valuesOf = (key: Key, index: EventIndex | undefined): readonly string[] => {
  const known = (names: ReadonlySet<string> | undefined): readonly string[] =>
    [...(names ?? [])].toSorted(compareCodePoints);
  switch (key) {
    case 'type':
      return [...GROUPS, ...EVENT_TYPES];
    case 'status':
      return STATUSES;
    case 'actor':
      return ACTORS;
    case 'sens':
      return SENSITIVITIES;
    case 'dur':
      return ['>100ms', '>500ms', '>2s', '1s..5s'];
    case 'tool':
      return known(index?.known.tools);
    case 'skill':
      return known(index?.known.skills);
    case 'model':
      return known(index?.known.models);
    case 'turn':
    case 'id':
      return [];
  }
};

const needsQuotes = (text: string): boolean => /[\s,"]/.test(text);
const quote = (text: string): string => (needsQuotes(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text);

/** What could be written at a place, given what is there already. */
export const completions = (text: string, offset: number, index?: EventIndex): Completions => {
  const { words } = readWords(text.slice(0, offset));
  const word = words.findLast(({ to }) => to === offset);
  const value = word?.values.at(-1);
  const typed = value?.text.toLowerCase() ?? '';
  const to = offset + (/^[^\s,"]*/.exec(text.slice(offset))?.[0].length ?? 0);
  if (word?.key && value) {
    const key = word.key.text.toLowerCase();
    const options = isKey(key) ? valuesOf(key, index) : [];
    return {
      from: value.from,
      to,
      options: options
        .filter((option) => option.toLowerCase().startsWith(typed) && option !== value.text)
        .map((option) => ({ text: quote(option), detail: isKey(key) ? MEANINGS[key] : '' })),
    };
  }
  return {
    from: value?.from ?? offset,
    to,
    options: KEYS.filter((key) => key.startsWith(typed)).map((key) => ({ text: `${key}:`, detail: MEANINGS[key] })),
  };
};
