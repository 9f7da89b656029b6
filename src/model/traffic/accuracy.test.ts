import { describe, expect, it } from 'vitest';
import { accuracyOf } from './accuracy.ts';
import { explainCalls } from './explainer.ts';
import { readRecording } from './recording/read-recording.ts';

const line = (second: number, more: object): string =>
  JSON.stringify({
    parentUuid: null,
    isSidechain: false,
    sessionId: 's',
    version: '2.1.39',
    uuid: `u${second}`,
    timestamp: new Date(Date.UTC(2026, 1, 11, 20, 0, second)).toISOString(),
    ...more,
  });
const turn = (second: number, read: number, written: number, more: object = {}): string =>
  [
    line(second, { type: 'user', message: { role: 'user', content: `Question ${second}` }, ...more }),
    line(second, {
      type: 'assistant',
      message: {
        id: `m${second}`,
        model: 'claude-opus-4-6',
        content: [{ type: 'text', text: `Answer ${second}` }],
        usage: {
          input_tokens: 3,
          cache_read_input_tokens: read,
          cache_creation_input_tokens: written,
          cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
          output_tokens: 5,
        },
      },
      ...more,
    }),
  ].join('\n');
const compacted = (second: number): string => line(second, { type: 'system', subtype: 'compact_boundary' });

const explained = (...lines: readonly string[]) => explainCalls(readRecording(lines.join('\n'), 'a.jsonl').calls);

describe('accuracy', () => {
  it('TF16: counts what was expected, and first requests that others had warmed', () => {
    const agent = { isSidechain: true, agentId: 'a1' };
    const [row] = accuracyOf(
      explained(turn(1, 17_000, 8_000), turn(2, 25_000, 300), turn(3, 0, 12_000, agent), turn(4, 21_000, 4_500)),
    );
    expect(row).toEqual({
      model: 'claude-opus-4-6',
      requests: 4,
      billed: 4,
      // The first one read what nobody here had left; the last one was expected to read 25,300.
      readRight: 3,
      foreign: 1,
      within: 2,
      falseMisses: 0,
      overlooked: 0,
      subAgentMisses: 0,
      coldReads: 0,
      growth: [],
    });
  });

  it('TF16: growth is what was billed for the words that were added', () => {
    const words = (second: number, written: number, read: number): string =>
      turn(second, read, written).replace(`Question ${second}`, 'word '.repeat(1000));
    const [row] = accuracyOf(explained(words(1, 9_000, 0), words(2, 2_000, 9_000)));
    // 5,000 characters, a quarter of them tokens, times 1.05, and a few for the answer.
    expect(row?.growth).toHaveLength(1);
    expect(row?.growth[0]).toBeCloseTo(2000 / 1317, 1);
  });

  it('TF16: the usage of a request itself does not change what is expected of it', () => {
    const expected = (read: number): readonly unknown[] =>
      explained(turn(1, 0, 25_000), turn(2, read, 25_300 - read)).map((item) => item.expected());
    expect(expected(25_000)).toEqual([0, 25_000]);
    expect(expected(0)).toEqual([0, 25_000]);
  });

  it('EX87: what was found when everything of its own was gone is expected again', () => {
    const late = (minute: number): string => new Date(Date.UTC(2026, 1, 11, 20, minute)).toISOString();
    const at = (minute: number, read: number, written: number): string =>
      turn(minute, read, written).replaceAll(/"timestamp":"[^"]*"/g, `"timestamp":"${late(minute)}"`);
    const items = explained(at(1, 0, 25_000), at(20, 14_000, 11_500), at(21, 25_500, 300), at(40, 14_000, 12_000));
    expect(items.map((item) => item.expected())).toEqual([0, 0, 25_500, 14_000]);
    expect(items.at(-1)?.verdict).toMatchObject({ kind: 'miss', cause: 'ttl-expired' });
  });

  it('CC5: after a compaction the tools and the system prompt are expected, as a part that was read told their size', () => {
    const items = explained(
      turn(1, 0, 25_000),
      turn(2, 21_460, 4_000),
      turn(3, 25_460, 200),
      compacted(4),
      turn(5, 21_460, 9_000),
    );
    expect(items.map((item) => item.expected())).toEqual([0, 25_000, 25_460, 21_460]);
    expect(items.at(-1)?.verdict.cause).toBe('compaction');
  });
});
