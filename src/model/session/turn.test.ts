import { describe, expect, it } from 'vitest';
import { messagesToSend } from './conversation.ts';
import { results, text, toolUse } from './testing/blocks.ts';
import { setup, typesOf } from './testing/setup.ts';

describe('turns', () => {
  it('SE10, SE11: a turn with a tool tells its events in order, each with its cause', async () => {
    const { session, journal, provider } = await setup({
      files: { 'notes.txt': 'Seven.' },
      script: [{ content: [text('Looking.'), toolUse('t1', 'read_file', { path: 'notes.txt' })] }, 'It says seven.'],
    });
    const outcome = await session.send('What is in notes.txt?');
    expect(outcome).toMatchObject({ kind: 'completed', text: 'It says seven.', calls: 2, stopReason: 'end_turn' });
    const events = journal.events.slice(2);
    expect(typesOf(events)).toEqual([
      'turn.started',
      'message.appended',
      'llm.call_started',
      'cache.predicted',
      'request.sent',
      'response.received',
      'llm.call_completed',
      'cache.explained',
      'message.appended',
      'tool.called',
      'tool.completed',
      'message.appended',
      'llm.call_started',
      'cache.predicted',
      'request.sent',
      'response.received',
      'llm.call_completed',
      'cache.explained',
      'message.appended',
      'turn.completed',
    ]);
    const typeOfParent = (index: number): string | undefined =>
      journal.byId(events[index]?.parent_event_id ?? '')?.type;
    expect(events[0]?.parent_event_id).toBeNull();
    expect(typeOfParent(2)).toBe('turn.started');
    expect([3, 4, 5, 6, 9].map(typeOfParent)).toEqual(Array(5).fill('llm.call_started'));
    expect(typeOfParent(7)).toBe('llm.call_completed');
    expect(typeOfParent(10)).toBe('tool.called');
    expect(events[12]?.parent_event_id).toBe(events[2]?.id);
    expect(results(provider.requests[1]?.messages.at(-1)?.content ?? [])[0]).toContain('Seven.');
    expect(events.at(-1)?.payload).toMatchObject({ stop_reason: 'end_turn', llm_call_count: 2, tool_call_count: 1 });
  });

  it('SE12: results are one message in the order of the calls', async () => {
    const { session, provider } = await setup({
      files: { a: 'A', b: 'B' },
      script: [
        {
          content: [
            toolUse('t1', 'read_file', { path: 'b' }),
            toolUse('t2', 'nothing', {}),
            toolUse('t3', 'read_file', { path: 'a' }),
          ],
        },
        'Done.',
      ],
    });
    await session.send('Read');
    const last = provider.requests[1]?.messages.at(-1);
    expect(last?.role).toBe('user');
    expect(last?.content.map((block) => block.type === 'tool_result' && block.toolUseId)).toEqual(['t1', 't2', 't3']);
    expect(results(last?.content ?? [])[1]).toBe("tool 'nothing' not registered");
  });

  it('SE12: a server that gives the same ids again gets them back as others', async () => {
    const call = (path: string) => toolUse('call_0', 'read_file', { path });
    const { session, provider } = await setup({
      files: { a: 'A', b: 'B' },
      script: [{ content: [call('a')] }, { content: [call('b'), call('a'), toolUse('', 'list_dir', {})] }, 'Done.'],
    });
    await session.send('Read');
    const sent = provider.requests[2]?.messages ?? [];
    const made = sent.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
    );
    expect(made[0]).toBe('call_0');
    expect(new Set(made).size).toBe(4);
    for (const id of made.slice(1)) expect(id).toMatch(/^tu_\w+$/);
    expect(
      sent.flatMap(({ content }) =>
        content.flatMap((block) => (block.type === 'tool_result' ? [block.toolUseId] : [])),
      ),
    ).toEqual(made);
    expect([...session.state.tools.keys()]).toEqual(made);
  });

  it('SE13, SE14: stop keeps the text and the usage, and the next turn works', async () => {
    const { session, provider, eventsOf } = await setup({
      script: [
        {
          content: [text('Half an ans'), toolUse('t1', 'list_dir', {})],
          usage: { uncached: 40, output: 3 },
          hang: true,
        },
        'Whole.',
      ],
    });
    const turn = session.send('Go');
    while (provider.requests.length === 0) await Promise.resolve();
    for (let tick = 0; tick < 50; tick++) await Promise.resolve();
    session.stop();
    expect(await turn).toMatchObject({ kind: 'cancelled', reason: 'user_cancel', text: 'Half an ans' });
    expect(eventsOf('llm.call_failed')[0]?.payload).toMatchObject({
      error_class: 'cancelled',
      usage: { uncached: 40, output: 3, partial: true },
    });
    expect(session.state.totals).toMatchObject({ uncached: 40, output: 3 });
    expect(await session.send('Again')).toMatchObject({ kind: 'completed', text: 'Whole.' });
    expect(provider.requests[1]?.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', [text('Go')]],
      ['assistant', [text('Half an ans')]],
      ['user', [text('Again')]],
    ]);
  });

  it('SE13: calls that were not made get a result that says so', async () => {
    const { session, provider } = await setup({
      script: [{ content: [toolUse('t1', 'run_command', { argv: ['make'] })] }, 'Fine.'],
      approve: ({ signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({ decision: 'deny' }))),
      runCommand: () => Promise.resolve({ kind: 'exited', exitCode: 0, output: '' }),
    });
    const turn = session.send('Build');
    while (![...session.state.tools.values()].some(({ confirmation }) => confirmation)) await Promise.resolve();
    session.stop();
    expect(await turn).toMatchObject({ kind: 'cancelled', reason: 'user_cancel' });
    await session.send('Go on');
    expect(provider.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user']);
    expect(results(provider.requests[1]?.messages[2]?.content ?? [])[0]).toContain('cancelled');
  });

  it('SE15: a turn has a limit of calls', async () => {
    const { session, eventsOf } = await setup({
      script: () => ({ content: [toolUse('t', 'list_dir', {})] }),
      plan: { limits: { max_turns: 3 } },
    });
    expect(await session.send('Loop')).toMatchObject({ kind: 'cancelled', reason: 'turn_limit', calls: 3 });
    expect(eventsOf('turn.cancelled')[0]?.payload.message).toContain('limit of 3 calls');
  });

  it('SE15: a turn has a limit of time', async () => {
    const { session, clock, provider } = await setup({
      script: [{ hang: true }, 'Later.'],
      plan: { limits: { wall_clock_seconds: 60 } },
    });
    const turn = session.send('Wait');
    while (provider.requests.length === 0) await Promise.resolve();
    clock.advance(59_000);
    clock.advance(2000);
    expect(await turn).toMatchObject({ kind: 'cancelled', reason: 'timeout' });
    expect(await session.send('Again')).toMatchObject({ kind: 'completed' });
  });

  it('SE15: time in which a person decides does not count', async () => {
    let answer = (): void => {};
    const { session, clock } = await setup({
      script: [{ content: [toolUse('t1', 'run_command', { argv: ['make'] })] }, 'Built.'],
      plan: { limits: { wall_clock_seconds: 60 } },
      approve: () =>
        new Promise((resolve) => {
          answer = () => resolve({ decision: 'allow', scope: 'once' });
        }),
      runCommand: () => Promise.resolve({ kind: 'exited', exitCode: 0, output: 'ok' }),
    });
    const turn = session.send('Build');
    while (![...session.state.tools.values()].some(({ confirmation }) => confirmation)) await Promise.resolve();
    for (let tick = 0; tick < 10; tick++) await Promise.resolve();
    clock.advance(200_000);
    answer();
    expect(await turn).toMatchObject({ kind: 'completed', text: 'Built.' });
  });

  it('SE16: a failed call ends the turn with its cause and what to do; the session continues', async () => {
    const { session, provider, eventsOf } = await setup({
      script: [
        {
          content: 'I was say',
          error: { class: 'server_error', code: 'overloaded', message: 'Overloaded.', nextStep: 'Wait a minute.' },
        },
        'Hello.',
      ],
    });
    expect(await session.send('Hi')).toMatchObject({
      kind: 'cancelled',
      reason: 'error',
      message: 'Overloaded. Wait a minute.',
      text: 'I was say',
    });
    expect(eventsOf('llm.call_failed')[0]?.payload).toMatchObject({ final: true, error_code: 'overloaded' });
    expect(await session.send('Hi again')).toMatchObject({ kind: 'completed' });
    expect(messagesToSend(session.state.threads.get('main')?.messages ?? [])).toHaveLength(4);
    expect(provider.requests).toHaveLength(2);
  });

  it('SE17: attempts that were retried are reported, and only the last failure is final', async () => {
    const overloaded = {
      class: 'server_error',
      code: 'overloaded',
      message: 'Overloaded.',
      nextStep: 'Wait.',
      retryable: true,
    } as const;
    const { session, eventsOf, news } = await setup({
      script: [{ content: 'Fine.' }],
      wrap: (provider) => ({
        ...provider,
        call: (request, options) => {
          const body = JSON.stringify(provider.preview(request).body);
          for (const attempt of [1, 2]) {
            options.onEvent?.({ type: 'attempt', attempt, url: 'memory:', body, at: 0 });
            options.onEvent?.({ type: 'attempt_failed', attempt, error: overloaded, retryInMs: 500 });
          }
          return provider.call(request, options);
        },
      }),
    });
    expect(await session.send('Hi')).toMatchObject({ kind: 'completed' });
    expect(eventsOf('llm.call_failed').map(({ payload }) => [payload.final, payload.retry_count])).toEqual([
      [false, 0],
      [false, 1],
    ]);
    expect(eventsOf('request.sent')).toHaveLength(3);
    expect(news.filter(({ type }) => type === 'retry')).toHaveLength(2);
    expect(session.state.calls[0]?.status).toBe('completed');
  });

  it('SE18: one turn at a time, and none after the end', async () => {
    const { session, journal, provider } = await setup({ script: [{ hang: true }] });
    const turn = session.send('First');
    while (provider.requests.length === 0) await Promise.resolve();
    expect(await session.send('Second')).toMatchObject({ kind: 'refused' });
    session.stop();
    await turn;
    session.end('completed');
    const { length } = journal.events;
    expect(await session.send('Third')).toMatchObject({ kind: 'refused' });
    expect(journal.events).toHaveLength(length);
  });

  it('SE19: a defect ends the turn and not the session', async () => {
    let broken = true;
    const { session, log } = await setup({
      script: () => {
        if (broken) throw new Error('a bug');
        return 'Fine.';
      },
    });
    expect(await session.send('Hi')).toMatchObject({ kind: 'cancelled', reason: 'error' });
    expect(log.some(({ code }) => code === 'turn.defect')).toBe(true);
    broken = false;
    expect(await session.send('Hi')).toMatchObject({ kind: 'completed' });
  });
});

