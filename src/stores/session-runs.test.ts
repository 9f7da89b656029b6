import { describe, expect, it } from 'vitest';
import type { RunControl, StartedRun } from '../model/metaskill/host-types.ts';
import type { Pause } from '../model/starlark/messages.ts';
import { createSessionRuns } from './session-runs.ts';
import type { SessionsState } from './session-types.ts';

type RunsState = Pick<SessionsState, 'runs' | 'breakpoints' | 'pace'>;

const setup = () => {
  let state: RunsState = { runs: [], breakpoints: {}, pace: 0 };
  const waiting: (() => void)[] = [];
  let time = 0;
  const acts: string[] = [];
  const control: RunControl = {
    cancel: () => acts.push('cancel'),
    pause: () => acts.push('pause'),
    resume: (how) => acts.push(how),
    setBreakpoints: (points) => acts.push(`breakpoints ${points.map(({ line }) => line).join()}`),
    evaluate: () => Promise.resolve({ ok: false, message: 'no' }),
    expand: () => Promise.resolve({ ok: false, message: 'no' }),
  };
  const run: StartedRun = {
    name: 'loop',
    program: { file: 'SKILL.star', text: '' },
    inputJson: '{}',
    askCalls: 5,
    commandCalls: 10,
    control,
  };
  const runs = createSessionRuns(
    () => state,
    (change) => {
      state = { ...state, ...change(state) };
    },
    { now: () => ++time, later: (work) => waiting.push(work) },
  );
  return { runs, run, acts, waiting, state: () => state };
};

const pause = (line: number): Pause => ({
  reason: 'breakpoint',
  file: 'SKILL.star',
  range: { line, column: 1, endLine: line, endColumn: 2 },
  frames: [],
  globals: [],
});

