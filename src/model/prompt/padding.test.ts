import { describe, expect, it } from 'vitest';
import { builtinDefinitions } from '../tool/definitions.ts';
import type { ModelFacts } from '../provider/model-book.ts';
import { OPERATING_CONTEXT, OPERATING_CONTEXT_HEADING } from './operating-context.ts';
import { paddingTarget } from './padding.ts';
import { DEFAULT_PERSONA } from './persona.ts';
import { assemble } from './testing/prompts.ts';

const facts = (more: Partial<ModelFacts>): ModelFacts => ({
  id: 'm',
  label: 'M',
  family: 'unknown',
  caching: 'unknown',
  tokenFactor: 1,
  keepsThinking: 'all',
  hasDiagnostics: false,
  thinking: 'none',
  ...more,
});
const target = (more: Partial<ModelFacts>) => paddingTarget('model', 'm', new Map([['m', facts(more)]]));

describe('the target', () => {
  it('PR17: spec is 4,500 to 5,500 for every model', () => {
    for (const model of ['claude-haiku-4-5', 'claude-opus-5', 'nobody-knows'])
      expect(paddingTarget('spec', model)).toMatchObject({ min: 4500, max: 5500 });
  });

  it.each([
    // 4,096 × 1.15 = 4,710.4 ÷ 1.05 = 4,486.1; room 4,487 × 1,000 ÷ 4,500 = 997.1
    ['claude-haiku-4-5', 4487, 5484],
    // 512 × 1.15 = 588.8 ÷ 1.35 = 436.1; at least 500
    ['claude-opus-5', 437, 937],
    // 1,024 × 1.15 = 1,177.6
    ['gpt-6-sol', 1178, 1678],
    // 2,048 was measured: × 1.15 = 2,355.2 ÷ 1.05 = 2,243.05; room 498.7
    ['claude-sonnet-4-6', 2244, 2744],
  ])('PR18: model %s is %i to %i', (model, min, max) => {
    expect(paddingTarget('model', model)).toMatchObject({ min, max });
  });

  it('PR18: a factor makes the target smaller, a measured floor larger', () => {
    expect(target({ floor: 1000 })).toMatchObject({ min: 1150, max: 1650, floor: 1000 });
    expect(target({ floor: 1000, tokenFactor: 2 })).toMatchObject({ min: 575 });
    expect(target({ floor: 1000, observedFloor: 2000 })).toMatchObject({ min: 2300, floor: 2000 });
    expect(target({ floor: 1000, observedFloor: 500 })).toMatchObject({ floor: 1000 });
  });

  it('PR19: an unknown floor is not a target', () => {
    expect(paddingTarget('model', 'nobody-knows')).toMatchObject({ min: undefined, max: undefined, floor: undefined });
    expect(paddingTarget('model', 'nobody-knows').why).toContain('unknown');
  });

  it('PR20: off is not a target', () => {
    expect(paddingTarget('off', 'claude-haiku-4-5')).toMatchObject({ min: undefined, max: undefined });
  });
});

describe('the note', () => {
  const persona = 'x'.repeat(305 * 4);

  it.each([
    [
      'spec',
      'claude-haiku-4-5',
      'padded because the natural prefix is 305 tokens by the estimate and this model caches from 4,096',
    ],
    [
      'model',
      'claude-haiku-4-5',
      'padded because the natural prefix is 305 tokens by the estimate and this model caches from 4,096 (by our estimate, with 15% to spare, 4,487)',
    ],
    [
      'model',
      'unknown-1',
      'not padded: the natural prefix is 305 tokens by the estimate and this model’s cache floor is unknown',
    ],
    [
      'off',
      'claude-opus-5',
      'not padded: padding is off; the natural prefix is 305 tokens by the estimate and this model caches from 512',
    ],
    [
      'spec',
      'unknown-1',
      'padded because the natural prefix is 305 tokens by the estimate and policy spec wants 4,500, though this model’s cache floor is unknown',
    ],
  ] as const)('PR21: %s, %s: %s', async (padding, model, note) => {
    expect((await assemble({}, { persona, padding, model })).note).toBe(note);
  });

  it('PR21: says when policy spec pads more than the model needs, and when nothing is needed', async () => {
    const long = 'x'.repeat(1200 * 4);
    expect((await assemble({}, { persona: long, model: 'claude-opus-5' })).note).toBe(
      'padded because the natural prefix is 1,200 tokens by the estimate and policy spec wants 4,500, though this model caches from 512',
    );
    expect((await assemble({}, { persona: long, padding: 'model', model: 'claude-opus-5' })).note).toBe(
      'not padded: the natural prefix is 1,200 tokens by the estimate, and padding is for those below 437',
    );
  });

  it('PR21: says when there is not enough text', async () => {
    const book = new Map([['m', facts({ floor: 10_000 })]]);
    const prompt = await assemble({}, { persona, padding: 'model', model: 'm', book });
    expect(prompt.padded).toBe(true);
    expect(prompt.note).toMatch(/; the padding ended at \d,\d{3}$/);
  });
});

describe('the operating context', () => {
  const all = OPERATING_CONTEXT.join('\n\n');

  it('PR22: is long enough, in paragraphs of at most 2,000 characters', () => {
    expect(all.length).toBeGreaterThanOrEqual(18_000);
    for (const paragraph of OPERATING_CONTEXT) {
      expect(`\n\n${OPERATING_CONTEXT_HEADING}\n\n${paragraph}`.length).toBeLessThanOrEqual(2000);
      expect(paragraph).toMatch(/^### [A-Z][A-Za-z ]+\n[^\n]+$/);
    }
  });

  it('PR22: is plain ASCII, says nothing twice, and cannot be changed', () => {
    expect(all).toMatch(/^[\n\x20-\x7E]+$/);
    const sentences = all
      .replace(/^### .*$/gm, '')
      .split(/(?<=[.?:]) /)
      .map((sentence) => sentence.trim());
    expect(sentences.length).toBeGreaterThan(200);
    expect(new Set(sentences).size).toBe(sentences.length);
    expect(Object.isFrozen(OPERATING_CONTEXT)).toBe(true);
  });

  it('PR22: reaches MIN by itself', async () => {
    const prompt = await assemble({}, { persona: '' });
    expect(prompt.natural).toBe(1);
    expect(prompt.estimate).toBeGreaterThanOrEqual(4500);
    expect(prompt.estimate).toBeLessThanOrEqual(5500);
  });

  it('PR22: names only tools that both dialects have', () => {
    const metis = builtinDefinitions('metis').map(({ name }) => name);
    const agents = new Set(builtinDefinitions('agents').map(({ name }) => name));
    const shared = new Set([...metis.filter((name) => agents.has(name)), 'run_metaskill']);
    const named = all.match(/`[a-z]+_[a-z]+`/g)?.map((word) => word.slice(1, -1)) ?? [];
    expect(named.filter((name) => !shared.has(name))).toEqual([]);
    expect(new Set(named).size).toBe(shared.size);
  });

  it('the default persona is short', () => {
    expect(DEFAULT_PERSONA.length).toBeLessThan(260);
    expect(DEFAULT_PERSONA).toBe(DEFAULT_PERSONA.trim());
  });
});
