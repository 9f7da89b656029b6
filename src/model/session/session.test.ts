import { createNeighbors } from './verdicts.ts';
import { describe, expect, it } from 'vitest';
import { replay } from './state.ts';
import { skills, toolUse } from './testing/blocks.ts';
import { setup, typesOf } from './testing/setup.ts';

describe('start', () => {
  it('SE1: pre-activation is reported behind session.started and before the first turn, in name order', async () => {
    const { session, journal } = await setup({ files: skills, script: ['Hello.'], plan: { padding: 'spec' } });
    await session.send('Hi');
    const types = typesOf(journal.events);
    expect(types.slice(0, 2)).toEqual(['session.started', 'session.configured']);
    const loaded = journal.events.filter(({ type }) => type === 'skill.loaded');
    expect(loaded.map(({ payload }) => 'skill_id' in payload && payload.skill_id)).toEqual([
      'alpha',
      'beta',
      'delta',
      'gamma',
    ]);
    expect(loaded.every((event) => event.turn_id === null && event.type === 'skill.loaded')).toBe(true);
    expect(loaded[0]?.payload).toMatchObject({
      load_reason: 'always',
      triggered_by_tool_use_id: null,
      source: 'workspace',
    });
    expect(types.lastIndexOf('skill.loaded')).toBeLessThan(types.indexOf('turn.started'));
    expect(journal.events[0]?.payload).toMatchObject({ workspace_path: 'desk' });
  });

  it('TO112, TO114: a tool that the session goes without is neither sent nor there', async () => {
    const { session, provider, eventsOf } = await setup({
      files: skills,
      script: [{ content: [toolUse('t1', 'list_dir', {})] }, 'Done.'],
      plan: { withoutTools: ['list_dir'] },
    });
    await session.send('Look around');
    expect(provider.requests[0]?.tools.map(({ name }) => name)).not.toContain('list_dir');
    expect(eventsOf('tool.completed')).toHaveLength(0);
    expect(eventsOf('tool.failed')).toHaveLength(1);
  });

  it('SE2: what may change holds from the next request on', async () => {
    const { session, provider, eventsOf } = await setup({ files: skills, script: ['One.', 'Two.'] });
    await session.send('First');
    session.change({
      model: 'claude-opus-5-5',
      cache: { mode: 'rolling', ttl: { tools: '1h', system: '1h', messages: '5m' } },
    });
    await session.send('Second');
    expect(provider.requests.map(({ model, cache }) => [model, cache.mode])).toEqual([
      ['claude-haiku-4-5', 'static'],
      ['claude-opus-5-5', 'rolling'],
    ]);
    expect(eventsOf('session.settings_changed')).toHaveLength(1);
    expect(provider.requests[1]?.system.stable).toBe(provider.requests[0]?.system.stable);
  });

  it('SE3: two sessions over one folder send the same tools and stable prompt, on every turn', async () => {
    const run = async (files: Readonly<Record<string, string>>) => {
      const { session, provider } = await setup({ files, script: ['One.', 'Two.'], plan: { padding: 'spec' } });
      await session.send('First');
      await session.send('Second');
      return provider.requests.map(({ tools, system }) => JSON.stringify([tools, system.stable]));
    };
    const first = await run(skills);
    const second = await run(Object.fromEntries(Object.entries(skills).toReversed()));
    expect(new Set([...first, ...second]).size).toBe(1);
  });

  it('SE4: memory is read once per turn, and the date is that of the start', async () => {
    const { session, provider, tree, clock } = await setup({
      files: { 'MEMORY.md': 'The cat is called Ada.' },
      script: [{ content: [toolUse('t1', 'list_dir', {})] }, 'One.', 'Two.'],
    });
    await session.send('First');
    await tree.write('MEMORY.md', new TextEncoder().encode('The cat is called Grace.'));
    clock.advance(24 * 3_600_000);
    await session.send('Second');
    const volatile = provider.requests.map(({ system }) => system.volatile);
    expect(volatile[0]).toBe(volatile[1]);
    expect(volatile[0]).toContain('Ada');
    expect(volatile[2]).toContain('Grace');
    expect(volatile.every((value) => value.includes('Date: 2026-11-16'))).toBe(true);
  });
});

