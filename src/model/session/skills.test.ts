import { describe, expect, it } from 'vitest';
import { results, skills, text, toolUse } from './testing/blocks.ts';
import { setup } from './testing/setup.ts';

describe('skills', () => {
  it('D19: parallel loads in one message cannot pass the cap together', async () => {
    const names = ['alpha', 'beta', 'gamma', 'delta'];
    const { session, provider, eventsOf } = await setup({
      files: skills,
      script: [{ content: names.map((name, index) => toolUse(`t${index}`, 'skill_load', { name })) }, 'Done.'],
    });
    await session.send('Load all');
    expect(eventsOf('skill.loaded').map(({ payload }) => payload.skill_id)).toEqual(['alpha', 'beta', 'gamma']);
    const last = provider.requests[1]?.messages.at(-1)?.content ?? [];
    expect(last.map((block) => block.type === 'tool_result' && block.isError)).toEqual([false, false, false, true]);
    expect(results(last)[3]).toBe(
      'activation budget exhausted: 3 skills already activated this session (limit 3). Already loaded: [alpha, beta, gamma]. To free budget, summarize and discard previously loaded skill bodies in your next response.',
    );
    expect(eventsOf('tool.failed')[0]?.payload.error_message).toContain('activation budget exhausted');
  });

  it('D18: a load emits exactly one event with its call; a second load gives a pointer and none', async () => {
    const { session, provider, eventsOf } = await setup({
      files: skills,
      script: [
        { content: [toolUse('t1', 'skill_load', { name: 'alpha' })] },
        { content: [toolUse('t2', 'skill_load', { name: 'alpha' })] },
        'Done.',
      ],
    });
    await session.send('Load');
    expect(eventsOf('skill.loaded').map(({ payload }) => payload)).toMatchObject([
      { skill_id: 'alpha', load_reason: 'on_demand', triggered_by_tool_use_id: 't1', source: 'workspace' },
    ]);
    expect(results(provider.requests[1]?.messages.at(-1)?.content ?? [])[0]).toBe(
      '# Skill: alpha (source: workspace)\n\nAlpha body.\n',
    );
    expect(results(provider.requests[2]?.messages.at(-1)?.content ?? [])[0]).toContain(
      'already loaded in the conversation',
    );
    expect(session.state.threads.get('main')?.activation.activated).toHaveLength(1);
  });

  it('SE20, SE21: a mention is a load made for the user', async () => {
    const { session, provider, eventsOf } = await setup({ files: skills, script: ['Done.'] });
    await session.send('please $alpha and $alpha and $unknown now');
    expect(eventsOf('skill.loaded')).toHaveLength(1);
    expect(eventsOf('tool.called')).toHaveLength(1);
    const [user, assistant, result] = provider.requests[0]?.messages ?? [];
    expect(user?.content).toEqual([text('please $alpha and $alpha and $unknown now')]);
    expect(assistant?.content).toMatchObject([{ type: 'tool_use', name: 'skill_load', input: { name: 'alpha' } }]);
    expect(results(result?.content ?? [])[0]).toContain('Alpha body.');
  });

  it('SE21, SE23: a mention beyond the budget is refused as a result, and told before sending', async () => {
    const { session, provider } = await setup({ files: skills, script: ['Done.'] });
    const message = '$alpha $beta $gamma $delta';
    expect(session.mentions(message).map(({ name, decision }) => [name, decision.kind])).toEqual([
      ['alpha', 'load'],
      ['beta', 'load'],
      ['gamma', 'load'],
      ['delta', 'refused'],
    ]);
    await session.send(message);
    const result = provider.requests[0]?.messages.at(-1)?.content ?? [];
    expect(results(result)[3]).toContain('activation budget exhausted');
  });

  it('SE22: where the model thinks, the body is text of the message', async () => {
    const { session, provider, eventsOf } = await setup({
      files: skills,
      script: ['Done.'],
      settings: { model: 'claude-opus-5-5', thinking: { mode: 'adaptive' } },
    });
    await session.send('please $alpha');
    expect(eventsOf('skill.loaded')[0]?.payload).toMatchObject({ skill_id: 'alpha', triggered_by_tool_use_id: null });
    expect(provider.requests[0]?.messages).toHaveLength(1);
    expect(provider.requests[0]?.messages[0]?.content).toEqual([
      text('please $alpha'),
      text('# Skill: alpha (source: workspace)\n\nAlpha body.\n'),
    ]);
  });

  it('SE22: where the model thinks, a mention beyond the budget leaves an event, and a later load points to the message', async () => {
    const { session, provider, eventsOf } = await setup({
      files: skills,
      script: ['Done.', { content: [toolUse('t1', 'skill_load', { name: 'alpha' })] }, 'Done.'],
      settings: { model: 'claude-opus-5-5', thinking: { mode: 'adaptive' } },
    });
    await session.send('$alpha $beta $gamma $delta');
    expect(
      eventsOf('skill.refused').map(({ payload, turn_id: turn }) => [payload.skill_id, payload.cap, turn]),
    ).toEqual([['delta', 'count', session.state.turns[0]?.id]]);
    await session.send('Again.');
    const [pointer = ''] = results(provider.requests[2]?.messages.at(-1)?.content ?? []);
    expect(pointer).toContain('already loaded');
    expect(pointer).not.toContain('tool_result');
  });
});
