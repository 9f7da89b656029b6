import { describe, expect, it } from 'vitest';
import type { WorkspaceView } from '../../model/workspace/workspace-view.ts';
import type { Breakpoint } from '../../model/starlark/engine.ts';
import type { MetaskillRun, SessionsState, SessionStore } from '../../stores/session-types.ts';
import { createEditorBreakpoints, followPauses } from './editor-breakpoints.ts';

const view = {
  library: {
    store: {
      list: () => [
        { skill: { name: 'gate', metaskill: { program: 'SKILL.star' } }, layer: 'project', path: 'skills/gate' },
        { skill: { name: 'plain' }, layer: 'project', path: 'skills/plain' },
      ],
    },
  },
} as unknown as WorkspaceView;

const setup = () => {
  let state: Pick<SessionsState, 'runs' | 'breakpoints'> = { runs: [], breakpoints: {} };
  const listeners = new Set<(state: SessionsState, before: SessionsState) => void>();
  const change = (next: Partial<typeof state>): void => {
    const before = state;
    state = { ...state, ...next };
    for (const listener of listeners) listener(state as SessionsState, before as SessionsState);
  };
  const sessions: Pick<SessionStore, 'getState' | 'setBreakpoints' | 'subscribe'> = {
    getState: () => state as SessionsState,
    setBreakpoints: (name: string, points: readonly Breakpoint[]) =>
      change({ breakpoints: { ...state.breakpoints, [name]: points } }),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { deps: { view: () => view, sessions }, sessions, change, state: () => state };
};

const PROGRAM = 'skills/gate/SKILL.star';

describe('breakpoints of the editor', () => {
  it('are those of the runs of that metaskill, both ways', () => {
    const { deps, sessions, state } = setup();
    const breakpoints = createEditorBreakpoints(deps);
    let heard = 0;
    breakpoints.subscribe(() => heard++);
    breakpoints.set(PROGRAM, [4, 9]);
    expect(state().breakpoints).toEqual({ gate: [{ line: 4 }, { line: 9 }] });
    sessions.setBreakpoints('gate', [{ line: 12 }, { line: 3 }]);
    expect(breakpoints.lines(PROGRAM)).toEqual([3, 12]);
    expect(heard).toBe(2);
    breakpoints.clear();
    expect(breakpoints.lines(PROGRAM)).toEqual([]);
  });

  it('stay with a file that is no program of a metaskill', () => {
    const { deps, state } = setup();
    const breakpoints = createEditorBreakpoints(deps);
    breakpoints.set('notes/draft.star', [2]);
    expect(breakpoints.lines('notes/draft.star')).toEqual([2]);
    expect(state().breakpoints).toEqual({});
  });

  it('show where a run waits, and take the mark away', () => {
    const { deps, change } = setup();
    const shown: unknown[] = [];
    followPauses(deps, (path, line) => shown.push([path, line]));
    const run = { toolUseId: 't', name: 'gate', status: 'paused', line: 7 } as MetaskillRun;
    change({ runs: [run] });
    change({ runs: [{ ...run, status: 'running' }] });
    expect(shown).toEqual([
      [PROGRAM, 7],
      [PROGRAM, undefined],
    ]);
  });
});
