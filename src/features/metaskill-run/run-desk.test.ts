import { describe, expect, it } from 'vitest';
import type { HostSkill } from '../../model/metaskill/host-types.ts';
import type { MetaskillRun, SessionsState, SessionStore } from '../../stores/session-types.ts';
import { createRunDesk } from './run-desk.ts';

const skill = (name: string, body: string): HostSkill => ({
  name,
  body,
  metaskill: undefined,
  refusal: undefined,
  readProgram: () => Promise.resolve({ ok: true, text: '' }),
});

const setup = () => {
  let state = { runs: [], selection: {} } as unknown as SessionsState;
  const listeners = new Set<(state: SessionsState, before: SessionsState) => void>();
  const asked: unknown[] = [];
  const sessions = {
    getState: () => state,
    getInitialState: () => state,
    subscribe: (listener: (state: SessionsState, before: SessionsState) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: () => undefined,
    stopOnEntry: () => asked.push('stop on entry'),
    runMetaskill: (args: unknown) => {
      asked.push(args);
      return Promise.resolve({ result: 'error: no', ok: false, steps: [], trace: [], printed: [], notes: [] });
    },
  } as unknown as SessionStore;
  const change = (next: Partial<SessionsState>): void => {
    const before = state;
    state = { ...state, ...next };
    for (const listener of listeners) listener(state, before);
  };
  const skills = [
    skill('gate', 'Input keys:\n\n- `task`: what to do\n- `n`: optional number'),
    skill('plain', 'Input keys: none'),
  ];
  return { desk: createRunDesk({ sessions, skills: () => skills }), asked, change };
};

describe('the shared choice of Metaskills', () => {
  it('MR2: another metaskill leaves run and moment of the previous one', () => {
    const { desk, change } = setup();
    desk.chooseSkill('gate');
    desk.goTo('line 3');
    desk.chooseSkill('gate');
    expect(desk.getState().moment).toBe('line 3');
    desk.chooseSkill('plain');
    expect(desk.getState()).toMatchObject({ name: 'plain', runId: undefined, moment: undefined });
    change({ runs: [{ name: 'gate', toolUseId: 'r' } as MetaskillRun] });
    expect(desk.getState()).toMatchObject({ name: 'gate', runId: undefined, moment: undefined });
  });

  it('MR3: it runs with what was entered; a faulty field stops it and is named', async () => {
    const { desk, asked } = setup();
    await desk.start('gate');
    expect(asked).toEqual([]);
    expect(desk.getState().faults).toMatchObject({ name: 'gate', list: [{ name: 'task' }], times: 1 });
    const gate = skill('gate', 'Input keys:\n\n- `task`: what to do\n- `n`: optional number');
    desk.change(gate, { values: { task: 'Go', n: '' }, asks: '7' });
    expect(desk.getState().faults).toBeUndefined();
    await desk.start('gate', { stops: true });
    expect(asked).toEqual(['stop on entry', { name: 'gate', input: { task: 'Go' }, max_ask_calls: 7 }]);
    // A run that never began says why.
    expect(desk.getState().refusal).toEqual({ name: 'gate', text: 'error: no' });
    await desk.start('nobody');
    expect(asked).toHaveLength(2);
  });
});