describe('shadow', () => {
  it('SE60: a verdict names the request that it was held against; another session is a start', async () => {
    const plan = { padding: 'spec' } as const;
    const read = { content: 'Two.', usage: { read: 5000, uncached: 60 } };
    const written = { content: 'One.', usage: { writes: { '5m': 5000 }, uncached: 50 } };
    const first = await setup({ files: skills, plan, script: [written, read] });
    await first.session.send('First');
    await first.session.send('Second');
    const [start, hit] = first.eventsOf('cache.explained').map(({ payload }) => payload);
    expect(start).toMatchObject({ kind: 'start', cause: 'chain-start', previous_request_id: null });
    expect(hit?.previous_request_id).toBe(first.session.state.calls[0]?.requestId);
    const second = await setup({ files: skills, plan, script: [read], shadow: first.shadow, sessionId: 'sess_other' });
    await second.session.send('Third');
    expect(second.eventsOf('cache.explained')[0]?.payload).toMatchObject({ kind: 'start', cause: 'chain-start' });
  });

  it('SE61: without a prediction the call is made all the same', async () => {
    const { session, log, eventsOf } = await setup({
      script: ['One.'],
      shadow: {
        begin: () => Promise.resolve(undefined),
        forecast: () => Promise.resolve(undefined),
        change: () => Promise.resolve(undefined),
        sizes: () => ({ hidden: 0, blocks: [] }),
        measure: () => Promise.resolve(undefined),
        counted: () => {
          throw new Error('nothing is forecast here');
        },
        entries: () => [],
        ofSession: (_session, entries) => entries,
        neighbors: createNeighbors(),
        clear: () => {},
      },
    });
    expect(await session.send('Hi')).toMatchObject({ kind: 'completed' });
    expect(eventsOf('cache.predicted')).toHaveLength(0);
    expect(log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('replay', () => {
  it('SE50: replaying gives the live state, at every point', async () => {
    const { session, journal } = await setup({
      files: skills,
      script: [
        {
          content: [
            toolUse('t1', 'skill_load', { name: 'alpha' }),
            toolUse('t2', 'write_file', { path: 'a.txt', content: 'A' }),
          ],
        },
        { error: { message: 'No.' }, content: 'par' },
        'Two.',
      ],
    });
    await session.send('First');
    expect(replay('sess_test', journal.events)).toEqual(session.state);
    session.change({ effort: 'high' });
    await session.send('Second');
    session.rename('A title');
    session.end('completed');
    expect(replay('sess_test', journal.events)).toEqual(session.state);
  });

  it('EX75, COST3: a server that reports no usage: unknown in events, numbers and verdict, never zero', async () => {
    const { session, eventsOf } = await setup({
      script: ['One.', 'Two.'],
      wrap: (provider) => ({
        ...provider,
        call: async (request, options) => {
          const { usage: _usage, ...result } = await provider.call(request, options);
          return result;
        },
      }),
    });
    await session.send('Hello');
    await session.send('And again');
    expect(eventsOf('llm.call_completed').map(({ payload }) => payload)).toMatchObject(
      Array.from({ length: 2 }, () => ({
        usage: null,
        input_tokens: null,
        output_tokens: null,
        cached_input_tokens: null,
        cache_creation_input_tokens: null,
        cost_usd: null,
      })),
    );
    expect(session.state.calls.map(({ usage, costUsd }) => [usage, costUsd])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(session.state.totals.unpriced).toBe(2);
    const verdicts = eventsOf('cache.explained').map(({ payload }) => payload);
    expect(verdicts.map(({ kind }) => kind)).toEqual(['unknown', 'unknown']);
    expect(verdicts[1]).toMatchObject({ usage_says: null });
    expect(verdicts[1]?.evidence.join(' ')).toContain('The provider reported no usage');
  });
});
