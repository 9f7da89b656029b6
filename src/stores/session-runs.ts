/** Runs of metaskills in the page, each with its debugger. A view sees them in the state and acts through their controls. */
import type { RunControl } from '../model/metaskill/host-types.ts';
import type { RunWatch } from '../model/session/metaskills.ts';
import type { Breakpoint } from '../model/starlark/engine.ts';
import type { Pause } from '../model/starlark/messages.ts';
import { workLines } from '../model/starlark/work-lines.ts';
import type { MetaskillRun, RecordedLine, SessionsState } from './session-types.ts';

type RunsState = Pick<SessionsState, 'runs' | 'breakpoints' | 'pace'>;

export interface SessionRuns {
  readonly watch: RunWatch;
  readonly control: (toolUseId: string) => RunControl | undefined;
  readonly setBreakpoints: (name: string, breakpoints: readonly Breakpoint[]) => void;
  readonly stopOnEntry: () => void;
  /** Milliseconds that a run rests at each line of its work, so that people can follow it; 0 does not rest. */
  readonly setPace: (ms: number) => void;
}

export interface SessionRunsOptions {
  /** The time in which the session lives. */
  readonly now?: () => number;
  readonly later?: (work: () => void, ms: number) => void;
}

/** Lines with their locals that a run keeps. From then on it runs without stopping for them. */
const MOST_RECORDED = 400;

/** Where a run looks at its own locals, and what it has seen. */
interface Recorder {
  readonly lines: ReadonlySet<number>;
  readonly seen: RecordedLine[];
}

/** Where a program defines its functions; what it does begins in `run`. */
const TOP_LEVEL = '<toplevel>';

/** Lines of a person's breakpoints; one on an empty line counts for the line of code below it. */
const linesOf = (points: readonly Breakpoint[], code: ReadonlySet<number>): ReadonlySet<number> =>
  new Set(
    points.flatMap(({ line }) => {
      const below = [...code].find((at) => at > line);
      return code.has(line) || below === undefined ? [line] : [line, below];
    }),
  );

/** With those at which the run only looks at its locals. */
const withOwn = (points: readonly Breakpoint[], own: ReadonlySet<number>): readonly Breakpoint[] => {
  const taken = linesOf(points, own);
  return [...points, ...[...own].filter((line) => !taken.has(line)).map((line) => ({ line }))];
};

const goesOn = (run: MetaskillRun): MetaskillRun => {
  const { pause: _pause, ...rest } = run;
  return { ...rest, status: 'running' };
};

export const createSessionRuns = (
  getState: () => RunsState,
  setState: (change: (state: RunsState) => Partial<RunsState>) => void,
  { now = () => 0, later = (work, ms) => void setTimeout(work, ms) }: SessionRunsOptions = {},
): SessionRuns => {
  const controls = new Map<string, RunControl>();
  const recorders = new Map<string, Recorder>();
  /** Runs that are to stop before the first line of their work, and have not come to it. */
  const entering = new Set<string>();
  let stopsOnEntry = false;
  const change = (toolUseId: string, edit: (run: MetaskillRun) => MetaskillRun): void => {
    const { runs } = getState();
    const run = runs.find((item) => item.toolUseId === toolUseId);
    if (!run) return;
    const seen = recorders.get(toolUseId)?.seen ?? run.recorded;
    const edited = edit(seen.length === run.recorded.length ? run : { ...run, recorded: seen.slice() });
    if (edited !== run) setState(() => ({ runs: runs.map((item) => (item === run ? edited : item)) }));
  };
  const isFull = ({ seen }: Recorder): boolean => seen.length >= MOST_RECORDED;
  /** Keeps what can be seen where a run stands. */
  const record = (toolUseId: string, { range: { line }, frames }: Pause): void => {
    const recorder = recorders.get(toolUseId);
    if (!recorder || isFull(recorder) || !recorder.lines.has(line)) return;
    recorder.seen.push({ at: now(), line, frames });
    const run = getState().runs.find((item) => item.toolUseId === toolUseId);
    if (run && isFull(recorder)) controls.get(toolUseId)?.setBreakpoints(getState().breakpoints[run.name] ?? []);
  };
  /** The run stopped only to be recorded. */
  const isOwnStop = (toolUseId: string, { reason, range }: Pause): boolean => {
    const run = getState().runs.find((item) => item.toolUseId === toolUseId);
    const lines = recorders.get(toolUseId)?.lines;
    if (!run || !lines || reason !== 'breakpoint' || !lines.has(range.line)) return false;
    return !linesOf(getState().breakpoints[run.name] ?? [], lines).has(range.line);
  };
  const rest = (toolUseId: string, control: RunControl, line: number): void => {
    const { pace } = getState();
    const goOn = (): void => {
      // A pause that somebody asked for comes at the next line by itself.
      if (controls.get(toolUseId) === control) control.resume('continue');
    };
    if (pace === 0) return goOn();
    change(toolUseId, (run) => (run.line === line ? run : { ...run, line }));
    later(goOn, pace);
  };
  return {
    watch: {
      // In a page every run can be paused.
      debug: (name, text) => {
        const stopOnEntry = stopsOnEntry;
        stopsOnEntry = false;
        const breakpoints = withOwn(getState().breakpoints[name] ?? [], new Set(workLines(text)));
        return { breakpoints, stopOnEntry };
      },
      started: (toolUseId, { control, ...run }) => {
        const own = new Set(workLines(run.program.text));
        const recorder: Recorder = { lines: own, seen: [] };
        recorders.set(toolUseId, recorder);
        controls.set(toolUseId, {
          ...control,
          resume: (how) => {
            change(toolUseId, goesOn);
            control.resume(how);
          },
          setBreakpoints: (points) => control.setBreakpoints(isFull(recorder) ? points : withOwn(points, own)),
        });
        setState(({ runs }) => ({ runs: [...runs, { ...run, toolUseId, status: 'running', recorded: [] }] }));
      },
      paused: (toolUseId, pause) => {
        if (pause.reason === 'entry') entering.add(toolUseId);
        const isEntering = entering.has(toolUseId) && (pause.reason === 'entry' || pause.reason === 'step');
        const control = controls.get(toolUseId);
        record(toolUseId, pause);
        if (control && isOwnStop(toolUseId, pause)) {
          rest(toolUseId, control, pause.range.line);
          return;
        }
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
        recorders.delete(toolUseId);
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
    setPace: (pace) => setState(() => ({ pace })),
  };
};
