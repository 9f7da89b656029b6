import { describe, expect, it } from 'vitest';
import { request, text, use } from '../../model/provider/testing/requests.ts';
import type { CallEvent } from '../../model/provider/types.ts';
import { createMemoryProvider } from './memory-provider.ts';

describe('the memory provider', () => {
  it('answers in turn, keeps what it was asked, and tells deltas', async () => {
    const provider = createMemoryProvider([
      { content: [text('Hello'), use('t', 'x', { a: 1 })], usage: { uncached: 5, output: 2 } },
      'Bye',
    ]);
    const events: CallEvent[] = [];
    const first = await provider.call(request(), { onEvent: (event) => events.push(event) });
    expect(first).toMatchObject({ ok: true, stopReason: 'tool_use', responseId: 'msg_1', usage: { uncached: 5 } });
    expect(events.map(({ type }) => type)).toEqual([
      'attempt',
      'headers',
      'block_start',
      'delta',
      'delta',
      'block_stop',
      'block_start',
      'delta',
      'delta',
      'block_stop',
      'usage',
    ]);
    expect(await provider.call(request(), {})).toMatchObject({
      ok: true,
      stopReason: 'end_turn',
      content: [text('Bye')],
    });
    expect(await provider.call(request(), {})).toMatchObject({ ok: false, error: { code: 'script_ended' } });
    expect(provider.requests).toHaveLength(3);
    expect(provider.bodies[0]).toBe(JSON.stringify(provider.preview(request()).body));
  });

  it('answers by the request, fails, and hangs until it is stopped', async () => {
    const provider = createMemoryProvider(async ({ maxOutputTokens }, index) =>
      index === 0
        ? { content: 'part', usage: { uncached: 3 }, error: { code: 'overloaded', class: 'server_error' } }
        : { content: `${maxOutputTokens}`, hang: true },
    );
    expect(await provider.call(request(), {})).toMatchObject({
      ok: false,
      error: { code: 'overloaded' },
      content: [text('part')],
      usage: { uncached: 3, partial: true },
    });
    const controller = new AbortController();
    const calling = provider.call(request(), { signal: controller.signal });
    setTimeout(() => controller.abort());
    expect(await calling).toMatchObject({ ok: false, error: { code: 'cancelled' }, content: [text('4096')] });
  });

  it('stops between two deltas', async () => {
    const controller = new AbortController();
    const result = await createMemoryProvider(['Hello']).call(request(), {
      signal: controller.signal,
      onEvent: ({ type }) => {
        if (type === 'delta') controller.abort();
      },
    });
    expect(result).toMatchObject({ ok: false, error: { class: 'cancelled' } });
    expect(await createMemoryProvider([], { models: [{ id: 'm', label: 'M' }] }).models()).toMatchObject({ ok: true });
  });
});
