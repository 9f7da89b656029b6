import { describe, expect, it } from 'vitest';
import { explainAll } from '../explainer.ts';
import { readRecording } from './read-recording.ts';
import { writeHar } from './write-har.ts';

const KEY = `sk-ant-api03-${'Ab3'.repeat(30)}`;
const system = [{ type: 'text', text: 'Be careful. '.repeat(2000), cache_control: { type: 'ephemeral', ttl: '1h' } }];
const user = { role: 'user', content: `My key is ${KEY} and my address is ada@lovelace.example.` };
const line = (more: object): string =>
  JSON.stringify({
    provider: 'anthropic',
    model: 'claude-haiku-4-5',
    started_at: '2026-11-18T10:00:00.000Z',
    first_byte_at: '2026-11-18T10:00:00.250Z',
    ended_at: '2026-11-18T10:00:01.000Z',
    body: JSON.stringify({ model: 'claude-haiku-4-5', max_tokens: 9, system, messages: [user] }),
    ...more,
  });
const written = {
  input_tokens: 20,
  cache_creation_input_tokens: 6000,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 6000 },
  output_tokens: 3,
};
const responses = {
  provider: 'openai',
  wire: 'openai-responses',
  model: 'gpt-5.5',
  body: JSON.stringify({ model: 'gpt-5.5', instructions: 'Be kind.', input: 'Hi' }),
};
const LATER = {
  started_at: '2026-11-18T10:01:00.000Z',
  first_byte_at: '2026-11-18T10:01:01.000Z',
  ended_at: '2026-11-18T10:01:02.500Z',
};
const RECORDING = [
  line({ usage: written, betas: 'a-1,b-2' }),
  // In our own form, which no other tool would know.
  line({ ...LATER, usage: { uncached: 20, read: 0, writes: { '1h': 6000 }, output: 3 } }),
  line({ ...responses, usage: { uncached: 1000, read: 2000, writes: { '30m': 70 }, output: 5 } }),
  line({ ...LATER, status: 500 }),
].join('\n');

describe('a recording as HAR', () => {
  const { calls } = readRecording(RECORDING);
  const har = writeHar(calls, '1.2.3');
  const again = readRecording(har.text, 'session.har');

  it('REC26: opens again with the same calls, usage, and verdicts', () => {
    expect(again.faults).toEqual([]);
    const facts = (list: typeof calls) =>
      list.map(({ wire, provider, model, usage, startedAt, firstByteAt, endedAt, failed, betas }) => ({
        wire,
        provider,
        model,
        usage,
        startedAt,
        firstByteAt,
        endedAt,
        failed,
        betas,
      }));
    expect(facts(again.calls)).toEqual(facts(calls));
    const verdicts = (list: typeof calls) =>
      explainAll(list).map(({ kind, cause, tokensLost }) => [kind, cause, tokensLost]);
    expect(verdicts(again.calls)).toEqual(verdicts(calls));
    expect(har).toMatchObject({ requests: 4, withoutBody: 0 });
  });

  it('REC26: has usage in the words of each wire', () => {
    const { entries } = (JSON.parse(har.text) as { log: { entries: { response: { content: { text: string } } }[] } })
      .log;
    const usage = entries.map(({ response }) => (JSON.parse(response.content.text) as { usage?: unknown }).usage);
    expect(usage[0]).toEqual(written);
    expect(usage[2]).toMatchObject({
      input_tokens: 3070,
      input_tokens_details: { cached_tokens: 2000, cache_write_tokens: 70 },
    });
  });

  it('REC26: holds no private value, and says how many were masked', () => {
    expect(har.text).not.toContain(KEY);
    expect(har.text).not.toContain('lovelace');
    expect(har.masked.map(({ kind }) => kind).toSorted()).toEqual(['email', 'key']);
  });

  it('REC26: counts the calls that have no request', () => {
    const absent = calls.map((call) => Object.assign({}, call, { known: 'absent' as const, body: '' }));
    expect(writeHar(absent, '1')).toMatchObject({ requests: 0, withoutBody: 4 });
  });
});
