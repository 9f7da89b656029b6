import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../base/hash.ts';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { catalog } from '../event/catalog.ts';
import type { Payload } from '../event/types.ts';
import { load, skillText } from '../library/testing/libraries.ts';
import {
  applyLoaded,
  decideActivation,
  decideActivations,
  HARD_CAP_CUMULATIVE_ACTIVATION_TOKENS,
  loadedPayload,
  MAX_EXPLICIT_ACTIVATIONS_PER_SESSION,
  startActivation,
  WARN_CUMULATIVE_ACTIVATION_TOKENS,
  type Activation,
  type ActivationState,
} from './budget.ts';

const loaded = (
  skill_id: string,
  load_size_tokens: number,
  load_reason: Payload<'skill.loaded'>['load_reason'] = 'on_demand',
): Payload<'skill.loaded'> => ({
  skill_id,
  skill_version: '0123456789abcdef',
  load_reason,
  load_size_tokens,
  source: 'workspace',
  triggered_by_tool_use_id: load_reason === 'always' ? null : 'tu_1',
});

/** A session in which these were loaded on demand. */
const after = (...activations: readonly (readonly [string, number])[]): ActivationState =>
  activations.reduce((state, [name, tokens]) => applyLoaded(state, loaded(name, tokens)), startActivation());

const kindOf = (state: ActivationState, name: string, tokens = 100): string =>
  decideActivation(state, { name, tokens }).kind;

