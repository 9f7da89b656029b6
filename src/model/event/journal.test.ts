import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectLog } from '../../base/log.ts';
import { isUlid } from '../../base/ulid.ts';
import { draftOf, fullJournal, testJournal } from './testing/events.ts';
import type { EventDraft, LatheEvent } from './types.ts';

const bad = { type: 'session.renamed', payload: { title: 5 } } as unknown as EventDraft;

describe('a journal', () => {
  it('EV1: adds id, time, session, actor and sensitivity', () => {
    const journal = testJournal({ now: () => 1_700_000_000_000.125 });
    const event = journal.append({ type: 'session.renamed', payload: { title: 'x' }, turnId: 't', parent: 'p' });
    expect(isUlid(event.id)).toBe(true);
    expect(event).toEqual({
      id: event.id,
      timestamp: 1_700_000_000_000_125,
      session_id: 'sess_1',
      turn_id: 't',
      parent_event_id: 'p',
      type: 'session.renamed',
      actor: 'user',
      sensitivity: 'private',
      payload: { title: 'x' },
    });
    expect(journal.append(draftOf('skill.loaded', {}, null))).toMatchObject({
      turn_id: null,
      parent_event_id: null,
      actor: 'system',
      sensitivity: 'pseudonymous',
    });
    expect(journal.append({ ...draftOf('message.appended'), actor: 'user' }).actor).toBe('user');
  });

  it('EV2: ids and times never go back, whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -2000, max: 2000 }), { maxLength: 50 }), (steps) => {
        const journal = testJournal();
        for (const step of steps) {
          journal.wait(step);
          journal.append(draftOf('session.resumed'));
        }
        const ids = journal.events.map(({ id }) => id);
        const times = journal.events.map(({ timestamp }) => timestamp);
        expect(ids).toEqual([...new Set(ids)].toSorted());
        expect(times).toEqual(times.toSorted((a, b) => a - b));
      }),
    );
  });

  it('EV2: also after the events of a session that is opened again', () => {
    const old = fullJournal();
    const again = testJournal({ now: () => 5, ulid: () => '00000000000000000000000000', events: old.events });
    const event = again.append(draftOf('session.resumed'));
    const last = old.events.at(-1);
    expect(event.id > (last?.id ?? '')).toBe(true);
    expect(event.timestamp).toBe(last?.timestamp);
    expect(again.events).toHaveLength(old.events.length + 1);
    expect(old.events).toHaveLength(again.events.length - 1);
  });

  it('EV3: a payload that the catalog does not allow is a defect', () => {
    const journal = testJournal();
    expect(() => journal.append(bad)).toThrow('the event session.renamed doesn’t match the catalog: title:');
    expect(() =>
      journal.append({ type: 'session.renamed', payload: { title: 'x', more: 1 } } as unknown as EventDraft),
    ).toThrow('session.renamed');
    expect(journal.events).toEqual([]);
  });

  it('EV3: lenient, it is logged and left out; off, nobody looks', () => {
    const { log, lines } = collectLog();
    const lenient = testJournal({ validation: 'lenient', log });
    expect(lenient.append(bad).type).toBe('session.renamed');
    lenient.append(draftOf('session.resumed'));
    expect(lenient.events.map(({ type }) => type)).toEqual(['session.resumed']);
    expect(lines.map(({ level, code }) => [level, code])).toEqual([['error', 'event.invalid']]);
    const off = testJournal({ validation: 'off' });
    off.append(bad);
    expect(off.events).toHaveLength(1);
  });

  it('EV4: is found by id and read on from an id', () => {
    const journal = fullJournal();
    const { events } = journal;
    for (const [at, event] of events.entries()) {
      expect(journal.byId(event.id)).toBe(event);
      expect(journal.since(event.id)).toEqual(events.slice(at + 1));
    }
    expect(journal.byId('0')).toBeUndefined();
    expect(journal.byId('Z')).toBeUndefined();
    expect(journal.since(undefined)).toEqual(events);
    expect(journal.since('0')).toEqual(events);
    expect(journal.since('Z')).toEqual([]);
  });

  it('EV5: tells its listeners, and one that fails disturbs nobody', () => {
    const { log, lines } = collectLog();
    const journal = testJournal({ log });
    const heard: LatheEvent[] = [];
    journal.subscribe(() => {
      throw new Error('view is gone');
    });
    const listening = journal.subscribe((event) => {
      heard.push(event);
      expect(journal.events.at(-1)).toBe(event);
    });
    const event = journal.append(draftOf('session.resumed'));
    listening[Symbol.dispose]();
    journal.append(draftOf('session.resumed'));
    expect(heard).toEqual([event]);
    expect(lines.map(({ code }) => code)).toEqual(['event.listener_failed', 'event.listener_failed']);
  });

  it('EV6: holds 100,000 events', () => {
    const journal = testJournal();
    for (let count = 0; count < 100_000; count++) journal.append(draftOf('skill.loaded'));
    expect(journal.events).toHaveLength(100_000);
    expect(journal.byId(journal.events[77_777]?.id ?? '')).toBe(journal.events[77_777]);
    expect(journal.since(journal.events[99_990]?.id)).toHaveLength(9);
  });
});
