import { describe, expect, it } from 'vitest';
import { bodyDifference } from './body-difference.ts';
import { comparePrefixes } from './prefix-compare.ts';
import { makeBody, readBody, VOLATILE } from './testing/bodies.ts';

const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });
const tool = (name: string, more: object = {}) => ({ name, description: 'x', input_schema: {}, ...more });
const compare = (a: string, b: string) => comparePrefixes({ whole: readBody(a) }, { whole: readBody(b) });
const states = (a: string, b: string) => compare(a, b).rows.map(({ id, state }) => `${id} ${state}`);

describe('two requests, segment by segment', () => {
  it('CO1: everything is the same', () => {
    const comparison = compare(makeBody(), makeBody());
    expect(comparison.counts).toMatchObject({ same: 8, changed: 0, added: 0, removed: 0, moved: 0 });
    expect(comparison.breaksAt).toBeUndefined();
  });

  it('CO1: added, removed and moved', () => {
    const a = makeBody({ tools: [tool('one'), tool('two'), tool('three')] });
    const b = makeBody({ tools: [tool('three'), tool('two'), tool('four')] });
    expect(states(a, b).slice(0, 4)).toEqual([
      'tool:one removed',
      'tool:three moved',
      'tool:two moved',
      'tool:four added',
    ]);
  });

  it('CO2: a changed segment tells the first byte that differs in both', () => {
    const [a, b] = [makeBody(), makeBody({ volatile: VOLATILE.replace('- one', '- two') })];
    const { breaksAt } = compare(a, b);
    expect(breaksAt).toMatchObject({ id: 'memory', state: 'changed' });
    const bytes = new TextEncoder();
    expect(breaksAt?.firstByte?.a).toBe(bytes.encode(a.slice(0, a.indexOf('- one') + 2)).length);
    expect(breaksAt?.firstByte?.b).toBe(breaksAt?.firstByte?.a);
  });

  it('CO2: a marker is not content', () => {
    const a = makeBody({ tools: [tool('one')] });
    const b = makeBody({ tools: [tool('one', { cache_control: { type: 'ephemeral' } })] });
    expect(states(a, b)[0]).toBe('tool:one same');
  });

  it('CO2: what differs beside the text is found too', () => {
    const result = (id: string) => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }],
    });
    const [a, b] = [makeBody({ messages: [result('t1')] }), makeBody({ messages: [result('t2')] })];
    const { breaksAt } = compare(a, b);
    expect(breaksAt?.firstByte?.a).toBe(a.indexOf('"t1"') + 2);
  });

  it('CO3: what is added behind everything breaks nothing', () => {
    const a = makeBody({ messages: [user('Hi')] });
    const b = makeBody({ messages: [user('Hi'), user('More')] });
    const comparison = compare(a, b);
    expect(comparison.breaksAt).toBeUndefined();
    expect(comparison.counts.added).toBe(1);
  });

  it('CO3: the tokens before the break are shared', () => {
    const a = makeBody({ messages: [user('Hi')] });
    const b = makeBody({ messages: [user('Ho')] });
    const read = readBody(b);
    const comparison = comparePrefixes({ whole: readBody(a) }, { whole: read });
    expect(comparison.breaksAt?.id).toBe('message:0.0');
    expect(comparison.shared).toBe(read.segments.slice(0, -1).reduce((sum, { estimate }) => sum + estimate, 0));
  });
});

describe('tokens of a comparison', () => {
  it('CO3: where segments were counted, the counts are summed and shown, not the estimates', () => {
    const [a, b] = [makeBody({ messages: [user('Hi')] }), makeBody({ messages: [user('Ho')] })].map((body) => {
      const whole = readBody(body);
      return { whole, sizes: { hidden: 496, tokens: whole.segments.map((_, index) => 100 * (index + 1)) } };
    });
    if (!a || !b) throw new Error('no bodies');
    const { rows, shared } = comparePrefixes(a, b);
    const before = b.sizes.tokens.slice(0, -1);
    // Hidden tokens come before everything.
    expect(shared).toBe(before.reduce((sum, tokens) => sum + tokens, 496));
    expect(rows.map(({ tokens }) => tokens.b)).toEqual(b.sizes.tokens);
    expect(rows.at(0)?.tokens).toEqual({ a: 100, b: 100 });
  });
});

describe('where two bodies part', () => {
  it('CO4: an excerpt of both around the first difference', () => {
    const a = readBody(makeBody({ messages: [user('The ship 🚢 leaves at nine.')] }));
    const b = readBody(makeBody({ messages: [user('The ship 🚣 leaves at nine.')] }));
    const difference = bodyDifference(a, b);
    if (difference.kind !== 'block') throw new Error('no difference');
    expect(difference.label).toBe('messages[0].content[0]');
    expect(difference.before?.middle).toBe('🚢');
    expect(difference.after?.middle).toBe('🚣');
    expect(difference.before?.lead.endsWith('The ship ')).toBe(true);
    expect(difference.before?.tail.startsWith(' leaves')).toBe(true);
  });

  it('CO4: a request that continues where the other ended', () => {
    const a = readBody(makeBody({ messages: [user('Hi')] }));
    const b = readBody(makeBody({ messages: [user('Hi'), user('More')] }));
    expect(bodyDifference(a, b)).toEqual({ kind: 'none', added: 1 });
    expect(bodyDifference(b, a)).toMatchObject({ kind: 'block', after: undefined });
  });

  it('CO4: a long difference is cut, and says so', () => {
    const a = readBody(makeBody({ messages: [user(`a${'x'.repeat(5000)}`)] }));
    const b = readBody(makeBody({ messages: [user(`b${'y'.repeat(5000)}`)] }));
    const difference = bodyDifference(a, b);
    expect(difference.kind === 'block' && difference.before?.isCutBehind).toBe(true);
    expect(difference.kind === 'block' && (difference.before?.middle.length ?? 0)).toBeLessThan(2000);
  });
});