describe('the registry', () => {
  it('AC1: is the sum of the events', () => {
    const events = [loaded('p', 10, 'always'), loaded('a', 20), loaded('b', 30)];
    const state = events.reduce(applyLoaded, startActivation());
    expect([...state.preloaded]).toEqual(['p']);
    expect(state.activated).toEqual([
      { name: 'a', tokens: 20 },
      { name: 'b', tokens: 30 },
    ]);
    expect(state.tokens).toBe(50);
    expect(events.reduce(applyLoaded, startActivation())).toEqual(state);
    expect(events.reduce(applyLoaded, state)).toEqual(state);
  });

  it('AC2: has the limits of the prompt-caching design', () => {
    expect([
      MAX_EXPLICIT_ACTIVATIONS_PER_SESSION,
      WARN_CUMULATIVE_ACTIVATION_TOKENS,
      HARD_CAP_CUMULATIVE_ACTIVATION_TOKENS,
    ]).toEqual([3, 10_000, 30_000]);
  });

  it('AC3: does not count what is preloaded', () => {
    let state = startActivation(['p', 'q', 'r', 's']);
    state = applyLoaded(state, loaded('t', 29_999, 'always'));
    expect(state.tokens).toBe(0);
    expect(decideActivation(state, { name: 'a', tokens: 29_999 })).toMatchObject({ kind: 'load' });
  });

  it('AC4: a preloaded skill is not loaded again', () => {
    expect(kindOf(startActivation(['p']), 'p')).toBe('preloaded');
    expect(kindOf(applyLoaded(startActivation(), loaded('p', 1, 'always')), 'p')).toBe('preloaded');
  });

  it('AC5: a loaded skill is not loaded again, and counts once', () => {
    const state = after(['a', 100], ['b', 100], ['c', 100]);
    expect(kindOf(state, 'b')).toBe('already-loaded');
    expect(applyLoaded(state, loaded('b', 100))).toEqual(state);
  });

  it('AC6: refuses a fourth skill and names the three', () => {
    expect(decideActivation(after(['c', 1], ['a', 1], ['b', 1]), { name: 'd', tokens: 1 })).toEqual({
      kind: 'refused',
      cap: 'count',
      message:
        'activation budget exhausted: 3 skills already activated this session (limit 3). Already loaded: [c, a, b]. To free budget, summarize and discard previously loaded skill bodies in your next response.',
    });
    expect(kindOf(after(['a', 1], ['b', 1]), 'd')).toBe('load');
  });

  it('AC7: refuses what would reach 30,000 tokens, whatever the number', () => {
    const state = after(['big', 20_000]);
    expect(kindOf(state, 'x', 9999)).toBe('load');
    expect(decideActivation(state, { name: 'x', tokens: 10_000 })).toEqual({
      kind: 'refused',
      cap: 'tokens',
      message:
        "activation token cap exhausted: loading 'x' would bring cumulative activation tokens to 30000 (cap 30000). Already loaded: [big].",
    });
    expect(kindOf(startActivation(), 'x', 30_000)).toBe('refused');
    expect(kindOf(startActivation(), 'x', 29_999)).toBe('load');
  });

  it('AC8: warns once, when the total first comes to 10,000', () => {
    expect(decideActivation(startActivation(), { name: 'a', tokens: 9999 })).toEqual({ kind: 'load' });
    expect(decideActivation(after(['a', 9000]), { name: 'b', tokens: 1000 })).toEqual({
      kind: 'load',
      warning: {
        level: 'warning',
        code: 'activation.tokens',
        text: 'session has activated 2 skills totaling 10000 tokens (warn threshold: 10000). Continued activation may exhaust the per-session cap of 30000 cumulative tokens.',
      },
    });
    expect(decideActivation(after(['a', 9000], ['b', 1000]), { name: 'c', tokens: 5000 })).toEqual({ kind: 'load' });
  });

  it('AC9: looks at preloaded, loaded, number, tokens, in this order; a refusal changes nothing', () => {
    const full = after(['a', 10_000], ['b', 10_000], ['c', 9999]);
    const withPreloaded = applyLoaded(full, loaded('p', 1, 'always'));
    expect(kindOf(withPreloaded, 'p', 99_999)).toBe('preloaded');
    expect(kindOf(withPreloaded, 'a', 99_999)).toBe('already-loaded');
    expect(decideActivation(full, { name: 'd', tokens: 99_999 })).toMatchObject({ cap: 'count' });
    const half = after(['a', 20_000]);
    expect(kindOf(half, 'huge', 10_000)).toBe('refused');
    expect(kindOf(half, 'small', 100)).toBe('load');
  });

  it('AC10: no order of calls gets past the caps', () => {
    const call = fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), tokens: fc.nat(16_000) });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 30 }), fc.subarray(['a', 'b']), (calls, preloaded) => {
        let state = startActivation(preloaded);
        let warnings = 0;
        for (const { name, tokens } of calls) {
          const decision = decideActivation(state, { name, tokens });
          if (decision.kind !== 'load') continue;
          if (decision.warning) warnings++;
          state = applyLoaded(state, loaded(name, tokens));
        }
        expect(state.activated.length).toBeLessThanOrEqual(3);
        expect(state.tokens).toBeLessThan(30_000);
        expect(state.tokens).toBe(state.activated.reduce((sum, { tokens }) => sum + tokens, 0));
        expect(new Set(state.activated.map(({ name }) => name)).size).toBe(state.activated.length);
        expect(state.activated.some(({ name }) => state.preloaded.has(name))).toBe(false);
        expect(warnings).toBe(state.tokens >= 10_000 ? 1 : 0);
      }),
    );
  });

  it('AC11: other limits can be given', () => {
    const limits = { maxActivations: 1, warnTokens: 10, capTokens: 20 };
    expect(decideActivation(startActivation(), { name: 'a', tokens: 20 }, limits)).toMatchObject({ cap: 'tokens' });
    expect(decideActivation(startActivation(), { name: 'a', tokens: 10 }, limits)).toHaveProperty('warning');
    expect(decideActivation(after(['b', 1]), { name: 'a', tokens: 1 }, limits)).toMatchObject({
      message: expect.stringContaining('(limit 1)') as string,
    });
  });

  it('AC12: fills every field of the skill.loaded payload', async () => {
    const { store } = await load({
      project: { tree: createMemoryTree({ 'a/SKILL.md': skillText('a') }) },
      user: createMemoryTree({ 'b/SKILL.md': skillText('b') }),
    });
    const [a, b] = store.list();
    if (!a || !b) throw new Error('two skills were expected');
    const body = '# a\n\nInput keys: none\n';
    const payload = loadedPayload(a, 'on_demand', 'tu_7');
    expect(payload).toEqual({
      skill_id: 'a',
      skill_version: sha256(body).slice(0, 16),
      load_reason: 'on_demand',
      load_size_tokens: Math.floor(body.length / 4),
      source: 'workspace',
      triggered_by_tool_use_id: 'tu_7',
    });
    expect(catalog['skill.loaded'].payload.parse(payload)).toEqual(payload);
    expect(loadedPayload(b, 'always', null)).toMatchObject({
      source: 'global',
      load_reason: 'always',
      triggered_by_tool_use_id: null,
    });
    expect(Object.keys(catalog).filter((type) => type.startsWith('skill.'))).toEqual(['skill.loaded', 'skill.refused']);
  });

  it('AC13: a nested ask starts with the preloaded set and a budget of its own', () => {
    const outer = applyLoaded(after(['a', 1], ['b', 1], ['c', 1]), loaded('p', 1, 'always'));
    const nested = startActivation(outer.preloaded);
    expect(kindOf(nested, 'p')).toBe('preloaded');
    expect(kindOf(nested, 'a')).toBe('load');
    expect(nested.tokens).toBe(0);
  });

  it('AC14: mentions of one message are judged one after the other', () => {
    const wanted: Activation[] = ['a', 'b', 'a', 'p', 'c'].map((name) => ({ name, tokens: 10 }));
    const state = applyLoaded(after(['x', 1]), loaded('p', 1, 'always'));
    expect(decideActivations(state, wanted).map(({ name, decision }) => [name, decision.kind])).toEqual([
      ['a', 'load'],
      ['b', 'load'],
      ['a', 'already-loaded'],
      ['p', 'preloaded'],
      ['c', 'refused'],
    ]);
    expect(state.activated).toEqual([{ name: 'x', tokens: 1 }]);
  });
});
