import { describe, expect, it } from 'vitest';
import type { Tokenizer } from '../provider/types.ts';
import { changingValue, compareWithLock, tokensOf } from './drift.ts';
import { readLock, writeLock } from './lock-file.ts';
import { bodyWith, type CachedPrefix, prefixKey, prefixOf } from './prefix.ts';

const MODEL = 'claude-haiku-4-5';
const LONG = 'Read the whole file before you change it, and run its tests afterwards. '.repeat(400);
const cached = { cache_control: { type: 'ephemeral' } };
const tool = { name: 'read_file', description: 'Reads a file.', input_schema: { type: 'object', properties: {} } };
const user = { role: 'user', content: 'Hi' };

const anthropic = (more: object): CachedPrefix => {
  const read = prefixOf(
    JSON.stringify({ model: MODEL, max_tokens: 9, messages: [user], ...more }),
    'anthropic-messages',
  );
  if (!read.ok) throw new Error(read.error);
  return read.value;
};
const text = (value: string, more: object = {}) => ({ type: 'text', text: value, ...more });
const places = ({ parts }: CachedPrefix): readonly string[] => parts.map(({ at }) => at);
const tokenizer: Tokenizer = { count: (texts) => Promise.resolve(texts.map((one) => Math.ceil(one.length / 4))) };

describe('the cached prefix', () => {
  it('GRD1: ends with the last breakpoint of the system prompt', () => {
    const prefix = anthropic({ tools: [tool], system: [text('Fixed.', cached), text('Today is Monday.')] });
    expect(places(prefix)).toEqual(['tools[0]', 'system[0]']);
  });

  it('GRD1: is all of tools and system prompt where the messages are cached too', () => {
    const system = [text('Fixed.', cached), text('Rules.')];
    const messages = [{ role: 'user', content: [text('Hi', { cache_control: { type: 'ephemeral', ttl: '1h' } })] }];
    expect(anthropic({ system, messages })).toMatchObject({ messageTtl: '1h', parts: [{}, {}] });
    expect(anthropic({ system, cache_control: { type: 'ephemeral' } })).toMatchObject({ messageTtl: '5m' });
    expect(places(anthropic({ system: 'One text.' }))).toEqual(['system']);
  });

  it.each([
    ['openai-chat', { messages: [{ role: 'system', content: 'Be kind.' }, user] }, ['tools[0]', 'messages[0]']],
    [
      'openai-responses',
      { instructions: 'Be kind.', input: [{ role: 'developer', content: 'Be short.' }, user] },
      ['tools[0]', 'instructions', 'input[0]'],
    ],
    ['openai-responses', { instructions: 'Be kind.', input: 'Hi' }, ['tools[0]', 'instructions']],
  ] as const)('GRD1: on %s it ends before the first other message', (wire, body, expected) => {
    const read = prefixOf(
      JSON.stringify({ model: 'gpt-5.5', tools: [{ type: 'function', name: 'a' }], ...body }),
      wire,
    );
    expect(read.ok && places(read.value)).toEqual(expected);
    const again = read.ok ? prefixOf(bodyWith(read.value, 3), wire) : read;
    expect(again).toEqual(read);
  });
});

describe('the lock', () => {
  it('GRD4: reads what it wrote, byte for byte', () => {
    const prefixes = [
      anthropic({
        tools: [{ ...tool, ...cached }],
        system: [
          text('One\n\n  two: "three" # four\n'),
          text('x', { cache_control: { type: 'ephemeral', ttl: '1h' } }),
        ],
      }),
      anthropic({
        system: 'A text with a tab\t, “quotes”, and \u2028 a line end.\n',
        cache_control: { type: 'ephemeral' },
      }),
      anthropic({ system: [{ text: 'Other order', type: 'text' }] }),
    ].map((prefix) => Object.assign(prefix, { tokens: 7 }));
    const written = writeLock(prefixes);
    expect(written).toContain('two: "three" # four');
    expect(readLock(written)).toEqual({ ok: true, value: prefixes });
  });

  it('GRD8: names mistakes with their lines, and refuses a later version', () => {
    expect(readLock('version: 2\nprefixes: []\n')).toEqual({
      ok: false,
      error: [{ line: 1, message: "version 2 isn't known; this Lathe reads version 1" }],
    });
    const wrong = 'version: 1\nprefixes:\n  - model: a\n    wire: http\n    parts: []\n  - wire: openai-chat\n';
    expect(readLock(wrong)).toMatchObject({ ok: false, error: [{ line: 4 }, { line: 6 }] });
    expect(readLock('prefixes: 1')).toMatchObject({ ok: false });
  });
});

describe('a comparison', () => {
  const locked = anthropic({ tools: [tool], system: [text(`${LONG}Today is 2026-11-17.`, cached)] });

  it('GRD5: the same prefix is the same, whatever follows it', async () => {
    const current = anthropic({
      tools: [tool],
      system: [text(`${LONG}Today is 2026-11-17.`, cached)],
      messages: [user, user],
    });
    expect(prefixKey(current)).toBe(prefixKey(locked));
    expect(await compareWithLock(tokenizer, [locked], [current])).toMatchObject({
      same: [{}],
      drifted: [],
      unused: [],
    });
  });

  it('GRD6: names the place of a changing value, with the tokens and the price that it costs', async () => {
    const current = anthropic({ tools: [tool], system: [text(`${LONG}Today is 2026-11-18.`, cached)] });
    const { drifted, added, unused } = await compareWithLock(tokenizer, [locked], [current]);
    expect([added, unused]).toEqual([[], []]);
    const [drift] = drifted;
    expect(drift?.difference.at).toBe('system[0]');
    expect(drift?.difference.before).toContain('11-17');
    expect(drift?.difference.after).toContain('11-18');
    expect(drift?.verdict).toMatchObject({ kind: 'miss', cause: 'volatile-value-in-system' });
    // All that the lock would have had in the cache.
    expect(drift?.verdict.tokensLost).toBeGreaterThan(0.95 * (await tokensOf(tokenizer, locked)));
    expect(drift?.verdict.costLost).toBeGreaterThan(0);
    expect(drift?.verdict.repair).not.toBe('');
  });

  it('GRD6: says that a tool was added', async () => {
    const current = anthropic({
      tools: [tool, { ...tool, name: 'write_file' }],
      system: [text(`${LONG}Today is 2026-11-17.`, cached)],
    });
    const { drifted } = await compareWithLock(tokenizer, [locked], [current]);
    expect(drifted[0]).toMatchObject({ difference: { at: 'tools[1]' }, verdict: { cause: 'tools-changed' } });
  });

  it('GRD5: a prefix like none is new, and one that nobody sent is unused', async () => {
    const current = anthropic({ system: [text('Translate into French, and nothing else.', cached)] });
    expect(await compareWithLock(tokenizer, [locked], [current])).toMatchObject({
      drifted: [],
      added: [current],
      unused: [locked],
    });
  });

  it('GRD7: finds a changing value inside one run, and no fault in two prompts that differ otherwise', async () => {
    const today = anthropic({ tools: [tool], system: [text(`${LONG}Today is 2026-11-18.`, cached)] });
    const other = anthropic({ tools: [tool], system: [text(`${LONG}Answer in French.`, cached)] });
    expect((await changingValue(tokenizer, [locked, today]))?.verdict.cause).toBe('volatile-value-in-system');
    expect(await changingValue(tokenizer, [locked, other])).toBeUndefined();
  });
});
