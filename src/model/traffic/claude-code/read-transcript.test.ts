import { describe, expect, it } from 'vitest';
import { callWithBody } from '../call.ts';
import { explainCalls } from '../explainer.ts';
import { readRecording } from '../recording/read-recording.ts';

const line = (minute: number, more: object): string =>
  JSON.stringify({
    parentUuid: null,
    isSidechain: false,
    sessionId: 's',
    version: '2.1.39',
    uuid: `u${minute}`,
    timestamp: new Date(Date.UTC(2026, 1, 11, 20, minute)).toISOString(),
    ...more,
  });
const user = (minute: number, content: unknown, more: object = {}): string =>
  line(minute, { type: 'user', message: { role: 'user', content }, ...more });
const answer = (minute: number, id: string, text: string, read: number, written: number, more: object = {}): string =>
  line(minute, {
    type: 'assistant',
    message: {
      id,
      model: 'claude-opus-4-6',
      content: [{ type: 'text', text }],
      usage: {
        input_tokens: 3,
        cache_read_input_tokens: read,
        cache_creation_input_tokens: written,
        cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
        output_tokens: 5,
      },
    },
    ...more,
  });

describe('transcripts of Claude Code', () => {
  it('CC1: one call for each id, with the usage of its last line; sub-agents and compactions have their own chains', () => {
    const agent = { isSidechain: true, agentId: 'a1' };
    const text = [
      '{"type":"file-history-snapshot","messageId":"m"}',
      user(0, 'Hello'),
      answer(1, 'm1', 'One.', 17_000, 8_000),
      answer(1, 'm1', 'Two.', 17_000, 8_000),
      user(2, 'Look.', agent),
      answer(2, 'm2', 'Seen.', 0, 12_000, agent),
      user(3, 'Go on.'),
      answer(3, 'm3', 'Going.', 25_000, 300),
      line(4, { type: 'system', subtype: 'compact_boundary' }),
      user(4, 'This session is being continued.', { isCompactSummary: true }),
      answer(5, 'm4', 'Again.', 21_000, 4_000),
      user(20, 'Later.'),
      answer(20, 'm5', 'Yes.', 0, 26_000),
      user(21, 'More.'),
      answer(21, 'm6', 'Hm.', 21_000, 5_100),
      '{"type":"user","cut',
    ].join('\n');
    const { calls, faults } = readRecording(text, 'a.jsonl');
    expect(faults).toEqual([]);
    expect(calls.map(({ id, known }) => [id, known])).toEqual(
      ['m1', 'm2', 'm3', 'm4', 'm5', 'm6'].map((id) => [id, 'reconstructed']),
    );
    expect(
      explainCalls(calls).map(({ chain, verdict }) => [chain.kind, verdict.kind, verdict.cause, verdict.certainty]),
    ).toEqual([
      ['main', 'start', 'chain-start', 'likely'],
      ['sub-agent', 'start', 'chain-start', 'likely'],
      ['main', 'hit', 'hit', 'likely'],
      ['main', 'start', 'compaction', 'likely'],
      ['main', 'miss', 'ttl-expired', 'likely'],
      ['main', 'miss', 'not-recorded', 'likely'],
    ]);
  });

  it('CC2: a summary whose boundary is missing is a compaction too', () => {
    const { calls } = readRecording(
      [
        user(0, 'Hello'),
        answer(1, 'm1', 'One.', 17_000, 8_000),
        user(2, 'This session is being continued.', { isCompactSummary: true }),
        answer(2, 'm2', 'Again.', 17_000, 4_000),
      ].join('\n'),
      'a.jsonl',
    );
    expect(explainCalls(calls).map(({ verdict }) => [verdict.kind, verdict.cause])).toEqual([
      ['start', 'chain-start'],
      ['start', 'compaction'],
    ]);
  });

  it('CC3: a tool server that was connected again is named, whichever line tells it', () => {
    const told = (more: string): string | undefined =>
      readRecording(
        [
          user(0, 'Hello'),
          answer(1, 'm1', 'One.', 0, 9_000),
          more,
          user(3, 'Go'),
          answer(3, 'm2', 'Two.', 5_000, 9_000),
        ].join('\n'),
        'a.jsonl',
      ).calls[1]?.notes?.[0];
    const content = '<local-command-stdout>Reconnected to files.</local-command-stdout>';
    expect(told(line(2, { type: 'system', subtype: 'local_command', content }))).toContain('tool server');
    expect(told(user(2, content))).toContain('tool server');
    expect(told(line(2, { type: 'system', subtype: 'turn_duration', durationMs: 5 }))).toBeUndefined();
  });

  it('CC2: a conversation is a session, an agent, or the root of a side chain; going back drops what was said', () => {
    const side = { isSidechain: true };
    const { calls } = readRecording(
      [
        user(0, 'Hello'),
        answer(1, 'm1', 'One.', 0, 9_000, { parentUuid: 'u0' }),
        user(2, 'Wrong.', { parentUuid: 'u1' }),
        answer(3, 'm2', 'Two.', 9_000, 50, { parentUuid: 'u2' }),
        user(4, 'Right.', { parentUuid: 'u1' }),
        answer(5, 'm3', 'Three.', 9_000, 60, { parentUuid: 'u4' }),
        user(6, 'Look.', side),
        answer(7, 'm4', 'Seen.', 0, 3_000, { ...side, parentUuid: 'u6' }),
        answer(8, 'm5', 'Summary.', 9_000, 0, { ...side, agentId: 'acompact-1' }),
        line(9, { type: 'system', subtype: 'compact_boundary' }),
        user(10, 'Go on.'),
        answer(11, 'm6', 'Yes.', 0, 2_000),
      ].join('\n'),
      'a.jsonl',
    );
    expect(calls.map(({ id, conversation }) => [id, conversation])).toEqual([
      ['m1', { id: 's', kind: 'main' }],
      ['m2', { id: 's', kind: 'main' }],
      ['m3', { id: 's', kind: 'main' }],
      ['m4', { id: 's/u6', kind: 'sub-agent', parent: 's' }],
      ['m5', { id: 's/acompact-1', kind: 'compaction', parent: 's' }],
      ['m6', { id: 's', kind: 'main', isCompacted: true }],
    ]);
    const said = (index: number): string => calls[index]?.body ?? '';
    expect(said(1)).toContain('Wrong.');
    expect(said(2)).toContain('One.');
    expect(said(2)).toContain('Right.');
    expect(said(2)).not.toMatch(/Wrong|Two/);
  });

  it('CC3, TF1: one marked block stands for what a transcript lacks, and a call says what is known of it', () => {
    const { calls } = readRecording([user(0, 'Hello'), answer(1, 'm1', 'One.', 0, 9_000)].join('\n'), 'a.jsonl');
    expect(calls).toHaveLength(1);
    const [call] = calls;
    expect(call).toMatchObject({
      known: 'reconstructed',
      source: { file: 'a.jsonl', line: 2 },
      startedAt: Date.UTC(2026, 1, 11, 20, 0),
      endedAt: Date.UTC(2026, 1, 11, 20, 1),
      model: 'claude-opus-4-6',
      harness: { name: 'claude-code', version: '2.1.39' },
      sessionId: 's',
      conversation: { id: 's', kind: 'main' },
      usage: { read: 0, writes: { '5m': 9_000 }, uncached: 3, output: 5 },
    });
    const [head, ...said] = call?.request?.().blocks ?? [];
    expect(head).toMatchObject({ tier: 'system', kind: 'unrecorded', marker: { ttl: '5m' } });
    expect(said.map(({ tier, text }) => [tier, text.includes('Hello')])).toEqual([['messages', true]]);
    expect(JSON.parse(call?.body ?? '')).toEqual({
      model: 'claude-opus-4-6',
      system: [{ type: 'unrecorded', of: 's' }],
      messages: [{ role: 'user', content: ['Hello'] }],
    });
  });

  it('TF2: a body is written out when it is asked for, and not before', () => {
    let built = 0;
    const facts = { provider: 'anthropic', wire: 'anthropic-messages', model: 'm', startedAt: 0 } as const;
    const call = callWithBody({ ...facts }, () => `body ${++built}`);
    expect(call).toMatchObject(facts);
    expect(built).toBe(0);
    expect(call.body).toBe('body 1');
  });
});
