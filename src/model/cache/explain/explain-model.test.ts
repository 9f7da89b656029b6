import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../base/json.ts';
import { modelFacts } from '../../provider/model-book.ts';
import { blockTexts, blockTokens } from '../block-tokens.ts';
import { createCacheModel } from '../engine.ts';
import { readRequest } from '../read-request.ts';
import type { RecordedCall } from '../types.ts';
import { explainAll } from '../../traffic/explainer.ts';
import { claude, GUIDE, marked, MINUTE, SECOND, T0, text, tool } from './testing/recorded.ts';

const count = (value: string): number => Math.ceil(value.length / 4);

/** Sends calls through the cache model, which gives them the usage that the provider would report. */
const withUsage = (calls: readonly RecordedCall[]): RecordedCall[] => {
  const cache = createCacheModel();
  return calls.map((call) => {
    const request = readRequest(call.body, call.wire);
    if (!request.ok) throw new Error(request.error);
    const tokens = blockTokens(request.value, blockTexts(request.value).map(count), modelFacts(call.model));
    const sent = cache.send({ request: request.value, tokens, startedAt: call.startedAt, scope: call.keyId ?? '' });
    sent.answered(call.firstByteAt ?? call.startedAt);
    const usage = { ...sent.prediction.usage, output: 10, cacheReported: true, partial: false };
    return { ...call, usage };
  });
};

interface State {
  readonly tools: readonly Json[];
  readonly clock: string;
  readonly messages: readonly string[];
  readonly choice: Json;
  readonly isMarked: boolean;
  readonly ttl: string;
  readonly at: number;
}

type Step = (state: State) => State;
const say: Step = (state) => ({
  ...state,
  messages: [...state.messages, `Answer ${state.at}.`, `Question ${state.at}.`],
});

/** Every step is one thing that may happen between two calls of a conversation. */
const STEPS: Readonly<Record<string, Step>> = {
  'goes on': say,
  'a clock': (state) => ({ ...say(state), clock: `${state.at}` }),
  'tool order': (state) => ({ ...say(state), tools: state.tools.toReversed() }),
  'a tool more': (state) => ({ ...say(state), tools: [...state.tools, tool(`tool_${state.at}`)] }),
  'an edit': (state) => ({ ...say(state), messages: [`Edited ${state.at}.`, ...say(state).messages.slice(1)] }),
  tool_choice: (state) => ({ ...say(state), choice: { type: state.at % 2 === 0 ? 'none' : 'auto' } }),
  'a long pause': (state) => ({ ...say(state), at: state.at + 400 }),
  'a long turn': (state) => ({
    ...state,
    messages: [...say(state).messages, ...Array.from({ length: 24 }, (_, index) => `Step ${state.at} ${index}.`)],
  }),
  'another question': (state) => ({ ...state, messages: [`Something else ${state.at}.`] }),
  'a marker more or less': (state) => ({ ...say(state), isMarked: !state.isMarked }),
  'another TTL': (state) => ({ ...say(state), ttl: state.ttl === '5m' ? '1h' : '5m' }),
  'a retry at once': (state) => ({ ...state, at: state.at - 60 }),
};

const bodyOf = ({ tools, clock, messages, choice, isMarked, ttl }: State): { readonly [key: string]: Json } => ({
  tools,
  tool_choice: choice,
  system: [isMarked ? marked(GUIDE, ttl) : text(GUIDE), text(`Clock ${clock}`)],
  messages: messages.map((message, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: [index === messages.length - 1 ? marked(message, ttl) : text(message)],
  })),
});

const record = (steps: readonly string[]): RecordedCall[] => {
  let state: State = {
    tools: [tool('a'), tool('b')],
    clock: '0',
    messages: ['Start.'],
    choice: { type: 'auto' },
    isMarked: true,
    ttl: '5m',
    at: 0,
  };
  return ['start', ...steps].map((name) => {
    state = { ...(STEPS[name]?.(state) ?? state) };
    state = { ...state, at: state.at + 60 };
    const startedAt = T0 + state.at * SECOND;
    return claude(bodyOf(state), {
      startedAt,
      firstByteAt: startedAt + 500,
      endedAt: startedAt + 3 * SECOND,
      model: 'claude-opus-5',
    });
  });
};

describe('the explainer and the cache model', () => {
  it('EX60: whatever the model misses has a cause that is not the provider’s', () => {
    const unexplained = new Set(['provider-eviction', 'gateway-effect', 'usage-misread']);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...Object.keys(STEPS)), { minLength: 1, maxLength: 8 }), (steps) => {
        const calls = withUsage(record(steps));
        const verdicts = explainAll(calls, { tokens: count });
        expect(verdicts.filter(({ cause }) => unexplained.has(cause))).toEqual([]);
        expect(verdicts[0]?.cause).toBe('chain-start');
        for (const verdict of verdicts) expect(verdict.tokensLost).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 200 },
    );
  });

  it('EX61: a conversation that only grows inside the TTL starts once and then hits', () => {
    const calls = withUsage(record(Array.from({ length: 6 }, () => 'goes on')));
    expect(explainAll(calls, { tokens: count }).map(({ cause }) => cause)).toEqual([
      'chain-start',
      ...Array.from({ length: 6 }, () => 'hit'),
    ]);
  });

  it('EX62: without usage the verdicts are the same', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...Object.keys(STEPS)), { minLength: 1, maxLength: 5 }), (steps) => {
        const calls = record(steps);
        const causes = (recorded: readonly RecordedCall[]) =>
          explainAll(recorded, { tokens: count }).map(({ cause }) => cause);
        expect(causes(calls)).toEqual(causes(withUsage(calls)));
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['a clock', 'volatile-value-in-system'],
    ['tool order', 'tool-order'],
    ['a tool more', 'tools-changed'],
    ['an edit', 'history-edited'],
    ['tool_choice', 'tier-parameter'],
    ['a long pause', 'ttl-expired'],
    ['a long turn', 'lookback-overflow'],
    ['a retry at once', 'parallel-requests'],
  ])('EX63: %s is %s', (step, cause) => {
    const verdicts = explainAll(withUsage(record(['goes on', step])), { tokens: count });
    expect(verdicts.at(-1)?.cause).toBe(cause);
  });

  it('EX64: the smoke run: a start, then a hit', () => {
    const call = (messages: Json[], minute: number): RecordedCall =>
      claude(
        { system: [marked(GUIDE.repeat(3))], messages },
        { startedAt: T0 + minute * MINUTE, model: 'claude-haiku-4-5' },
      );
    const calls = withUsage([
      call([{ role: 'user', content: 'One' }], 0),
      call(
        [
          { role: 'user', content: 'One' },
          { role: 'assistant', content: 'Two' },
          { role: 'user', content: 'Three' },
        ],
        1,
      ),
    ]);
    expect(explainAll(calls, { tokens: count }).map(({ cause }) => cause)).toEqual(['chain-start', 'hit']);
  });
});
