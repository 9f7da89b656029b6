/** All events of one session, in order, permanently. It lives outside the views, which follow it (`view.ts`). */
import { createEmitter } from '../../base/emitter.ts';
import { silentLog, type Log } from '../../base/log.ts';
import { ulidAfter } from '../../base/ulid.ts';
import { catalog } from './catalog.ts';
import { payloadFaults } from './check.ts';
import type { EventDraft, LatheEvent } from './types.ts';

export interface JournalDeps {
  readonly sessionId: string;
  /** Milliseconds since 1970; fractions count. */
  readonly now: () => number;
  readonly ulid: () => string;
  readonly log?: Log;
  /**
   * What becomes of a payload that the catalog does not allow, which is a defect of ours: `strict` throws, `lenient` logs it
   * and leaves it out, `off` does not look.
   */
  readonly validation?: 'strict' | 'lenient' | 'off';
  /** Of a session that is opened again: its events so far, in order and checked (`importJsonl`). */
  readonly events?: readonly LatheEvent[];
}

export interface Journal {
  readonly sessionId: string;
  /** Always the same array, which grows. */
  readonly events: readonly LatheEvent[];
  /** Gives the event also if it was left out (`lenient`). */
  readonly append: (draft: EventDraft) => LatheEvent;
  /** Called for every event once it is in `events`. A listener that throws is logged and disturbs nobody. */
  readonly subscribe: (listener: (event: LatheEvent) => void) => Disposable;
  /** The events after that one; all of them for `undefined` or an id before the first. */
  readonly since: (id: string | undefined) => readonly LatheEvent[];
  readonly byId: (id: string) => LatheEvent | undefined;
}

/** The index of the first event whose id is not below `id`. */
const indexOf = (events: readonly LatheEvent[], id: string): number => {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.id ?? '') < id) low = middle + 1;
    else high = middle;
  }
  return low;
};

export const createJournal = (deps: JournalDeps): Journal => {
  const { sessionId, validation = 'strict', log = silentLog } = deps;
  const events: LatheEvent[] = [...(deps.events ?? [])];
  let lastId = events.at(-1)?.id ?? '';
  let lastTime = events.at(-1)?.timestamp ?? 0;
  const emitter = createEmitter<LatheEvent>((thrown) =>
    log({ level: 'error', code: 'event.listener_failed', text: `a listener of the journal failed: ${String(thrown)}` }),
  );

  const make = (draft: EventDraft): LatheEvent => {
    const id = deps.ulid();
    // A session that was opened again may have ids from a clock that was ahead of this one.
    lastId = id > lastId ? id : ulidAfter(lastId);
    lastTime = Math.max(lastTime, Math.round(deps.now() * 1000));
    const { actor, sensitivity } = catalog[draft.type];
    return {
      id: lastId,
      timestamp: lastTime,
      session_id: sessionId,
      turn_id: draft.turnId ?? null,
      parent_event_id: draft.parent ?? null,
      type: draft.type,
      actor: draft.actor ?? actor,
      sensitivity,
      payload: draft.payload,
    } as LatheEvent;
  };

  return {
    sessionId,
    events,
    append: (draft) => {
      if (validation !== 'off') {
        const faults = payloadFaults(draft.type, draft.payload);
        if (faults.length > 0) {
          const text = `the event ${draft.type} doesn’t match the catalog: ${faults.join('; ')}`;
          if (validation === 'strict') throw new Error(text);
          log({ level: 'error', code: 'event.invalid', text });
          return make(draft);
        }
      }
      const event = make(draft);
      events.push(event);
      emitter.emit(event);
      return event;
    },
    subscribe: emitter.subscribe,
    since: (id) => {
      if (id === undefined) return events.slice();
      const index = indexOf(events, id);
      return events.slice(events[index]?.id === id ? index + 1 : index);
    },
    byId: (id) => {
      const found = events[indexOf(events, id)];
      return found?.id === id ? found : undefined;
    },
  };
};
