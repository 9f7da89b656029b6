/** A conversation of 400 turns through the cache model: what a turn costs must not grow with the turns before it. */
import { sha256 } from '../src/base/hash.ts';
import { createCacheModel } from '../src/model/cache/engine.ts';
import { chainHashes, createHashMemo } from '../src/model/cache/hash-chain.ts';
import { readRequest } from '../src/model/cache/read-request.ts';
import type { CacheRequest } from '../src/model/cache/types.ts';
import { modelFacts } from '../src/model/provider/model-book.ts';
import { bestOf, report } from './measure.ts';

const MODEL = 'claude-opus-5';
const TURNS = 400;
const line = 'The quick brown fox jumps over "the lazy dog" and\nlooks back.\n';
const mark = { cache_control: { type: 'ephemeral' } };

const message = (role: string, text: string, isMarked = false): object => ({
  role,
  content: [{ type: 'text', text, ...(isMarked && mark) }],
});
const tools = Array.from({ length: 12 }, (_, index) => ({
  name: `tool_${index}`,
  description: line.repeat(4),
  input_schema: { type: 'object', properties: { path: { type: 'string' } } },
}));
const history = Array.from({ length: TURNS }, (_, turn) => [
  message('user', `question ${turn} ${line.repeat(16)}`),
  message('assistant', `answer ${turn} ${line.repeat(48)}`),
]);

/** Rolling breakpoint: the last message has a marker that is gone one turn later. */
const bodies = history.map((_, turn) =>
  JSON.stringify({
    model: MODEL,
    max_tokens: 1000,
    tools,
    system: [{ type: 'text', text: line.repeat(300), ...mark }],
    messages: [...history.slice(0, turn).flat(), message('user', `question ${turn} ${line.repeat(16)}`, true)],
    stream: true,
  }),
);

const read = (body: string, previous?: CacheRequest): CacheRequest => {
  const result = readRequest(body, 'anthropic-messages', previous);
  if (!result.ok) throw new Error(result.error);
  return result.value;
};

/** Time of each turn, the best of several conversations. */
const perTurn = (): readonly number[] => {
  const best = bodies.map(() => Infinity);
  for (let round = 0; round < 7; round++) {
    const model = createCacheModel();
    let previous: CacheRequest | undefined;
    bodies.forEach((body, turn) => {
      const start = performance.now();
      const request = read(body, previous);
      const tokens = request.blocks.map((block) => block.text.length >> 2);
      model.send({ request, tokens, startedAt: turn * 1000, scope: 'bench' }).answered(turn * 1000 + 500);
      previous = request;
      best[turn] = Math.min(best[turn] ?? Infinity, performance.now() - start);
    });
  }
  return best;
};

const total = (times: readonly number[]): number => times.reduce((sum, time) => sum + time, 0);

const times = perTurn();
// Every turn appends the same. What is left of a square is comparing the body with the one before it.
report('time of 400 turns, against the first 200 (2 is linear, 4 square)', total(times) / total(times.slice(0, 200)), {
  atMost: 3,
});

const average = (from: number, to: number): number => total(times.slice(from, to)) / (to - from);
report('a turn near the 400th, against one near the 100th', average(360, 400) / average(80, 120), { atMost: 2 });

const facts = modelFacts(MODEL);
const memo = createHashMemo();
let last: CacheRequest | undefined;
for (const body of bodies) {
  last = read(body, last);
  chainHashes(last, facts, { memo });
}
report('blocks that were hashed, against blocks of the last request', memo.hashed() / (last?.blocks.length ?? 1), {
  atMost: 1,
});

const final = bodies.at(-1) ?? '';
let alone = Infinity;
let cold = Infinity;
// In turns, so that both meet the same machine.
for (let round = 0; round < 15; round++) {
  alone = Math.min(
    alone,
    bestOf(1, () => void sha256(final)),
  );
  cold = Math.min(
    cold,
    bestOf(1, () => void chainHashes(read(final), facts)),
  );
}
const lateTurn = total(times.slice(-20)) / 20;
report('a turn near the 400th, against one hash of its body', lateTurn / alone, { atMost: 0.1 });
report(`${(final.length / 1e6).toFixed(1)} MB read and hashed afresh, against one hash of it`, cold / alone, {
  atMost: 2,
});
