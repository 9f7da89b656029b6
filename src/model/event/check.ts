/** Whether something is an event of the catalog. */
import { z } from '../zod.ts';
import { catalog } from './catalog.ts';
import { quickTest } from './quick-check.ts';
import { ACTORS, SENSITIVITIES } from './envelope.ts';
import type { EventType, LatheEvent } from './types.ts';

export const EVENT_TYPES = Object.keys(catalog) as EventType[];
const isEventType = (type: string): type is EventType => Object.hasOwn(catalog, type);

const words = (error: z.ZodError): string[] =>
  error.issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));

const quickTests = new Map<EventType, (payload: unknown) => boolean>();
const quickTestOf = (type: EventType): ((payload: unknown) => boolean) => {
  const known = quickTests.get(type);
  if (known) return known;
  const made = quickTest(catalog[type].payload);
  quickTests.set(type, made);
  return made;
};

/** Where a payload differs from the catalog, in words. */
export const payloadFaults = (type: EventType, payload: unknown): readonly string[] => {
  if (quickTestOf(type)(payload)) return [];
  const read = catalog[type].payload.safeParse(payload);
  return read.success ? [] : words(read.error);
};

const envelope = z.strictObject({
  id: z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'must be a ULID'),
  timestamp: z.number().int().min(0),
  session_id: z.string().min(1),
  turn_id: z.string().nullable(),
  parent_event_id: z.string().nullable(),
  type: z.string(),
  actor: z.enum(ACTORS),
  sensitivity: z.enum(SENSITIVITIES),
  payload: z.unknown(),
});

export type Checked =
  | { readonly ok: true; readonly event: LatheEvent }
  | { readonly ok: false; readonly faults: readonly string[] };

/** An event from outside. Its sensitivity may be less private than the catalog's, never more. */
export const checkEvent = (value: unknown, { withoutPayload = false } = {}): Checked => {
  const read = envelope.safeParse(value);
  if (!read.success) return { ok: false, faults: words(read.error) };
  const { type, sensitivity, payload } = read.data;
  if (!isEventType(type)) return { ok: false, faults: [`type: unknown event ${JSON.stringify(type)}`] };
  const ours = catalog[type].sensitivity;
  const faults = withoutPayload ? [] : payloadFaults(type, payload).map((fault) => `payload: ${fault}`);
  if (SENSITIVITIES.indexOf(sensitivity) < SENSITIVITIES.indexOf(ours))
    faults.push(`sensitivity: ${sensitivity} is more private than the catalog's ${ours}`);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, event: read.data as LatheEvent };
};
