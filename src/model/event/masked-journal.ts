/** A journal as a file that may be given away: private values have stand-ins (model/masking), and its first line lists them. */
import { createMasker, type MaskedValue } from '../masking/masker.ts';
import { applyDelta, bodyOf, createBaseTexts, deltaOf } from './body-delta.ts';
import { exportJsonl, type JournalContent } from './jsonl.ts';
import type { EventOf, LatheEvent } from './types.ts';

export interface MaskedJournal {
  readonly text: string;
  readonly masked: readonly MaskedValue[];
}

const isSent = (event: LatheEvent): event is EventOf<'request.sent'> => event.type === 'request.sent';

interface Whole {
  readonly body: string;
  /** What it builds on. */
  readonly base: string | undefined;
}

/** Every body in its turn. One that a later body builds on is kept until then, so that none is built from the start again. */
const wholeBodies = (events: readonly LatheEvent[], byId: (id: string) => LatheEvent | undefined) => {
  const bases = createBaseTexts(events);
  return (event: EventOf<'request.sent'>): Whole | undefined => {
    const base = bases.of(event);
    const body = base === undefined ? bodyOf(event, byId) : applyDelta(base, event.payload);
    if (body === undefined) return undefined;
    bases.put(event, body);
    return { body, base };
  };
};

export const exportMaskedJsonl = (
  events: readonly LatheEvent[],
  { content, secrets }: { readonly content: JournalContent; readonly secrets?: readonly string[] },
): MaskedJournal => {
  const masker = createMasker({ ...(secrets && { secrets }) });
  const byId = new Map(events.map((event) => [event.id, event]));
  const isWhole = content === 'all';
  const isShown = (event: LatheEvent): boolean => isWhole || event.sensitivity !== 'private';
  // A value may begin in one piece of a body and end in the next, so bodies are masked whole.
  const bodies = masker.bodies();
  const eachBody = () => {
    const whole = wholeBodies(events, (id) => byId.get(id));
    return (event: LatheEvent): Whole | undefined => (isWhole && isSent(event) ? whole(event) : undefined);
  };
  const learned = eachBody();
  for (const event of events) {
    const whole = learned(event);
    if (whole) bodies.learn(whole.body, whole.base);
    else if (isShown(event)) masker.learn(event);
  }
  const written = eachBody();
  const bases = createBaseTexts(events);
  const masked = events.map((event): LatheEvent => {
    const whole = written(event);
    if (!whole || !isSent(event)) return isShown(event) ? masker.mask(event) : event;
    const now = bodies.mask(whole.body, whole.base);
    const { keepStart, keepEnd, text } = deltaOf(bases.of(event) ?? '', now);
    bases.put(event, now);
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
