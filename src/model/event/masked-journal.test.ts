import { describe, expect, it } from 'vitest';
import { bodyOf, deltaOf } from './body-delta.ts';
import { exportJsonl, importJsonl } from './jsonl.ts';
import { exportMaskedJsonl } from './masked-journal.ts';
import { testJournal } from './testing/events.ts';
import type { EventOf, LatheEvent } from './types.ts';

const PRIVATE = ['ada@engine.org', 'acc-1842-ab', 'sk-ant-api03-Zq8xLmP', '/home/ada'];

const sent = (event: LatheEvent): event is EventOf<'request.sent'> => event.type === 'request.sent';

/** Two requests whose difference begins inside an e-mail address. */
const journalOf = () => {
  const journal = testJournal();
  journal.append({ type: 'session.renamed', payload: { title: 'Mail of ada@engine.org in /home/ada/x' } });
  const bodies = [
    JSON.stringify({ metadata: { account_id: 'acc-1842-ab' }, messages: ['to ada@engine.or', 'sk-ant-api03-Zq8xLmP'] }),
    JSON.stringify({ metadata: { account_id: 'acc-1842-ab' }, messages: ['to ada@engine.org', 'and acc-1842-ab'] }),
  ];
  let base: LatheEvent | undefined;
  bodies.forEach((body, index) => {
    const { keepStart, keepEnd, text } = deltaOf(base === undefined ? '' : (bodies[index - 1] ?? ''), body);
    base = journal.append({
      type: 'request.sent',
      payload: {
        request_id: `r${index}`,
        attempt: 1,
        wire: 'anthropic-messages',
        url: 'https://api.anthropic.com',
        base_event_id: base?.id ?? null,
        keep_start: keepStart,
        keep_end: keepEnd,
        text,
      },
    });
  });
  return { journal, bodies };
};

describe('a journal that is given away', () => {
  it('EV16: masks private values, also one that two pieces of a body share, and lists them', () => {
    const { journal, bodies } = journalOf();
    const { text, masked } = exportMaskedJsonl(journal.events, { content: 'all' });
    for (const value of PRIVATE) expect(text).not.toContain(value);
    expect(masked.map(({ kind }) => kind).toSorted()).toEqual(['account', 'email', 'email', 'home', 'key']);
    const read = importJsonl(text);
    if (!read.ok) throw new Error(read.error.message);
    expect(read.value.faults).toEqual([]);
    const requests = read.value.events.filter(sent);
    const whole = requests.map(
      (event) => bodyOf(event, (id) => read.value.events.find((item) => item.id === id)) ?? '',
    );
    expect(whole.map(({ length }) => length)).toEqual(bodies.map(({ length }) => length));
    for (const body of whole) {
      expect(() => JSON.parse(body) as unknown).not.toThrow();
      for (const value of PRIVATE) expect(body).not.toContain(value);
    }
    const header = JSON.parse(text.split('\n')[0] ?? '') as { masked: readonly { stand_in: string; count: number }[] };
    for (const { stand_in: standIn } of header.masked) expect(text.split('\n').slice(1).join()).toContain(standIn);
    expect(header.masked.every(({ count }) => count > 0)).toBe(true);
  });

  it('EV16: leaves a journal without private values as it is', () => {
    const journal = testJournal();
    journal.append({ type: 'session.renamed', payload: { title: 'Plain' } });
    for (const content of ['all', 'catalog'] as const)
      expect(exportMaskedJsonl(journal.events, { content })).toEqual({
        text: exportJsonl(journal.events, { content }),
        masked: [],
      });
  });

  it('EV16: lists nothing of what an export without content leaves out', () => {
    const { text, masked } = exportMaskedJsonl(journalOf().journal.events, { content: 'catalog' });
    expect(masked).toEqual([]);
    for (const value of PRIVATE) expect(text).not.toContain(value);
  });
});
