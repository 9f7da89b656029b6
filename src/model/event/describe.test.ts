import { describe, expect, it } from 'vitest';
import { durationText } from '../../base/text.ts';
import { describeEvent, STATUSES, statusOf } from './describe.ts';
import { createEventIndex } from './event-index.ts';
import { draftOf, fullJournal, testJournal } from './testing/events.ts';
import type { EventType, LatheEvent, Payload } from './types.ts';

const make = <T extends EventType>(type: T, more: Partial<Payload<T>> = {}): LatheEvent =>
  testJournal().append(draftOf(type, more));

describe('a row', () => {
  it('EV30: every event has a line', () => {
    for (const event of fullJournal().events) {
      const line = describeEvent(event);
      expect([event.type, line]).toEqual([event.type, expect.stringMatching(/^[^\n]{2,165}$/)]);
    }
  });

  it('EV31: without content, nothing private is in it', () => {
    for (const event of fullJournal().events)
      expect(describeEvent(event, { content: 'catalog' })).not.toContain('SECRET');
  });

  it('EV32: says what counts', () => {
    const { events } = fullJournal();
    const index = createEventIndex();
    events.forEach(index.add);
    const lines = Object.fromEntries(events.map((event) => [event.type, describeEvent(event, { index })]));
    expect(lines).toMatchObject({
      'session.started': 'demo · claude-haiku-4-5',
      'turn.started': 'SECRET question',
      'turn.completed': 'end_turn: 2 calls, 1 tool call, price unknown',
      'llm.call_completed': 'claude-haiku-4-5: 20 read, 30 written, 10 uncached, 5 out, $0.0001',
      'llm.call_failed': 'rate_limit (overloaded): too many requests',
      'message.appended': 'assistant: SECRET answer · → skill_load',
      'tool.completed': 'skill_load: done, 2,000 bytes, SECRET.md',
      'tool.failed': 'tool: timeout: SECRET took too long',
      'skill.loaded': 'pdf (on_demand, workspace), 500 tokens',
      'cache.predicted': '20 read, 30 written, 10 uncached',
      'metaskill.finished': 'loop: ok, 1 ask, 0 commands, 900 ms',
      'session.ended': 'completed after 2 turns, 12.0 s, $0.0010',
    });
  });

  it('EV32: is short and has one line', () => {
    const line = describeEvent(make('session.renamed', { title: `a\n\t b ${'😀'.repeat(1000)}` }));
    expect(line.startsWith('a b 😀')).toBe(true);
    expect(Array.from(line)).toHaveLength(160);
  });

  it('EV33: durations as people read them', () => {
    expect(
      [0, 999.4, 999.6, 1500, 59_949, 59_960, 61_000, 119_600, 3_600_000, 7_200_000, 15_061_000].map(durationText),
    ).toEqual([
      '0 ms',
      '999 ms',
      '1.0 s',
      '1.5 s',
      '59.9 s',
      '1 min 0 s',
      '1 min 1 s',
      '2 min 0 s',
      '60 min 0 s',
      '2 h',
      '4 h 11 min',
    ]);
  });
});

describe('the status', () => {
  it.each<[LatheEvent, string]>([
    [make('tool.completed'), 'ok'],
    [make('tool.completed', { success: false }), 'error'],
    [make('tool.failed'), 'error'],
    [make('tool.input_invalid'), 'error'],
    [make('llm.call_failed'), 'error'],
    [make('llm.call_failed', { final: false }), 'warning'],
    [make('turn.cancelled'), 'warning'],
    [make('turn.cancelled', { reason: 'error' }), 'error'],
    [make('turn.completed'), 'ok'],
    [make('turn.completed', { stop_reason: 'max_tokens' }), 'warning'],
    [make('metaskill.step', { ok: false }), 'error'],
    [make('metaskill.finished', { status: 'error' }), 'error'],
    [make('metaskill.finished', { status: 'exhausted' }), 'ok'],
    [make('tool.confirmation_resolved'), 'warning'],
    [make('tool.confirmation_resolved', { decision: 'allow', scope: 'once' }), 'ok'],
    [make('response.received', { status: 529 }), 'error'],
    [make('message.appended', { partial: true }), 'warning'],
    [make('cache.explained', { cause: 'hit' }), 'ok'],
    [make('cache.explained', { kind: 'miss', cause: 'ttl-expired' }), 'warning'],
    [make('cache.explained', { kind: 'unknown', cause: 'hit' }), 'info'],
    [make('cache.explained', { kind: undefined, cause: 'ttl-expired' }), 'warning'],
    [make('cache.predicted', { faults: [{ rule: 'r', message: 'm' }] }), 'warning'],
    [make('turn.started'), 'info'],
    [make('session.ended', { disposition: 'error' }), 'error'],
  ])('EV34: %#', (event, status) => {
    expect(statusOf(event)).toBe(status);
  });

  it('EV34: every event has one', () => {
    for (const event of fullJournal().events) expect(STATUSES).toContain(statusOf(event));
  });
});
