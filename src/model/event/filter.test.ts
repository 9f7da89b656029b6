import { describe, expect, it } from 'vitest';
import { createEventIndex, type EventIndex } from './event-index.ts';
import { completions, parseFilter } from './filter.ts';
import { draftOf, fullJournal, testJournal } from './testing/events.ts';
import type { LatheEvent } from './types.ts';

const indexed = (events: readonly LatheEvent[]): EventIndex => {
  const index = createEventIndex();
  events.forEach(index.add);
  return index;
};

/** The types (or what `of` gives) of the events that pass. */
const passing = (text: string, events: readonly LatheEvent[] = fullJournal().events): string[] => {
  const filter = parseFilter(text);
  if (!filter.ok) throw new Error(filter.error.message);
  const index = indexed(events);
  return events.filter((event) => filter.value.test(event, index)).map(({ type }) => type);
};

const ALL = fullJournal().events.map(({ type }) => type);

describe('terms', () => {
  it('EV20: nothing leaves nothing out', () => {
    expect(passing('')).toEqual(ALL);
    expect(passing('  ')).toEqual(ALL);
    expect(parseFilter(' ')).toMatchObject({ ok: true, value: { isEmpty: true } });
  });

  it('EV21: type: whole, group, with *, several', () => {
    expect(passing('type:tool.failed')).toEqual(['tool.failed']);
    expect(passing('type:tool.*')).toEqual(ALL.filter((type) => type.startsWith('tool.')));
    expect(passing('type:tool')).toEqual(passing('type:tool.*'));
    expect(passing('type:*.started')).toEqual(['session.started', 'turn.started', 'metaskill.started']);
    expect(passing('type:skill.loaded,memory.*')).toEqual(['skill.loaded', 'memory.updated']);
    expect(passing('TYPE:Tool.Failed')).toEqual(['tool.failed']);
  });

  it('EV22: all must hold, a comma is or, a minus is not', () => {
    expect(passing('type:tool.* status:error')).toEqual(['tool.failed', 'tool.input_invalid']);
    expect(passing('type:tool.* -status:error,warning -type:tool.called')).toEqual(['tool.completed']);
    expect(passing('-type:*')).toEqual([]);
    expect(passing('actor:worker -type:metaskill.trace')).toEqual([
      'metaskill.started',
      'metaskill.step',
      'metaskill.finished',
    ]);
    expect(passing('sens:private type:llm')).toEqual(['llm.call_started']);
  });

  it('EV23: skill, tool and model also of events that name them only through another', () => {
    expect(passing('skill:pdf')).toEqual(['tool.called', 'tool.completed', 'skill.loaded', 'skill.refused']);
    expect(passing('skill:loop')).toEqual([
      'metaskill.started',
      'metaskill.step',
      'metaskill.trace',
      'metaskill.finished',
    ]);
    expect(passing('skill:PD*')).toEqual(passing('skill:pdf'));
    expect(passing('skill:pd')).toEqual([]);
    expect(passing('tool:skill_load')).toEqual(['tool.called', 'tool.completed']);
    expect(passing('tool:run_command')).toEqual(['tool.confirmation_requested', 'tool.confirmation_resolved']);
    expect(passing('model:haiku type:llm,request,response,cache')).toEqual([
      'llm.call_started',
      'request.sent',
      'response.received',
      'llm.call_completed',
      'llm.call_failed',
      'cache.predicted',
      'cache.explained',
    ]);
  });

  it('EV24: durations, in their units', () => {
    expect(passing('dur:>500ms type:llm,metaskill.step')).toEqual([
      'llm.call_started',
      'llm.call_completed',
      'metaskill.step',
    ]);
    expect(passing('dur:>=60s')).toEqual(['tool.failed']);
    expect(passing('dur:>=1m')).toEqual(['tool.failed']);
    expect(passing('dur:<=3')).toEqual([
      'tool.called',
      'tool.completed',
      'tool.confirmation_requested',
      'tool.confirmation_resolved',
    ]);
    expect(passing('dur:1s..2s')).toEqual(['turn.started', 'turn.completed']);
    expect(passing('dur:12s type:session')).toEqual(['session.ended']);
    expect(passing('dur:=1.5s')).toEqual(['turn.started', 'turn.completed']);
    expect(passing('dur:>.0005h')).toEqual(['session.ended', 'tool.failed']);
    expect(passing('-dur:>=0 type:skill')).toEqual(['skill.loaded', 'skill.refused']);
  });

  it('EV25: what begins has the duration of its end, also if that says none', () => {
    const journal = testJournal();
    journal.append(draftOf('turn.started', {}, 'x'));
    journal.append(draftOf('tool.confirmation_requested', {}, 'x'));
    journal.wait(2500);
    journal.append(draftOf('tool.confirmation_resolved', {}, 'x'));
    journal.append(draftOf('turn.cancelled', {}, 'x'));
    expect(passing('dur:2500', journal.events)).toEqual(journal.events.map(({ type }) => type));
  });

  it('EV26: turns by number or id; those of an ask count as the turn that asked', () => {
    const journal = testJournal();
    journal.append(draftOf('session.started', {}, null));
    journal.append(draftOf('turn.started', {}, '01AAA'));
    journal.append(draftOf('turn.started', {}, '01BBB'));
    journal.append(draftOf('tool.called', { tool_use_id: 'tu_x' }, '01BBB'));
    journal.append(draftOf('turn.started', { nested_in: 'tu_x' }, '01CCC'));
    journal.append(draftOf('llm.call_started', {}, '01CCC'));
    journal.append(draftOf('turn.started', {}, '01DDD'));
    expect(passing('turn:2', journal.events)).toEqual([
      'turn.started',
      'tool.called',
      'turn.started',
      'llm.call_started',
    ]);
    expect(passing('turn:3', journal.events)).toEqual(['turn.started']);
    expect(passing('turn:01c', journal.events)).toEqual(['turn.started', 'llm.call_started']);
    expect(passing('-turn:1,2,3', journal.events)).toEqual(['session.started']);
  });

  it('EV27: words and phrases are looked for everywhere, whatever their case', () => {
    expect(passing('"secret answer"')).toEqual(['message.appended']);
    expect(passing('secret answer')).toEqual(['message.appended']);
    expect(passing('overloaded')).toEqual(['llm.call_failed']);
    expect(passing('-secret type:tool')).toEqual(['tool.called', 'tool.input_invalid']);
    expect(passing('0.000123')).toEqual(['llm.call_completed']);
    expect(passing('skill.loaded')).toEqual(['skill.loaded']);
    expect(passing('a.*b')).toEqual([]);
    const journal = testJournal();
    journal.append({ type: 'session.renamed', payload: { title: 'say "hi" C:\\x -now' } });
    for (const text of ['"say \\"hi\\""', '"C:\\\\x"', '"-now"', 'say'])
      expect(passing(text, journal.events)).toHaveLength(1);
    expect(passing('- type:session', journal.events)).toHaveLength(1);
  });

  it('EV27: id by its start', () => {
    const { events } = fullJournal();
    expect(passing(`id:${events[3]?.id.toLowerCase()}`, events)).toEqual([ALL[3]]);
  });
});

