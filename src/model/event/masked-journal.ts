/** A journal as a file that may be given away: private values have stand-ins (model/masking), and its first line lists them. */
import { createMasker, type MaskedValue } from '../masking/masker.ts';
import { bodyOf, deltaOf } from './body-delta.ts';
import { exportJsonl, type JournalContent } from './jsonl.ts';
import type { EventOf, LatheEvent } from './types.ts';

export interface MaskedJournal {
  readonly text: string;
  readonly masked: readonly MaskedValue[];
}

const isSent = (event: LatheEvent): event is EventOf<'request.sent'> => event.type === 'request.sent';

export const exportMaskedJsonl = (
  events: readonly LatheEvent[],
  { content, secrets }: { readonly content: JournalContent; readonly secrets?: readonly string[] },
): MaskedJournal => {
  const masker = createMasker({ ...(secrets && { secrets }) });
  const byId = new Map(events.map((event) => [event.id, event]));
  const bodies = new Map<string, string>();
  const isWhole = content === 'all';
  // A value may begin in one piece of a body and end in the next, so bodies are masked whole.
  const whole = (event: LatheEvent): string | undefined =>
    isWhole && isSent(event) ? bodyOf(event, (id) => byId.get(id)) : undefined;
  for (const event of events) masker.learn(whole(event) ?? (isWhole || event.sensitivity !== 'private' ? event : ''));
  const masked = events.map((event): LatheEvent => {
    const body = whole(event);
    if (body === undefined || !isSent(event))
      return isWhole || event.sensitivity !== 'private' ? masker.mask(event) : event;
    const now = masker.mask(body);
    bodies.set(event.id, now);
    const base = event.payload.base_event_id;
    const { keepStart, keepEnd, text } = deltaOf(base === null ? '' : (bodies.get(base) ?? ''), now);
    return {
      ...event,
      payload: { ...masker.mask({ ...event.payload, text: '' }), keep_start: keepStart, keep_end: keepEnd, text },
    };
  });
  const list = masker.masked();
  const [header = '', ...lines] = exportJsonl(masked, { content }).split('\n');
  const told = list.map(({ kind, standIn, length, count, hash }) => ({ kind, stand_in: standIn, length, count, hash }));
  const first = told.length === 0 ? header : `${header.slice(0, -1)},"masked":${JSON.stringify(told)}}`;
  return { text: [first, ...lines].join('\n'), masked: list };
};
