import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exportJsonl, importJsonl } from '../event/jsonl.ts';
import type { LatheEvent } from '../event/types.ts';
import { bodyOf, deltaOf } from '../event/body-delta.ts';
import { forkEvents } from './fork.ts';
import { replay } from './state.ts';
import { toolUse } from './testing/blocks.ts';
import { setup, skillFile } from './testing/setup.ts';

const files = {
  'skills/alpha/SKILL.md': skillFile('alpha', 'Alpha body.'),
  'skills/beta/SKILL.md': skillFile('beta', 'B.'),
};
const load = (id: string, name: string) => ({
  content: [{ type: 'tool_use' as const, id, name: 'skill_load', input: { name } }],
});

const twoTurns = () =>
  setup({ files, script: [load('t1', 'alpha'), 'One.', load('t2', 'beta'), 'Two.'], plan: { title: 'Two turns' } });

describe('bodies', () => {
  it('SE51: a difference gives the body back', () => {
    const piece = fc.constantFrom('a', 'b', '"', 'é', '😀', '{"x":1}');
    const textOf = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(textOf, textOf, (base, body) => {
        const { keepStart, keepEnd, text } = deltaOf(base, body);
        expect(base.slice(0, keepStart) + text + base.slice(base.length - keepEnd)).toBe(body);
      }),
    );
  });

  it('SE51: every body of a session can be rebuilt, and is kept as little more than what was new', async () => {
    const { session, eventsOf, journal, provider } = await setup({ script: () => 'A fine answer.' });
    for (let turn = 0; turn < 20; turn++) await session.send(`Question ${turn}`);
    const sent = eventsOf('request.sent');
    expect(sent.map((event) => bodyOf(event, journal.byId))).toEqual(provider.bodies);
    const [, ...later] = sent.map(({ payload }) => payload.text.length);
    expect(Math.max(...later)).toBeLessThan(400);
  });

  it('SE51: a foreign journal whose bodies build on themselves, or keep what is not there, gives nothing', async () => {
    const { session, eventsOf } = await setup({ script: () => 'A fine answer.' });
    await session.send('One');
    await session.send('Two');
    const [first, second] = eventsOf('request.sent');
    if (!first || !second) throw new Error('two requests were expected');
    const built = (...events: (typeof first)[]): string | undefined =>
      bodyOf(events[0] ?? first, (id) => events.find((event) => event.id === id));
    const over = (event: typeof first, payload: Partial<typeof first.payload>): typeof first => ({
      ...event,
      payload: { ...event.payload, ...payload },
    });
    expect(built(second, first)).toBeTypeOf('string');
    expect(built(over(second, { base_event_id: second.id }))).toBeUndefined();
    expect(built(second, over(first, { base_event_id: second.id }))).toBeUndefined();
    expect(built(over(second, { keep_start: 1e9, keep_end: 1e9 }), first)).toBeUndefined();
    expect(built(over(second, { keep_start: -1 }), first)).toBeUndefined();
  });
});

