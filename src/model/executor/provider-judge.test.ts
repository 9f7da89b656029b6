import { expect, it } from 'vitest';
import { createMemoryProvider } from '../../platform/provider/memory-provider.ts';
import { createJudge } from './provider-judge.ts';

it('GU3: a score between 0 and 1; anything else is not an answer', async () => {
  const client = createMemoryProvider(['{"score": 0.2}', '{"score": 7}', 'fine', { error: { message: 'no network' } }]);
  const judge = createJudge({ client, model: 'claude-haiku-4-5', signal: new AbortController().signal });
  const call = { name: 'delete_events', argKeys: ['event_id'], intent: 'What is due?' };
  expect([await judge(call), await judge(call), await judge(call), await judge(call)]).toEqual([
    0.2,
    undefined,
    undefined,
    undefined,
  ]);
});