describe('mistakes', () => {
  it.each([
    [
      'tpye:tool.*',
      'unknown key "tpye"; did you mean type? The keys are type, status, actor, tool, skill, model, turn, dur, sens, id',
      0,
      11,
      'type:tool.*',
    ],
    [
      'x -stats:error',
      'unknown key "stats"; did you mean status? The keys are type, status, actor, tool, skill, model, turn, dur, sens, id',
      2,
      14,
      '-status:error',
    ],
    [
      'https://x',
      'unknown key "https". The keys are type, status, actor, tool, skill, model, turn, dur, sens, id. To search for it as text, put it in quotes',
      0,
      9,
      '"https://x"',
    ],
    [
      'type:tol.*',
      'no event has a type like "tol.*"; there are session.*, turn.*, llm.*, request.*, response.*, message.*, tool.*, skill.*, memory.*, metaskill.*, cache.*',
      5,
      10,
      'tool.*',
    ],
    ['status:eror', 'a status is one of ok, error, warning, info', 7, 11, 'error'],
    ['actor:ai', 'an actor is one of user, agent, system, tool, worker', 6, 8, undefined],
    ['dur:fast', '"fast" is not a duration: write >500ms, <2s, 1s..5s (units us, ms, s, m, h)', 4, 8, '>500ms'],
    ['dur:>5days', '">5days" is not a duration: write >500ms, <2s, 1s..5s (units us, ms, s, m, h)', 4, 10, '>500ms'],
    ['type:tool.* "open', 'missing closing quote', 12, 17, '"open"'],
    ['skill:"open', 'missing closing quote', 6, 11, '"open"'],
    ['status:', 'status: needs a value: ok, error, warning or info', 7, 7, undefined],
    ['status:ok,', 'status: needs a value: ok, error, warning or info', 10, 10, undefined],
  ])('EV28: %s', (text, message, from, to, suggestion) => {
    expect(parseFilter(text)).toEqual({ ok: false, error: { message, from, to, suggestion } });
  });

  it('EV28: a suggestion can be used', () => {
    for (const text of [
      'tpye:tool.*',
      'type:tol.*',
      'https://x',
      'a "b',
      '-tpye:tool',
      'C:\\dir\\',
      'foo:bar\\',
      '"a\\',
      'tpye:tol',
    ]) {
      const parsed = parseFilter(text);
      if (parsed.ok) throw new Error(`${text} is right`);
      const { from, to, suggestion } = parsed.error;
      expect(parseFilter(text.slice(0, from) + suggestion + text.slice(to)).ok).toBe(true);
    }
  });
});

