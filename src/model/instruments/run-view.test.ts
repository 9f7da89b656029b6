import { describe, expect, it } from 'vitest';
import type { ToolUseBlock } from '../provider/types.ts';
import { setup, skillFile } from '../session/testing/setup.ts';
import { compareSteps, compareValues, inputOfArgs, readEnvelope, runOfSelection, runViews } from './run-view.ts';

const files = {
  'skills/loop/SKILL.md': skillFile('loop', 'Input keys:\n\n- `task`: what to do'),
  'skills/loop/SKILL.star': 'def run(input):\n    return "ok"\n',
};
const run = (id: string, task: string): ToolUseBlock => ({
  type: 'tool_use',
  id,
  name: 'run_metaskill',
  input: { name: 'loop', input: { task }, max_ask_calls: 2 },
});

const runTwice = async () => {
  const started = await setup({
    files,
    program: async ({ ask, trace, input }) => {
      const { task } = input as { task: string };
      trace('begin', { task });
      const { answer } = await ask(`Do ${task}`, { purpose: 'draft' });
      return { status: 'accepted', answer: String(answer) };
    },
    script: [{ content: [run('r1', 'one')] }, 'A.', { content: [run('r2', 'two')] }, 'B.', 'Done.'],
  });
  await started.session.send('Go');
  return { ...started, views: runViews(started.session.state, started.journal.events) };
};

describe('runs', () => {
  it('RU1: a run is its events, in the order of their beginnings', async () => {
    const { views } = await runTwice();
    expect(views.map(({ id, number, name, status, isDirect }) => [id, number, name, status, isDirect])).toEqual([
      ['r1', 1, 'loop', 'accepted', false],
      ['r2', 2, 'loop', 'accepted', false],
    ]);
    expect(views[0]?.items.map(({ kind, label }) => [kind, label])).toEqual([
      ['trace', 'begin'],
      ['ask', 'draft'],
    ]);
    expect(views[0]?.items[1]).toMatchObject({ request: 'Do one', response: 'A.', ok: true });
  });

  it('RU1: a person’s run is known as one', async () => {
    const { session, journal } = await setup({ files, program: () => 'ok', script: [] });
    await session.runMetaskill({ name: 'loop', input: { task: 'x' } });
    const [view] = runViews(session.state, journal.events);
    expect(view).toMatchObject({ isDirect: true, status: 'ok', items: [], args: undefined });
  });

  it('RU2: asks are counted against the budget', async () => {
    const { views } = await runTwice();
    expect(views[0]?.asks).toEqual({ used: 1, most: 2 });
    expect(views[0]?.commands).toEqual({ used: 0, most: 10 });
  });

  it('RU2: also while it runs', async () => {
    const { views, journal, session } = await runTwice();
    const until = journal.events.findIndex(({ type }) => type === 'metaskill.finished');
    const [running] = runViews(session.state, journal.events.slice(0, until));
    expect(running?.status).toBeUndefined();
    expect(running?.asks).toEqual(views[0]?.asks);
  });

  it('RU3: the envelope is read into its fields', async () => {
    const { views } = await runTwice();
    const envelope = readEnvelope(views[0]?.result ?? '');
    expect(envelope).toMatchObject({ status: 'accepted', isError: false });
    expect(envelope.fields.map(([key]) => key)).toEqual(['status', 'answer', 'trace']);
    expect(readEnvelope('error: ask budget exhausted')).toMatchObject({
      isError: true,
      message: 'ask budget exhausted',
    });
    expect(readEnvelope('no JSON at all')).toMatchObject({ isError: false, fields: [] });
  });

  it('RU4: two runs side by side', async () => {
    const { views } = await runTwice();
    const [a, b] = views;
    if (!a || !b) throw new Error('no runs');
    expect(compareValues(inputOfArgs(a.args), inputOfArgs(b.args))).toEqual([
      { name: 'task', a: 'one', b: 'two', isSame: false },
    ]);
    expect(compareSteps(a, b).map(({ isSame }) => isSame)).toEqual([false, false]);
    expect(compareSteps(a, a).every(({ isSame }) => isSame)).toBe(true);
    expect(compareValues({ x: 1 }, { y: [2] })).toEqual([
      { name: 'x', a: '1', b: undefined, isSame: false },
      { name: 'y', a: undefined, b: '[2]', isSame: false },
    ]);
  });

  it('RU8: a selection is about a run by an event of it, by its ask, or by its turn', async () => {
    const { views, session } = await runTwice();
    const { state } = session;
    const chosen = (selection: Parameters<typeof runOfSelection>[2]) => runOfSelection(state, views, selection)?.id;
    const outer = state.turns.find(({ nestedIn }) => nestedIn === undefined)?.id ?? '';
    const ask = state.turns.find(({ nestedIn }) => nestedIn === 'r1')?.id ?? '';
    expect(chosen({ turnId: outer })).toBe('r2');
    expect(chosen({ turnId: ask })).toBe('r1');
    expect(chosen({ turnId: outer, eventId: views[0]?.items[0]?.id ?? '' })).toBe('r1');
    expect(chosen({ turnId: 'of no run' })).toBeUndefined();
    expect(chosen({})).toBeUndefined();
  });
});
