/** `run_metaskill` inside a session: the host with nested turns for `ask` and the dispatcher for `command`. */
import type { Payload } from '../event/types.ts';
import { runMetaskill, type RunOutcome } from '../metaskill/host.ts';
import type {
  AskAnswer,
  AskRequest,
  CommandAnswer,
  CommandRequest,
  HostSkill,
  MetaskillEvent,
  StartedRun,
  Step,
} from '../metaskill/host-types.ts';
import type { DebugOptions, StarlarkEngine } from '../starlark/engine.ts';
import type { Pause, SourceRange } from '../starlark/messages.ts';
import type { ToolContext } from '../tool/types.ts';
import type { SessionCore } from './core.ts';
import type { CallState } from './state.ts';
import { runTurn } from './turn.ts';

/** Anyone who looks on while metaskills run, with a debugger. A run is known by its tool call. */
export interface RunWatch {
  /** Asked when a run begins, with its program; nothing: it cannot be paused. */
  readonly debug: (name: string, text: string) => DebugOptions | undefined;
  readonly started: (toolUseId: string, run: StartedRun) => void;
  readonly paused: (toolUseId: string, pause: Pause) => void;
  /** The line that is being executed. */
  readonly line: (toolUseId: string, line: number) => void;
  readonly ended: (toolUseId: string, outcome: RunOutcome) => void;
}

export interface MetaskillDeps {
  /** Nothing where the engine could not be loaded: running is then refused in words. */
  readonly engine: () => Promise<StarlarkEngine | undefined>;
  readonly find: (name: string) => HostSkill | undefined;
  readonly command: (request: CommandRequest, context: ToolContext) => Promise<CommandAnswer>;
  readonly timeoutSeconds?: number;
  readonly onPrint?: (text: string, range: SourceRange | undefined, toolUseId: string) => void;
  /** Called with the means to stop a run. */
  readonly onStart?: (toolUseId: string, cancel: () => void) => void;
  readonly watch?: RunWatch;
}

const rangeOf = (range: SourceRange | undefined): Payload<'metaskill.trace'>['range'] =>
  range ? { line: range.line, column: range.column, endLine: range.endLine, endColumn: range.endColumn } : null;

const stepPayload = (toolUseId: string, name: string, step: Step): Payload<'metaskill.step'> => ({
  tool_use_id: toolUseId,
  name,
  kind: step.kind,
  label: step.label,
  range: rangeOf(step.range),
  started_at: step.startedAt,
  duration_ms: step.durationMs,
  ok: step.ok,
  request: step.request,
  response: step.response,
  notes: [...step.notes],
});

const tell = (context: ToolContext, event: MetaskillEvent): void => {
  const at = { turnId: context.turnId, parent: context.eventId };
  const tool_use_id = context.toolUseId;
  switch (event.type) {
    case 'metaskill.started':
      context.emit({
        ...at,
        type: event.type,
        payload: {
          tool_use_id,
          name: event.name,
          max_ask_calls: event.askCalls,
          max_command_calls: event.commandCalls,
          notes: [...event.notes],
        },
      });
      return;
    case 'metaskill.step':
      context.emit({ ...at, type: event.type, payload: stepPayload(tool_use_id, event.name, event.step) });
      return;
    case 'metaskill.trace':
      context.emit({
        ...at,
        type: event.type,
        payload: {
          tool_use_id,
          name: event.name,
          kind: event.kind,
          data_json: event.dataJson,
          range: rangeOf(event.range),
        },
      });
      return;
    case 'metaskill.finished':
      context.emit({
        ...at,
        type: event.type,
        payload: {
          tool_use_id,
          name: event.name,
          status: event.status,
          ask_calls: event.askCalls,
          command_calls: event.commandCalls,
          duration_ms: event.durationMs,
        },
      });
  }
};

/** What a watcher adds to a run. While a program is paused, no clock of its turn runs (D30). */
const watched = (watch: RunWatch, { toolUseId, setWaiting }: ToolContext) => {
  let isPaused = false;
  const hold = (paused: boolean): void => {
    if (paused === isPaused) return;
    isPaused = paused;
    setWaiting(paused);
  };
  return {
    release: () => hold(false),
    options: {
      debug: watch.debug,
      onRun: (run: StartedRun) =>
        watch.started(toolUseId, {
          ...run,
          control: {
            ...run.control,
            resume: (how) => {
              hold(false);
              run.control.resume(how);
            },
          },
        }),
      onPaused: (pause: Pause) => {
        hold(true);
        watch.paused(toolUseId, pause);
      },
      onLine: (line: number) => watch.line(toolUseId, line),
    },
  };
};

/** Runs the metaskill that a tool call names. Every end is a string; a failure starts with `error:`. */
export const runMetaskillTool = async (
  core: SessionCore,
  deps: MetaskillDeps,
  args: unknown,
  context: ToolContext,
  volatile: string,
): Promise<RunOutcome> => {
  const turns = new Set<string>();
  const runCalls = (): readonly CallState[] => core.state.calls.filter(({ turnId }) => turns.has(turnId));

  const ask = async (request: AskRequest): Promise<AskAnswer> => {
    const outcome = await runTurn(core, {
      content: [{ type: 'text', text: request.prompt }],
      nestedIn: context.toolUseId,
      parent: context.eventId,
      depth: context.depth + 1,
      maxCalls: request.maxTurns,
      wallClockSeconds: core.state.config?.limits.wall_clock_seconds ?? 0,
      volatile,
      signal: request.signal,
      setWaiting: request.setWaiting,
      runCalls,
      onTurn: (id) => turns.add(id),
    });
    if (outcome.kind === 'completed') return { answer: outcome.text, exhausted: false, turns: outcome.calls };
    if (outcome.reason === 'turn_limit') return { answer: outcome.text, exhausted: true, turns: outcome.calls };
    throw new Error(outcome.message);
  };

  const engine = await deps.engine();
  const watching = deps.watch && watched(deps.watch, context);
  const outcome = await runMetaskill(
    args,
    {
      engine,
      find: deps.find,
      ask,
      command: (request) => deps.command(request, context),
      now: core.deps.now,
      onEvent: (event) => tell(context, event),
      ...(deps.onPrint && {
        onPrint: (text: string, range: SourceRange | undefined) => deps.onPrint?.(text, range, context.toolUseId),
      }),
    },
    {
      depth: context.depth,
      start: { turnId: context.turnId, signal: context.signal, setWaiting: context.setWaiting },
      ...(deps.timeoutSeconds !== undefined && { timeoutSeconds: deps.timeoutSeconds }),
      onStart: (cancel) => {
        deps.onStart?.(context.toolUseId, cancel);
        if (context.signal.aborted) cancel();
        else context.signal.addEventListener('abort', cancel, { once: true });
      },
      ...watching?.options,
    },
  );
  watching?.release();
  deps.watch?.ended(context.toolUseId, outcome);
  return outcome;
};