it('EV28: where no suggestion would help none exists', () => {
  expect(parseFilter('tpye:bogus')).toMatchObject({ ok: false, error: { suggestion: undefined } });
});

it('EV21: many stars are as one', () => {
  expect(parseFilter(`type:${'*'.repeat(60)}zzz`)).toMatchObject({ ok: false });
  expect(parseFilter(`type:${'*'.repeat(60)}`).ok).toBe(true);
});

describe('completions', () => {
  const words = (text: string, index?: EventIndex): string[] =>
    completions(text, text.length, index).options.map((option) => option.text);

  it('EV29: keys, then values, also behind a minus and a comma', () => {
    expect(words('')).toEqual([
      'type:',
      'status:',
      'actor:',
      'tool:',
      'skill:',
      'model:',
      'turn:',
      'dur:',
      'sens:',
      'id:',
    ]);
    expect(words('status:ok ')).toHaveLength(10);
    expect(words('s')).toEqual(['status:', 'skill:', 'sens:']);
    expect(words('-ty')).toEqual(['type:']);
    expect(words('status:')).toEqual(['ok', 'error', 'warning', 'info']);
    expect(words('-status:ok,e')).toEqual(['error']);
    expect(words('type:turn')).toEqual(['turn.*', 'turn.started', 'turn.completed', 'turn.cancelled']);
    expect(words('nokey:x')).toEqual([]);
  });

  it('EV29: names come from the journal', () => {
    const index = indexed(fullJournal().events);
    expect(words('skill:', index)).toEqual(['loop', 'pdf']);
    expect(words('tool:r', index)).toEqual(['read_file', 'run_command']);
    expect(words('model:', index)).toEqual(['claude-haiku-4-5']);
    expect(words('skill:')).toEqual([]);
  });

  it('EV29: an option replaces the word around the cursor', () => {
    expect(completions('a status:er-x b', 11)).toMatchObject({ from: 9, to: 13, options: [{ text: 'error' }] });
    expect(completions('sta', 2)).toMatchObject({ from: 0, to: 3 });
  });
});
