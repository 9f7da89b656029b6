import { describe, expect, it } from 'vitest';
import type { ToolUseBlock } from '../provider/types.ts';
import { setup, skillFile } from '../session/testing/setup.ts';
import { budgetThreads, budgetView } from './budget-view.ts';

const load = (id: string, name: string): ToolUseBlock => ({
  type: 'tool_use',
  id,
  name: 'skill_load',
  input: { name },
});
const files = Object.fromEntries(
  ['alpha', 'beta', 'gamma', 'delta', 'loop'].map((name) => [
    `skills/${name}/SKILL.md`,
    skillFile(name, `Input keys:\n\n- \`task\`: what\n\n${'word '.repeat(80)}`),
  ]),
);

describe('activation budget', () => {
  it('BU1: slots fill in the order of activation', async () => {
    const { session, journal } = await setup({ files, script: [{ content: [load('t1', 'beta')] }, 'Done.'] });
    const empty = budgetView(session.state, journal.events);
    expect(empty.slots).toEqual([undefined, undefined, undefined]);
    await session.send('Go');
    const view = budgetView(session.state, journal.events);
    expect(view.slots[0]).toMatchObject({ name: 'beta' });
    expect(view).toMatchObject({ used: 1, level: 'free', refused: [], warn: 10_000, cap: 30_000 });
    expect(view.tokens).toBe(view.slots[0]?.tokens);
  });

  it('BU1: preloaded skills take no slot', async () => {
    const { session, journal } = await setup({ files, plan: { padding: 'spec' }, script: ['Done.'] });
    const view = budgetView(session.state, journal.events);
    expect(view.preloaded.map(({ name }) => name)).toContain('alpha');
    expect(view.preloaded[0]?.tokens).toBeGreaterThan(50);
    expect(view.used).toBe(0);
  });

  it('BU2: a refusal names the skill, the limit and the message', async () => {
    const { session, journal } = await setup({
      files,
      script: [{ content: ['alpha', 'beta', 'gamma', 'delta'].map((name, index) => load(`t${index}`, name)) }, 'Done.'],
    });
    await session.send('Go');
    const view = budgetView(session.state, journal.events);
    expect(view.level).toBe('full');
    expect(view.refused).toMatchObject([{ name: 'delta', cap: 'count' }]);
    expect(view.refused[0]?.message).toContain('activation budget exhausted');
  });

  it('BU3: an ask has its own', async () => {
    const { session, journal } = await setup({
      files: { ...files, 'skills/loop/SKILL.star': 'def run(input):\n    return "ok"\n' },
      program: async ({ ask }) => {
        await ask('one');
        return 'ok';
      },
      script: [
        {
          content: [
            { type: 'tool_use', id: 'r', name: 'run_metaskill', input: { name: 'loop', input: { task: 'x' } } },
          ],
        },
        { content: [load('n1', 'alpha')] },
        'Nested.',
        'Done.',
      ],
    });
    await session.send('Go');
    const threads = budgetThreads(session.state);
    expect(threads.map(({ label }) => label)).toEqual(['This session', 'Ask 1 of a metaskill']);
    expect(budgetView(session.state, journal.events).used).toBe(0);
    expect(budgetView(session.state, journal.events, threads[1]?.id).slots[0]?.name).toBe('alpha');
  });
});
