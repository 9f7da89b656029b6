import { describe, expect, it } from 'vitest';
import { catalog } from './catalog.ts';
import { checkEvent } from './check.ts';
import { exportJsonl, importJsonl, type ImportedJournal } from './jsonl.ts';
import { fullJournal, testJournal } from './testing/events.ts';

const read = (text: string): ImportedJournal => {
  const result = importJsonl(text);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

describe('a journal as a file', () => {
  it('EV10: with content comes back as it was', () => {
    const { events } = fullJournal();
    const text = exportJsonl(events, { content: 'all' });
    expect(text.split('\n')[0]).toBe('{"lathe":"journal","version":1,"session_id":"sess_1","content":"all"}');
    expect(text.endsWith('}\n')).toBe(true);
    const back = read(text);
    expect(back).toEqual({ sessionId: 'sess_1', content: 'all', events, stripped: [], faults: [] });
    expect(exportJsonl(back.events, { content: 'all' })).toBe(text);
  });

  it('EV10: also with text of every kind, CRLF line ends and a byte order mark', () => {
    const journal = testJournal();
    const title = 'a\nb\r\u2028"\\ 😀 \u0000 \uD800';
    journal.append({ type: 'session.renamed', payload: { title } });
    const text = exportJsonl(journal.events, { content: 'all' });
    expect(read(`\uFEFF${text.replaceAll('\n', '\r\n')}\r\n`).events).toEqual(journal.events);
  });

  it('EV11: catalog only leaves nothing of what is private but its envelope', () => {
    const { events } = fullJournal();
    const text = exportJsonl(events, { content: 'catalog' });
    expect(text).not.toContain('SECRET');
    const { events: whole, stripped, faults, content } = read(text);
    expect([content, faults]).toEqual(['catalog', []]);
    expect(whole).toEqual(events.filter(({ sensitivity }) => sensitivity !== 'private'));
    expect(stripped.map(({ id }) => id)).toEqual(
      events.filter(({ sensitivity }) => sensitivity === 'private').map(({ id }) => id),
    );
    expect(stripped.every(({ payload }) => payload === null)).toBe(true);
    expect(stripped.length).toBeGreaterThan(5);
  });

  it('EV12: a wrong line is reported and left out, the others are read', () => {
    const { events } = fullJournal();
    const lines = exportJsonl(events, { content: 'all' }).trimEnd().split('\n');
    const change = (line: number, edit: (event: Record<string, unknown>) => void): void => {
      const event = JSON.parse(lines[line - 1] ?? '') as Record<string, unknown>;
      edit(event);
      lines[line - 1] = JSON.stringify(event);
    };
    lines[1] = '{"id":';
    change(3, (event) => (event['type'] = 'no.such'));
    change(4, (event) => (event['payload'] = {}));
    change(5, (event) => (event['id'] = 'x'));
    change(6, (event) => (event['session_id'] = 'sess_2'));
    change(7, (event) => (event['extra'] = 1));
    change(8, (event) => (event['payload'] = null));
    lines.push(lines.at(-1) ?? '');
    lines.push('');
    const { events: read_, faults } = read(lines.join('\n'));
    expect(read_).toEqual(events.slice(7));
    expect(faults.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8, lines.length - 1]);
    expect(faults.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^not JSON: /),
      'type: unknown event "no.such"',
      expect.stringMatching(/^payload: settings: /),
      'id: must be a ULID',
      'this event is of another session, sess_2',
      expect.stringContaining('extra'),
      expect.stringMatching(/^payload: /),
      'id: it must be greater than the previous id',
    ]);
  });

  it('EV13: an override may only be less private than the catalog', () => {
    const [event] = fullJournal().events;
    expect(checkEvent({ ...event, sensitivity: 'aggregatable' }).ok).toBe(true);
    expect(checkEvent({ ...event, sensitivity: 'private' })).toEqual({
      ok: false,
      faults: ["sensitivity: private is more private than the catalog's pseudonymous"],
    });
    expect(catalog['session.started'].sensitivity).toBe('pseudonymous');
  });

  it.each(['', 'hello', '{}', '{"lathe":"journal"}', JSON.stringify(fullJournal().events[0])])(
    'EV14: %s is not a journal',
    (text) => {
      expect(importJsonl(text)).toMatchObject({
        ok: false,
        error: { line: 1, message: expect.stringContaining('isn’t a Lathe journal') },
      });
    },
  );

  it('EV15: an older version is migrated, a newer one refused', () => {
    const { events } = fullJournal();
    const text = exportJsonl(events.slice(0, 1), { content: 'all' });
    const old = text.replace('"version":1', '"version":0').replace('"workspace_path"', '"folder"');
    expect(importJsonl(old)).toMatchObject({
      ok: false,
      error: { message: 'journals of version 0 are no longer readable' },
    });
    const migrated = importJsonl(old, {
      0: (line) => JSON.parse(JSON.stringify(line).replace('"folder"', '"workspace_path"')) as unknown,
    });
    expect(migrated).toMatchObject({ ok: true, value: { events: events.slice(0, 1), faults: [] } });
    expect(importJsonl(text.replace('"version":1', '"version":2'))).toMatchObject({
      ok: false,
      error: { message: 'this journal has version 2, but this Lathe reads up to 1. Use a newer one' },
    });
  });

  it('EV15: a journal without events is one', () => {
    expect(read(exportJsonl([], { content: 'all' }))).toMatchObject({ events: [], faults: [] });
  });
});
