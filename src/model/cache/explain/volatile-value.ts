/** Values that change with every request: clocks, ids, counters. */

export interface VolatileValue {
  /** In words, such as `ISO date`. */
  readonly kind: string;
  readonly before: string;
  readonly after: string;
  /** Says that the value is the time of the request. */
  readonly isNow: boolean;
}

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*';
const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*';
const CLOCK = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?:\\s?[AaPp][Mm]\\b)?';

/** The first kind that covers the place in both strings wins, so the longer and surer ones come first. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['UUID', /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi],
  [
    'ISO date and time',
    /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z\b|[+-]\d{2}:?\d{2}\b| ?UTC\b)?/g,
  ],
  ['ISO date', /\b\d{4}-\d{2}-\d{2}\b/g],
  [
    'date',
    new RegExp(
      `(?:\\b${DAY},?\\s+)?(?:\\b${MONTH}\\.?\\s+\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s+\\d{4})?|\\b\\d{1,2}(?:st|nd|rd|th)?\\.?\\s+${MONTH}\\.?(?:,?\\s+\\d{4})?)(?:,?\\s+(?:at\\s+)?${CLOCK})?`,
      'g',
    ),
  ],
  ['date', /\b\d{1,4}[/.]\d{1,2}[/.]\d{1,4}\b/g],
  ['time', new RegExp(`\\b${CLOCK}`, 'g')],
  ['day of the week', new RegExp(`\\b${DAY}\\b`, 'g')],
  ['time of day', /\b(?:morning|noon|afternoon|evening|night|midnight)\b/gi],
  [
    'session, request or trace id',
    /\b(?:session|sess|request|req|trace|span|run|conversation|conv|thread|correlation|nonce|msg|message|turn|call)(?:[\s_-]?id)?["']?\s?[_:=#-]\s?["']?[A-Za-z0-9][\w-]*/gi,
  ],
  ['Unix time', /\b1[0-9]{9}(?:\.\d+)?\b|\b1[0-9]{12}\b/g],
  ['ULID', /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g],
  ['hex id', /\b(?:0x)?(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/gi],
  ['random id', /\b(?<!\w-*)(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{12,}\b/g],
  ['number', /\b\d+(?:[.,]\d+)*\b%?/g],
];

const WINDOW = 80;

/** The match of a pattern that covers an offset. */
const covering = (text: string, offset: number, pattern: RegExp): string | undefined => {
  const from = Math.max(0, offset - WINDOW);
  const window = text.slice(from, offset + WINDOW);
  for (const match of window.matchAll(pattern)) {
    const start = from + match.index;
    if (start <= offset && offset <= start + match[0].length && match[0].length > 0) return match[0];
  }
  return undefined;
};

const DAY_MS = 86_400_000;
const SLACK_MS = 120_000;

const toTime = (kind: string, text: string): number => {
  if (kind === 'Unix time') return text.length >= 13 ? Number(text) : Number(text) * 1000;
  const iso = text.replace(/ ?UTC$/, 'Z').replace(',', '.');
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/.test(iso);
  if (kind === 'ISO date and time') return Date.parse(hasZone ? iso.replace(' ', 'T') : `${iso.replace(' ', 'T')}Z`);
  return kind === 'ISO date'
    ? Date.parse(`${text}T12:00:00Z`)
    : Date.parse(`${text.replace(/(\d)(?:st|nd|rd|th)/, '$1')} UTC`);
};

/** A date is "now" within a day (time zones), a time within two minutes beside whole and half hours of a zone. */
const isNow = (kind: string, text: string, now: number): boolean => {
  const time = toTime(kind, text);
  if (!Number.isFinite(time)) return false;
  const distance = Math.abs(time - now);
  if (kind === 'ISO date' || (kind === 'date' && !/\d:\d/.test(text))) return distance <= DAY_MS * 1.5;
  if (kind === 'Unix time') return distance <= SLACK_MS;
  const halfHours = distance % 1_800_000;
  return distance <= DAY_MS && Math.min(halfHours, 1_800_000 - halfHours) <= SLACK_MS;
};

/** An insertion longer than this is more than a value. */
const MAX_INSERTED = 160;

/** What one string has at the offset and the other has not; undefined unless one is the other with something put in. */
const insertedAt = (shorter: string, longer: string, offset: number): string | undefined => {
  const length = longer.length - shorter.length;
  const isInsertion = length > 0 && length <= MAX_INSERTED && longer.endsWith(shorter.slice(offset));
  return isInsertion ? longer.slice(offset, offset + length) : undefined;
};

/** A value that came or went as a whole. */
const comingValue = (before: string, after: string, offset: number, now: number): VolatileValue | undefined => {
  const [came, went] = [insertedAt(before, after, offset), insertedAt(after, before, offset)];
  const text = came ?? went;
  if (text === undefined) return undefined;
  for (const [kind, pattern] of KINDS) {
    const value = text.match(pattern)?.[0];
    if (value === undefined || !isTelling({ kind })) continue;
    return came === undefined
      ? { kind, before: value, after: '', isNow: false }
      : { kind, before: '', after: value, isNow: isNow(kind, value, now) };
  }
  return undefined;
};

/** What is where two strings part; undefined if it is not a value that one expects to change. */
export const volatileValueAt = (
  before: string,
  after: string,
  offset: number,
  now: number,
): VolatileValue | undefined => {
  for (const [kind, pattern] of KINDS) {
    const [old, fresh] = [covering(before, offset, pattern), covering(after, offset, pattern)];
    if (old !== undefined && fresh !== undefined && old !== fresh)
      return { kind, before: old, after: fresh, isNow: isNow(kind, fresh, now) };
  }
  return comingValue(before, after, offset, now);
};

/** Kinds that say something of themselves; a bare number may be anything. */
export const isTelling = ({ kind }: Pick<VolatileValue, 'kind'>): boolean => kind !== 'number' && kind !== 'random id';