describe('reopening', () => {
  it('SE52: a session from its export is the same, and continues', async () => {
    const first = await twoTurns();
    await first.session.send('First');
    const imported = importJsonl(exportJsonl(first.journal.events, { content: 'all' }));
    expect(imported.ok).toBe(true);
    if (!imported.ok || imported.value.content !== 'all') throw new Error('not a whole journal');
    expect(imported.value.faults).toEqual([]);
    expect(imported.value.events).toEqual(first.journal.events);
    // The ids of responses continue where they were.
    const script = [
      { ...load('t2', 'beta'), responseId: 'msg_3' },
      { content: 'Two.', responseId: 'msg_4' },
    ];
    const second = await setup({ files, script, events: imported.value.events });
    await second.session.send('Second');
    await first.session.send('Second');
    expect(second.provider.bodies).toEqual(first.provider.bodies.slice(2));
    expect(second.session.state.threads.get('main')?.activation).toEqual(
      first.session.state.threads.get('main')?.activation,
    );
    expect(second.session.state.totals).toEqual(first.session.state.totals);
  });

  it('SE52: a turn that ran when it was left is interrupted', async () => {
    const { journal, session } = await twoTurns();
    await session.send('First');
    const cut = journal.events.slice(
      0,
      journal.events.findIndex(({ type }) => type === 'turn.completed'),
    );
    const again = await setup({ files, script: ['More.'], events: cut });
    expect(again.session.state.turns[0]?.status).toBe('interrupted');
    expect(await again.session.send('Go on')).toMatchObject({ kind: 'completed' });
  });

  it('SE52: wherever a session was left, every call has a result when it continues', async () => {
    const { journal, session } = await twoTurns();
    await session.send('First');
    const { events } = journal;
    let cutInCall = 0;
    for (let length = events.findIndex(({ type }) => type === 'turn.started'); length <= events.length; length++) {
      const again = await setup({ files, script: ['More.'], events: events.slice(0, length) });
      const tools = [...again.session.state.tools.values()];
      expect(tools.filter(({ status }) => status === 'running' || status === 'waiting')).toEqual([]);
      expect(replay('s', again.journal.events)).toMatchObject({ tools: again.session.state.tools });
      expect(await again.session.send('Go on')).toMatchObject({ kind: 'completed' });
      const blocks = again.provider.requests[0]?.messages.flatMap(({ content }) => content) ?? [];
      const asked = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
      const answers = blocks.filter((block) => block.type === 'tool_result');
      expect(answers.map(({ toolUseId }) => toolUseId)).toEqual(asked);
      if (answers.some(({ text }) => text.includes('was left'))) cutInCall++;
    }
    expect(cutInCall).toBeGreaterThan(1);
  });

  it('SE52: a question that was open is answered when the session continues', async () => {
    const waiting = await setup({
      files,
      approve: () => new Promise(() => {}),
      runCommand: () => Promise.reject(new Error('not reached')),
      script: [{ content: [toolUse('t1', 'run_command', { argv: ['npm', 'test'] })] }],
    });
    const asked = new Promise<void>((resolve) => {
      waiting.journal.subscribe(({ type }) => type === 'tool.confirmation_requested' && resolve());
    });
    void waiting.session.send('Run it');
    await asked;
    const again = await setup({ files, script: ['More.'], events: [...waiting.journal.events] });
    expect(again.session.state.tools.get('t1')).toMatchObject({ status: 'failed' });
    expect(again.session.state.tools.get('t1')).not.toHaveProperty('confirmation');
    expect(await again.session.send('Go on')).toMatchObject({ kind: 'completed' });
    expect(again.provider.requests[0]?.messages[2]?.content[0]).toMatchObject({
      type: 'tool_result',
      toolUseId: 't1',
      isError: true,
    });
  });

  it('SE50: every prefix of a journal can be replayed', async () => {
    const { journal, session } = await twoTurns();
    await session.send('First');
    await session.send('Second');
    for (let length = 0; length <= journal.events.length; length++)
      expect(replay('s', journal.events.slice(0, length)).lastEventId).toBe(journal.events[length - 1]?.id);
  });
});

describe('forks', () => {
  it('SE53: a fork has the conversation and the budget of its turn', async () => {
    const { journal, session } = await twoTurns();
    await session.send('First');
    await session.send('Second');
    const [first] = session.state.turns;
    const events = forkEvents(journal.events, first?.id ?? '', 'sess_fork');
    expect(events).toBeDefined();
    const state = replay('sess_fork', events ?? []);
    expect(state.threads.get('main')?.activation.activated.map(({ name }) => name)).toEqual(['alpha']);
    expect(state.turns).toHaveLength(1);
    expect(state.config?.forked_from).toEqual({ session_id: 'sess_test', turn_id: first?.id });
    expect(events?.every(({ session_id: id }: LatheEvent) => id === 'sess_fork')).toBe(true);
    const fork = await setup({ files, script: ['Other.'], events: events ?? [], sessionId: 'sess_fork' });
    expect(await fork.session.send('Instead')).toMatchObject({ kind: 'completed', text: 'Other.' });
    expect(fork.provider.requests[0]?.messages).toHaveLength(5);
  });

  it('SE53: there is no fork from a turn that is not there or has not ended', async () => {
    const { journal, session } = await twoTurns();
    await session.send('First');
    expect(forkEvents(journal.events, 'nobody', 'x')).toBeUndefined();
    expect(forkEvents(journal.events.slice(0, 5), session.state.turns[0]?.id ?? '', 'x')).toBeUndefined();
  });
});
