import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BREAKPOINT_MODES, TTLS } from '../provider/types.ts';
import { type AgentPolicy, play, prepared, type Script } from './testing/agent.ts';
import type { Policy } from './types.ts';
import { whatIf } from './whatif.ts';

/** `LATHE_SEED=random` draws others. */
const RUNS = 6;
const MODELS = ['claude-haiku-4-5', 'claude-opus-5', 'claude-sonnet-4-6', 'claude-opus-4-8'];

const script: fc.Arbitrary<Script> = fc.record({
  words: fc.integer({ min: 100, max: 2_500 }),
  turns: fc.array(
    fc.record({
      pauseMs: fc.constantFrom(1_000, 60_000, 290_000, 400_000, 4_000_000),
      words: fc.integer({ min: 1, max: 900 }),
    }),
    { minLength: 3, maxLength: 5 },
  ),
  subAgents: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
  firstByteMs: fc.constantFrom(300, 1_500),
});

const agent: fc.Arbitrary<AgentPolicy> = fc.record({
  model: fc.constantFrom(...MODELS),
  mode: fc.constantFrom(...BREAKPOINT_MODES),
  ttl: fc.constantFrom(...TTLS),
  isSorted: fc.boolean(),
  value: fc.constantFrom('block', 'line', 'moved'),
  padding: fc.constantFrom('', ` ${'pad '.repeat(600).trim()}`),
  subAgents: fc.constantFrom('apart', 'together'),
});

/** What can be asked for: a value is moved into the conversation and never back, tools are sorted, padding is added. */
const reachable = (from: AgentPolicy, to: AgentPolicy): AgentPolicy => ({
  ...to,
  isSorted: from.isSorted || to.isSorted,
  value: from.value === 'moved' || to.value === 'moved' ? 'moved' : from.value,
  padding: from.padding === '' ? to.padding : from.padding,
});

const policyOf = (from: AgentPolicy, to: AgentPolicy): Policy => ({
  ttl: to.ttl,
  breakpoints: to.mode,
  subAgents: to.subAgents,
  ...(from.model !== to.model && { model: to.model }),
  ...(to.isSorted && !from.isSorted && { tools: 'sorted' as const }),
  ...(to.value !== from.value && { move: [from.value === 'line' ? 'system[0]' : 'system[1]'] }),
  ...(to.padding !== from.padding && { padding: { text: to.padding } }),
});

/** A line in the stable block can only be told from it by a marker, and padding after it would be a part of it. */
const isClear = ({ value, mode, padding }: AgentPolicy): boolean =>
  value !== 'line' || ((mode === 'static' || mode === 'rolling') && padding === '');

it('WIF2, WIF4, WIF9, WIF10, WIF11: from a recording under one policy, the bill under another is forecast to the token', async () => {
  await fc.assert(
    fc.asyncProperty(script, agent.filter(isClear), agent, async (turns, from, wanted) => {
      const to = reachable(from, wanted);
      const calls = await play(turns, from);
      const base = await prepared(calls);
      // Nothing changed: recomputed from bodies and times, with no bill at hand.
      const same = await whatIf(base, {});
      expect(same.requests.map(({ forecast }) => forecast)).toEqual(same.requests.map(({ recorded }) => recorded));
      if (to.value === 'line' && to.padding !== '') return;
      const billed = await prepared(await play(turns, to));
      const other = await whatIf(base, policyOf(from, to));
      const own = await whatIf(billed, {});
      const byChain = (result: typeof own, played: typeof base.calls) =>
        result.requests
          .map(({ forecast, recorded }, index) => ({ forecast, recorded, id: played[index]?.call.conversation?.id }))
          .toSorted((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : (a.id ?? '') > (b.id ?? '') ? 1 : 0));
      expect(other.faults).toEqual([]);
      expect(byChain(other, base.calls).map(({ forecast }) => forecast)).toEqual(
        byChain(own, billed.calls).map(({ recorded }) => recorded),
      );
      expect(other.range?.low).toBeCloseTo(other.range?.high ?? -1, 9);
    }),
    { numRuns: RUNS },
  );
});