describe('money', () => {
  it('SE40: the limit is looked at before every call', async () => {
    const { session, provider, eventsOf } = await setup({
      script: ['One.', 'Two.'],
      settings: { token_limit: 5000 },
    });
    await session.send('First');
    const spent = eventsOf('cache.predicted')[0]?.payload.uncached ?? 0;
    expect(spent).toBeGreaterThan(0);
    session.change({ token_limit: 10 });
    expect(await session.send('Second')).toMatchObject({ kind: 'cancelled', reason: 'spending_limit' });
    expect(provider.requests).toHaveLength(1);
    expect(session.state.turns.at(-1)?.message).toContain('Raise the limit');
  });

  it('SE40: money counts with what the next prompt will cost', async () => {
    const { session, provider } = await setup({ script: ['One.'], settings: { spending_limit_usd: 0.000001 } });
    expect(await session.send('First')).toMatchObject({ kind: 'cancelled', reason: 'spending_limit' });
    expect(provider.requests).toHaveLength(0);
  });

  it('SE41: without a price a limit in money cannot be kept', async () => {
    const { session } = await setup({
      script: ['One.'],
      settings: { model: 'some-local-model', spending_limit_usd: 5 },
    });
    const outcome = await session.send('First');
    expect(outcome).toMatchObject({ kind: 'cancelled', reason: 'spending_limit' });
    expect('message' in outcome && outcome.message).toContain('price of this model is unknown');
  });

  it('SE42: what has no price is counted as such, and never as zero', async () => {
    const usage = { uncached: 2000, output: 100 };
    const { session, eventsOf } = await setup({
      script: [
        { content: 'One.', usage },
        { content: 'Two.', usage },
      ],
      settings: { model: 'claude-haiku-4-5' },
    });
    await session.send('First');
    session.change({ model: 'some-local-model' });
    await session.send('Second');
    // $1 and $5 for a million tokens in and out.
    const [first, second] = eventsOf('llm.call_completed').map(({ payload }) => payload.cost_usd);
    expect(first).toBeCloseTo(0.002 + 0.0005, 12);
    expect(second).toBeNull();
    expect(session.state.totals).toMatchObject({ calls: 2, costUsd: first, unpriced: 1 });
  });
});
