/** Runs of metaskills in the page, each with its debugger. A view sees them in the state and acts through their controls. */
import type { RunControl } from '../model/metaskill/host-types.ts';
import type { RunWatch } from '../model/session/metaskills.ts';
import type { Breakpoint } from '../model/starlark/engine.ts';
import type { Pause } from '../model/starlark/messages.ts';
import type { MetaskillRun, SessionsState } from './session-types.ts';

type RunsState = Pick<SessionsState, 'runs' | 'breakpoints'>;

export interface SessionRuns {
  readonly watch: RunWatch;
  readonly control: (toolUseId: string) => RunControl | undefined;
  readonly setBreakpoints: (name: string, breakpoints: readonly Breakpoint[]) => void;
  readonly stopOnEntry: () => void;
}

/** Where a program defines its functions; what it does begins in `run`. */
const TOP_LEVEL = '<toplevel>';

const goesOn = (run: MetaskillRun): MetaskillRun => {
  const { pause: _pause, ...rest } = run;
  return { ...rest, status: 'running' };
};

export const createSessionRuns = (
  getState: () => RunsState,
  setState: (change: (state: RunsState) => Partial<RunsState>) => void,
): SessionRuns => {
  const controls = new Map<string, RunControl>();
  /** Runs that are to stop before the first line of their work, and have not come to it. */
  const entering = new Set<string>();
  let stopsOnEntry = false;
  const change = (toolUseId: string, edit: (run: MetaskillRun) => MetaskillRun): void => {
    const { runs } = getState();
    const run = runs.find((item) => item.toolUseId === toolUseId);
    const edited = run && edit(run);
    if (edited && edited !== run) setState(() => ({ runs: runs.map((item) => (item === run ? edited : item)) }));
  };
  return {
    watch: {
      // In a page every run can be paused.
      debug: (name) => {
        const stopOnEntry = stopsOnEntry;
        stopsOnEntry = false;
        return { breakpoints: getState().breakpoints[name] ?? [], stopOnEntry };
      },
      started: (toolUseId, { control, ...run }) => {
        controls.set(toolUseId, {
          ...control,
          resume: (how) => {
            change(toolUseId, goesOn);
            control.resume(how);
          },
        });
        setState(({ runs }) => ({ runs: [...runs, { ...run, toolUseId, status: 'running' }] }));
      },
      paused: (toolUseId, pause) => {
        if (pause.reason === 'entry') entering.add(toolUseId);
        const isEntering = entering.has(toolUseId) && (pause.reason === 'entry' || pause.reason === 'step');
        const control = controls.get(toolUseId);
        if (isEntering && control && pause.frames[0]?.name === TOP_LEVEL) {
          control.resume('stepOver');
          return;
        }
        entering.delete(toolUseId);
        const shown: Pause = isEntering ? { ...pause, reason: 'entry' } : pause;
        change(toolUseId, (run) => ({ ...run, status: 'paused', pause: shown, line: pause.range.line }));
      },
      line: (toolUseId, line) => change(toolUseId, (run) => (run.line === line ? run : { ...run, line })),
      ended: (toolUseId, outcome) => {
        controls.delete(toolUseId);
        entering.delete(toolUseId);
        change(toolUseId, (run) => ({ ...goesOn(run), status: 'ended', outcome }));
      },
    },
    control: (toolUseId) => controls.get(toolUseId),
    setBreakpoints: (name, breakpoints) => {
      setState((state) => ({ breakpoints: { ...state.breakpoints, [name]: breakpoints } }));
      for (const run of getState().runs)
        if (run.name === name) controls.get(run.toolUseId)?.setBreakpoints(breakpoints);
    },
    stopOnEntry: () => {
      stopsOnEntry = true;
    },
  };
};