describe('runs of metaskills in the page', () => {
  it('a run is followed from its start to its end', () => {
    const { runs, run, state } = setup();
    runs.watch.started('tu', run);
    runs.watch.line('tu', 3);
    expect(state().runs).toMatchObject([{ toolUseId: 'tu', status: 'running', line: 3 }]);
    runs.watch.paused('tu', pause(5));
    expect(state().runs[0]).toMatchObject({ status: 'paused', line: 5, pause: { reason: 'breakpoint' } });
    runs.watch.ended('tu', { result: 'x', ok: true, steps: [], trace: [], printed: [], notes: [] });
    expect(state().runs[0]).toMatchObject({ status: 'ended', outcome: { result: 'x' } });
    expect(state().runs[0]).not.toHaveProperty('pause');
    expect(runs.control('tu')).toBeUndefined();
  });

  it('SE43: a stop on entry is before the first line of the work, not among definitions', () => {
    const { runs, run, acts, state } = setup();
    const at = (line: number, reason: Pause['reason'], name: string): Pause => {
      const plain = pause(line);
      return { ...plain, reason, frames: [{ name, range: plain.range, variables: [] }] };
    };
    runs.watch.started('tu', run);
    runs.watch.paused('tu', at(1, 'entry', '<toplevel>'));
    runs.watch.paused('tu', at(4, 'step', '<toplevel>'));
    expect(acts).toEqual(['stepOver', 'stepOver']);
    expect(state().runs[0]).toMatchObject({ status: 'running' });
    runs.watch.paused('tu', at(5, 'step', 'run'));
    expect(state().runs[0]).toMatchObject({ status: 'paused', line: 5, pause: { reason: 'entry' } });
    runs.watch.paused('tu', at(6, 'step', 'run'));
    expect(state().runs[0]).toMatchObject({ pause: { reason: 'step' } });
    // Anyone who stopped at a definition by a breakpoint stays there.
    runs.watch.started('other', run);
    runs.watch.paused('other', at(1, 'entry', '<toplevel>'));
    runs.watch.paused('other', at(3, 'breakpoint', '<toplevel>'));
    expect(state().runs[1]).toMatchObject({ status: 'paused', line: 3, pause: { reason: 'breakpoint' } });
  });

  it('what continues is running again before it says so', () => {
    const { runs, run, acts, state } = setup();
    runs.watch.started('tu', run);
    runs.watch.paused('tu', pause(5));
    runs.control('tu')?.resume('stepIn');
    expect(acts).toEqual(['stepIn']);
    expect(state().runs[0]?.status).toBe('running');
    expect(state().runs[0]).not.toHaveProperty('pause');
  });

  it('breakpoints reach the runs of their metaskill, and those that come', () => {
    const { runs, run, acts } = setup();
    runs.watch.started('tu', run);
    runs.watch.started('other', { ...run, name: 'else' });
    runs.setBreakpoints('loop', [{ line: 4 }]);
    expect(acts).toEqual(['breakpoints 4']);
    expect(runs.watch.debug('loop', '')).toEqual({ breakpoints: [{ line: 4 }], stopOnEntry: false });
    expect(runs.watch.debug('else', '')).toEqual({ breakpoints: [], stopOnEntry: false });
  });

  it('only the next run stops before its first line', () => {
    const { runs } = setup();
    runs.stopOnEntry();
    expect(runs.watch.debug('loop', '')?.stopOnEntry).toBe(true);
    expect(runs.watch.debug('loop', '')?.stopOnEntry).toBe(false);
  });

  const WORK = 'def run(input):\n    a = 1\n    b = ask(a)\n    return b\n';
  const at = (line: number, reason: Pause['reason'] = 'breakpoint'): Pause => ({
    ...pause(line),
    reason,
    frames: [{ name: 'run', range: pause(line).range, variables: [] }],
  });

  it('SE44: what the locals held is kept at each line of the work, and the run stops there for nobody', () => {
    const { runs, run, acts, state } = setup();
    expect(runs.watch.debug('loop', WORK)?.breakpoints).toEqual([{ line: 2 }, { line: 3 }, { line: 4 }]);
    runs.watch.started('tu', { ...run, program: { file: 'SKILL.star', text: WORK } });
    runs.watch.paused('tu', at(2));
    expect(acts).toEqual(['continue']);
    expect(state().runs[0]).toMatchObject({ status: 'running' });
    // A person’s breakpoint stops it; so does a step.
    runs.setBreakpoints('loop', [{ line: 3 }]);
    expect(acts.at(-1)).toBe('breakpoints 3,2,4');
    runs.watch.paused('tu', at(3));
    expect(state().runs[0]).toMatchObject({ status: 'paused', line: 3 });
    runs.control('tu')?.resume('stepOver');
    runs.watch.paused('tu', at(4, 'step'));
    expect(state().runs[0]).toMatchObject({ status: 'paused', line: 4 });
    expect(state().runs[0]?.recorded.map(({ at: time, line }) => [time, line])).toEqual([
      [1, 2],
      [2, 3],
      [3, 4],
    ]);
  });

  it('SE44: after 400 lines it is no longer recorded', () => {
    const { runs, run, acts, state } = setup();
    runs.watch.started('tu', { ...run, program: { file: 'SKILL.star', text: WORK } });
    for (let index = 0; index < 401; index++) runs.watch.paused('tu', at(2));
    expect(acts.filter((act) => act.startsWith('breakpoints'))).toEqual(['breakpoints ']);
    runs.watch.ended('tu', { result: 'x', ok: true, steps: [], trace: [], printed: [], notes: [] });
    expect(state().runs[0]?.recorded).toHaveLength(400);
  });

  it('SE44: in slow motion it rests at each line, and no longer once it has ended', () => {
    const { runs, run, acts, waiting, state } = setup();
    runs.setPace(300);
    runs.watch.started('tu', { ...run, program: { file: 'SKILL.star', text: WORK } });
    runs.watch.paused('tu', at(2));
    expect([acts, state().runs[0]?.line, state().runs[0]?.status]).toEqual([[], 2, 'running']);
    waiting.shift()?.();
    expect(acts).toEqual(['continue']);
    runs.watch.paused('tu', at(3));
    runs.watch.ended('tu', { result: 'x', ok: true, steps: [], trace: [], printed: [], notes: [] });
    waiting.shift()?.();
    expect(acts).toEqual(['continue']);
  });
});
