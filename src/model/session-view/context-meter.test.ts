import { describe, expect, it } from 'vitest';
import { setup, skillFile } from '../session/testing/setup.ts';
import { contextUse } from './context-meter.ts';
import { chunksOf, prettyJson, rawCall } from './raw-call.ts';

const run = async (files: Record<string, string> = {}) => {
  const made = await setup({
    files: { 'AGENTS.md': 'Be kind.', 'skills/one/SKILL.md': skillFile('one', 'Body.'), ...files },
    script: [{ content: [{ type: 'text', text: 'Hello.' }], usage: { uncached: 900, read: 100, output: 5 } }],
  });
  await made.session.send('Hi there');
  const { config, calls } = made.session.state;
  const raw = rawCall(made.journal, calls[0]?.requestId ?? '');
  const body = raw?.attempts[0]?.body;
  if (!config || body === undefined) throw new Error('no call');
  const usage = calls[0]?.usage;
  return { config, body, wire: 'anthropic-messages', model: 'claude-haiku-4-5', maxOutputTokens: 4096, usage } as const;
};

describe('the context meter', () => {
  it('SV40: the shares add up to what the provider counted', async () => {
    const question = await run({ 'MEMORY.md': 'The user likes tea.' });
    const { usage, ...rest } = question;
    const use = contextUse({ ...rest, ...(usage && { usage }) });
    expect(use).toMatchObject({ used: 1000, counted: true, window: 200_000, share: 0.005, warning: undefined });
    expect(use?.parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(1000);
    expect(use?.parts.map(({ source }) => source)).toEqual([
      'tools',
      'persona',
      'instructions',
      'index',
      'volatile',
      'messages',
    ]);
    expect(contextUse(rest)?.counted).toBe(false);
  });

  it('SV41: there is a warning before it is full', async () => {
    const { usage: _, ...question } = await run();
    const at = (tokens: number, model = question.model as string, maxOutputTokens = 4096) =>
      contextUse({
        ...question,
        model,
        maxOutputTokens,
        usage: { uncached: tokens, read: 0, writes: {}, output: 0, cacheReported: true, partial: false },
      });
    expect(at(100_000)?.warning).toBeUndefined();
    expect(at(159_000)?.warning).toBeUndefined();
    expect(at(160_000)?.warning).toContain('40,000 tokens left');
    expect(at(200_001)?.warning).toContain('full');
    expect(at(140_000, 'claude-haiku-4-5', 64_000)?.warning).toContain('Lower Max output tokens');
    expect(at(160_000, 'my-own-model')).toMatchObject({ window: undefined, share: undefined, warning: undefined });
    expect(contextUse({ ...question, body: 'no JSON' })).toBeUndefined();
  });
});

describe('a raw call', () => {
  it('SV50: has its exact bodies and its response', async () => {
    const made = await setup({ script: ['one', 'two'] });
    await made.session.send('first');
    await made.session.send('second');
    const [, second] = made.session.state.calls;
    const raw = rawCall(made.journal, second?.requestId ?? '');
    expect(raw?.attempts.map(({ body }) => body)).toEqual([made.provider.bodies[1]]);
    expect(raw?.response).toBeDefined();
    expect(rawCall(made.journal, 'nobody')).toBeUndefined();
  });

  it('SV50: a stream has its events, anything else has none', () => {
    expect(chunksOf('event: ping\ndata: {"a":1}\n\ndata: [DONE]\n\n')).toEqual([
      { event: 'ping', data: '{"a":1}' },
      { event: 'data', data: '[DONE]' },
    ]);
    expect(chunksOf('{"type":"message"}')).toEqual([]);
    expect(prettyJson('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(prettyJson('{"a"')).toBe('{"a"');
  });
});
