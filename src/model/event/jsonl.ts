/**
 * A journal as a file: JSON lines. The first says what it is, every other one is an event.
 * `{"lathe":"journal","version":1,"session_id":"…","content":"all"}`
 */
import { parseJson } from '../../base/json.ts';
import { err, ok, type Result, valueOr } from '../../base/result.ts';
import { z } from '../zod.ts';
import { checkEvent } from './check.ts';
import type { LatheEvent } from './types.ts';

const VERSION = 1;

/** `all`: everything, and a journal that replays. `catalog`: private events without their payload. */
export type JournalContent = 'all' | 'catalog';

/** What an export without private content leaves of a private event. */
export type StrippedEvent = Omit<LatheEvent, 'payload'> & { readonly payload: null };

export interface LineFault {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

export interface ImportedJournal {
  readonly sessionId: string;
  readonly content: JournalContent;
  /** Whole events, in order. */
  readonly events: readonly LatheEvent[];
  /** Of a journal without private content: the others, in order. A journal that has them cannot be replayed. */
  readonly stripped: readonly StrippedEvent[];
  /** Lines that hold no event that can be used; the others are there all the same. */
  readonly faults: readonly LineFault[];
}

const strip = (event: LatheEvent): LatheEvent | StrippedEvent =>
  event.sensitivity === 'private' ? { ...event, payload: null } : event;

/** All events are of one session. */
export const exportJsonl = (
  events: readonly LatheEvent[],
  { content }: { readonly content: JournalContent },
): string => {
  const header = { lathe: 'journal', version: VERSION, session_id: events[0]?.session_id ?? '', content };
  const lines = events.map((event) => JSON.stringify(content === 'all' ? event : strip(event)));
  return `${[JSON.stringify(header), ...lines].join('\n')}\n`;
};

const headerShape = z.object({
  lathe: z.literal('journal'),
  version: z.number().int().min(0),
  session_id: z.string(),
  content: z.enum(['all', 'catalog']),
});

/** From a version to the next one, line by line. */
export type Migrations = Readonly<Record<number, (line: unknown) => unknown>>;
const MIGRATIONS: Migrations = {};

const readHeader = (text: string, migrations: Migrations): Result<z.infer<typeof headerShape>, LineFault> => {
  const read = headerShape.safeParse(valueOr(parseJson(text), undefined));
  if (!read.success)
    return err({
      line: 1,
      message:
        'this isn’t a Lathe journal: its first line must be {"lathe":"journal","version":1,"session_id":…,"content":…}',
    });
  const { version } = read.data;
  if (version > VERSION)
    return err({
      line: 1,
      message: `this journal has version ${version}, but this Lathe reads up to ${VERSION}. Use a newer one`,
    });
  for (let step = version; step < VERSION; step++)
    if (!migrations[step]) return err({ line: 1, message: `journals of version ${version} are no longer readable` });
  return ok(read.data);
};

const isStripped = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  const { payload, sensitivity } = value as Partial<StrippedEvent>;
  return payload === null && sensitivity === 'private';
};

/** Every line is checked against the catalog; one that is wrong is left out and reported. */
export const importJsonl = (text: string, migrations: Migrations = MIGRATIONS): Result<ImportedJournal, LineFault> => {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const head = readHeader(lines[0] ?? '', migrations);
  if (!head.ok) return head;
  const { content, version, session_id: sessionId } = head.value;
  const events: LatheEvent[] = [];
  const stripped: StrippedEvent[] = [];
  const faults: LineFault[] = [];
  let lastId = '';

  const readLine = (raw: string): string | undefined => {
    const parsed = parseJson(raw);
    if (!parsed.ok) return `not JSON: ${parsed.error}`;
    let value: unknown = parsed.value;
    for (let step = version; step < VERSION; step++) value = migrations[step]?.(value);
    const isWithout = content === 'catalog' && isStripped(value);
    const checked = checkEvent(value, { withoutPayload: isWithout });
    if (!checked.ok) return checked.faults.join('; ');
    const { event } = checked;
    if (event.session_id !== sessionId) return `this event is of another session, ${event.session_id}`;
    if (event.id <= lastId) return 'id: it must be greater than the previous id';
    lastId = event.id;
    if (isWithout) stripped.push({ ...event, payload: null });
    else events.push(event);
    return undefined;
  };

  for (const [index, raw] of lines.entries()) {
    if (index === 0 || raw.trim() === '') continue;
    const message = readLine(raw);
    if (message !== undefined) faults.push({ line: index + 1, message });
  }
  return ok({ sessionId, content, events, stripped, faults });
};
