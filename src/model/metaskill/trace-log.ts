/** What a program traces: at most 100 entries with the host's own first and last, none larger than 2,000 characters. */
import { codePointLength, takeCodePoints } from '../../base/text.ts';
import { joinObject, type RawEntry } from './json-text.ts';

const MAX_ENTRIES = 100;
const MAX_ENTRY = 2000;
const MAX_KIND = 200;
/** Start and finish are the host's. */
const FOR_PROGRAM = MAX_ENTRIES - 2;

/** As it is recorded, which may be shorter than what the program gave. */
export interface TraceEntry {
  readonly kind: string;
  readonly dataJson: string;
  readonly isCut: boolean;
}

const entryText = ({ kind, dataJson, isCut }: TraceEntry): string => {
  const entries: RawEntry[] = [['kind', JSON.stringify(kind)]];
  if (dataJson !== '{}') entries.push(['data', dataJson]);
  if (isCut) entries.push(['truncated', 'true']);
  return joinObject(entries);
};

const shorten = (kind: string, dataJson: string): TraceEntry => {
  const whole = { kind, dataJson, isCut: false };
  if (codePointLength(entryText(whole)) <= MAX_ENTRY) return whole;
  // Quoting can double the length of what is kept, so measure and halve until it fits.
  for (let keep = MAX_ENTRY; ; keep = Math.floor(keep / 2)) {
    const cut = {
      kind: takeCodePoints(kind, MAX_KIND),
      dataJson: JSON.stringify({ start: takeCodePoints(dataJson, keep) }),
      isCut: true,
    };
    if (codePointLength(entryText(cut)) <= MAX_ENTRY) return cut;
  }
};

export interface TraceLog {
  /** What was recorded; nothing if there was no room for it. */
  readonly add: (kind: string, dataJson: string) => TraceEntry | undefined;
  readonly dropped: () => number;
  /** The program's entries as JSON strings, without the host's own. */
  readonly entries: () => readonly string[];
  /** All entries, the host's first and last included. */
  readonly complete: (start: string, finish: string) => readonly string[];
}

export const hostEntry = (kind: string, data: Readonly<Record<string, unknown>>): string =>
  joinObject([
    ['kind', JSON.stringify(kind)],
    ['data', JSON.stringify(data)],
  ]);

export const createTraceLog = (): TraceLog => {
  const entries: string[] = [];
  let dropped = 0;
  return {
    add: (kind, dataJson) => {
      if (entries.length === FOR_PROGRAM) {
        dropped++;
        return undefined;
      }
      const entry = shorten(kind, dataJson);
      entries.push(entryText(entry));
      return entry;
    },
    dropped: () => dropped,
    entries: () => entries,
    complete: (start, finish) => {
      if (dropped === 0) return [start, ...entries, finish];
      // The marker takes the place of the last entry.
      const kept = entries.slice(0, FOR_PROGRAM - 1);
      return [start, ...kept, hostEntry('dropped', { entries: dropped + entries.length - kept.length }), finish];
    },
  };
};
