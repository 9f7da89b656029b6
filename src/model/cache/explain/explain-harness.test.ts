import { describe, expect, it } from 'vitest';
import type { Json } from '../../../base/json.ts';
import { explain } from './explain.ts';
import { ask, claude, GUIDE, judge, later, marked, text, tool, usage, user, W, type Body } from './testing/recorded.ts';

const billing = (cch: string) => text(`x-anthropic-billing-header: cc_version=2.1.39; cch=${cch};`);
const withHeader = (cch: string) => ({ system: [billing(cch), marked(GUIDE)], messages: ask });
const dated = (day: string): Body => ({
  system: [marked(`${GUIDE}\nToday's date is ${day}.\nBe brief.`)],
  messages: ask,
});

describe('known harnesses', () => {
  it('HAR1: a date line in the system prompt, and in a message', () => {
    const verdict = judge(dated('2026-11-18'), dated('2026-11-19'), 0);
    expect([verdict.kind, verdict.cause, verdict.position?.label]).toEqual(['miss', 'date-line', 'system[0]']);
    const said = (day: string, more: readonly Json[]): Body => ({
      system: [marked(GUIDE)],
      messages: [user(`<system-reminder>\n# currentDate\nToday's date is ${day}.\n</system-reminder>`), ...more],
    });
    const talk: readonly Json[] = [{ role: 'assistant', content: GUIDE }, user(GUIDE)];
    const first = judge(
      { ...said('2026-11-18', talk), cache_control: { type: 'ephemeral' } },
      {
        ...said('2026-11-19', [...talk, { role: 'assistant', content: 'Yes.' }, user('Go on.')]),
        cache_control: { type: 'ephemeral' },
      },
      1500,
    );
    expect([first.cause, first.position?.label]).toEqual(['date-line', 'messages[0].content']);
  });

  it('HAR1 not: another date in the system prompt', () => {
    const release = (day: string): Body => ({ system: [marked(`${GUIDE}\nReleased ${day}.`)], messages: ask });
    expect(judge(release('2026-11-18'), release('2026-11-19'), 0).cause).toBe('volatile-value-in-system');
  });

  it('HAR2: tools of servers that connected late; other tools are tools that changed', () => {
    const body = (...names: readonly string[]): Body => ({
      tools: names.map((name) => tool(name)),
      system: [marked(GUIDE)],
      messages: ask,
    });
    const late = judge(body('Read'), body('Read', 'mcp__mail__send', 'mcp__mail__list'), 0);
    expect([late.kind, late.cause]).toEqual(['miss', 'late-tool-list']);
    expect(late.evidence.join(' ')).toContain('mail');
    expect(judge(body('Read'), body('Read', 'Write'), 0).cause).toBe('tools-changed');
    expect(judge(body('Read', 'mcp__mail__send'), body('Read', 'mcp__web__get'), 0).cause).toBe('tools-changed');
  });

  it('HAR3: where the bill shows a read, the billing header is not a miss; where it shows none, it is named', () => {
    expect(judge(withHeader('a1'), withHeader('b2'), W).kind).toBe('hit');
    const missed = judge(withHeader('a1'), withHeader('b2'), 0);
    expect([missed.kind, missed.cause, missed.certainty]).toEqual(['miss', 'billing-header', 'likely']);
    expect(missed.repair).toContain('CLAUDE_CODE_ATTRIBUTION_HEADER=0');
  });

  it('HAR3: a read that reaches beyond the billing header clears it', () => {
    const turn = (cch: string) => ({ ...withHeader(cch), cache_control: { type: 'ephemeral' } });
    expect(judge(turn('a1'), turn('b2'), 1000)).toMatchObject({ kind: 'miss', cause: 'provider-eviction' });
    const tools = (cch: string) => ({
      ...turn(cch),
      tools: [
        { name: 'Read', description: GUIDE, input_schema: { type: 'object' }, cache_control: { type: 'ephemeral' } },
      ],
    });
    const kept = Math.round(GUIDE.length / 4);
    expect(judge(tools('a1'), tools('b2'), kept)).toMatchObject({ kind: 'miss', cause: 'billing-header' });
  });

  it('HAR3: another difference is not hidden by it; other providers count it', () => {
    const changed: Body = { system: [billing('b2'), marked(`At 10:01. ${GUIDE}`)], messages: ask };
    const before: Body = { system: [billing('a1'), marked(`At 10:00. ${GUIDE}`)], messages: ask };
    expect(judge(before, changed, 0).cause).toBe('volatile-value-in-system');
    const elsewhere = { provider: 'compatible', usage: usage(0, W) };
    const verdict = explain(claude(withHeader('a1'), elsewhere), claude(withHeader('b2'), later(elsewhere)));
    expect([verdict.kind, verdict.cause]).toEqual(['miss', 'billing-header']);
  });
});
