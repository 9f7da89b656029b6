import { describe, expect, it } from 'vitest';
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
});
