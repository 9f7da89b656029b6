/**
 * From the model's tool calls to their results. For each call, in this order, and the first that objects decides: is there
 * such a tool → is its input right → do its paths lie in the folder → may it run → `tool.called` → run, at most four at a
 * time, under a clock → `tool.completed` or `tool.failed`. A failure of a tool is a result for the model, never an exception.
 */
import { errorMessage } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { type Json, isObject } from '../../base/json.ts';
import { silentLog, type Log } from '../../base/log.ts';
import type { ToolErrorClass } from '../event/tool-classes.ts';
import type { CommandAnswer, CommandRequest } from '../metaskill/host-types.ts';
import type { ToolResultBlock, ToolUseBlock } from '../provider/types.ts';
import { pythonRepr } from '../skill/python-text.ts';
import { startCallClock } from './call-clock.ts';
import { sortedJson } from './canonical-json.ts';
import { createConfirmation, type ConfirmationDeps } from './confirmation.ts';
import { definitions } from './definitions.ts';
import { schemaFaults, validateInput, type InputFault } from './json-schema.ts';
import { argvOf, RUN_METASKILL } from './policy.ts';
import { createSemaphore, type Semaphore } from './semaphore.ts';
import { ToolError, type Tool, type ToolOutput } from './types.ts';
import { workspacePath } from './workspace-path.ts';

const MAX_PARALLEL = 4;
const SECONDS = 60;
const LONG_SECONDS = 600;
const NESTED_REFUSAL = 'error: run_metaskill is not available inside a metaskill';

/** Runs a program. Never asked before the policy has agreed. */
export type CommandRunner = (request: CommandRequest) => Promise<CommandAnswer>;

export interface DispatcherDeps extends ConfirmationDeps {
  readonly tools: readonly Tool[];
  /** For `command()` of a metaskill. Absent: there are no commands. */
  readonly runCommand?: CommandRunner;
  readonly log?: Log;
  readonly maxParallel?: number;
}

/** Of all calls of one assistant message. */
export interface DispatchContext {
  readonly turnId: string;
  /** 0 in a session's own turns, 1 inside an `ask`. */
  readonly depth: number;
  /** The `llm.call_started` event of the message. */
  readonly parent: string | null;
  readonly signal: AbortSignal;
  readonly setWaiting: (waiting: boolean) => void;
}

/** Of one `command()` of a metaskill. */
export interface CommandContext {
  readonly turnId: string;
  /** The `run_metaskill` call and its `tool.called` event. */
  readonly toolUseId: string;
  readonly parent: string | null;
}

export interface Dispatcher {
  /** Results in the order of the calls. Never rejects for what a tool does. */
  readonly dispatch: (calls: readonly ToolUseBlock[], context: DispatchContext) => Promise<readonly ToolResultBlock[]>;
  /** A command of a metaskill: the same policy and the same questions as `run_command`. */
  readonly command: (request: CommandRequest, context: CommandContext) => Promise<CommandAnswer>;
}

const encoder = new TextEncoder();
const byteLength = (text: string): number => encoder.encode(text).length;
/** Whether `path` and `paths` lie in the folder; else why not. */
const pathObjection = (input: Json): string | undefined => {
  if (!isObject(input)) return undefined;
  const { path, paths } = input;
  const given = [path, ...(Array.isArray(paths) ? (paths as readonly Json[]) : [])].filter(
    (item) => typeof item === 'string',
  );
  for (const item of given) {
    const read = workspacePath(item);
    if (!read.ok) return read.error;
  }
  return undefined;
};

const denial = (tool: Pick<Tool, 'name'>, input: Json, why: string): string => {
  const argv = argvOf(tool, input);
  const what = argv ? `command ${pythonRepr(argv[0] ?? '')}` : `tool ${pythonRepr(tool.name)}`;
  return `${what} is not allowed: ${why}`;
};

const limitSeconds = ({ timeoutSeconds, sideEffects }: Tool): number =>
  timeoutSeconds ?? (sideEffects === 'execute' || sideEffects === 'network' ? LONG_SECONDS : SECONDS);

const assertUsable = (tools: readonly Tool[]): ReadonlyMap<string, Tool> => {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    const faults = schemaFaults(tool.inputSchema);
    if (faults.length > 0) throw new Error(`the input schema of ${tool.name} cannot be used: ${faults.join('; ')}`);
    if (byName.has(tool.name)) throw new Error(`there are two tools ${tool.name}`);
    byName.set(tool.name, tool);
  }
  return byName;
};

type Outcome =
  | { readonly kind: 'output'; readonly output: ToolOutput }
  | { readonly kind: 'failed'; readonly class: ToolErrorClass; readonly message: string };

export const createDispatcher = (deps: DispatcherDeps): Dispatcher => {
  const { emit, now, log = silentLog, maxParallel = MAX_PARALLEL } = deps;
  const byName = assertUsable(deps.tools);
  const confirm = createConfirmation(deps);
  // One for each depth: a metaskill holds its place while the turns that it asked for use theirs.
  const semaphores = new Map<number, Semaphore>();
  const semaphoreAt = (depth: number): Semaphore => {
    const semaphore = semaphores.get(depth) ?? createSemaphore(maxParallel);
    semaphores.set(depth, semaphore);
    return semaphore;
  };

  const failed = (
    call: ToolUseBlock,
    context: DispatchContext,
    failure: { readonly class: ToolErrorClass; readonly message: string },
    called?: { readonly eventId: string; readonly at: number },
  ): ToolResultBlock => {
    emit({
      type: 'tool.failed',
      turnId: context.turnId,
      parent: called?.eventId ?? context.parent,
      payload: {
        tool_use_id: call.id,
        error_class: failure.class,
        error_message: failure.message,
        latency_ms: called ? Math.max(0, now() - called.at) : 0,
      },
    });
    return { type: 'tool_result', toolUseId: call.id, text: failure.message, isError: true };
  };

  const invalid = (call: ToolUseBlock, context: DispatchContext, faults: readonly InputFault[]): ToolResultBlock => {
    emit({
      type: 'tool.input_invalid',
      turnId: context.turnId,
      parent: context.parent,
      payload: { tool_use_id: call.id, tool_name: call.name, validation_errors: faults.map(({ bare }) => bare) },
    });
    return { type: 'tool_result', toolUseId: call.id, text: faults.map(({ text }) => text).join('\n'), isError: true };
  };

  /** Ends with the tool, the clock or the signal, whichever is first. */
  const runTool = async (
    tool: Tool,
    call: ToolUseBlock,
    context: DispatchContext,
    eventId: string,
  ): Promise<Outcome> => {
    const seconds = limitSeconds(tool);
    const controller = new AbortController();
    let hasExpired = false;
    const ended = (): Outcome =>
      hasExpired
        ? { kind: 'failed', class: 'timeout', message: `timed out after ${seconds} s` }
        : { kind: 'failed', class: 'cancelled', message: 'cancelled' };
    let end: (outcome: Outcome) => void = () => {};
    const aborted = new Promise<Outcome>((resolve) => {
      end = resolve;
    });
    const abort = (reason: unknown): void => {
      controller.abort(reason);
      end(ended());
    };
    const cancel = (): void => abort(context.signal.reason);
    if (context.signal.aborted) return ended();
    context.signal.addEventListener('abort', cancel, { once: true });
    const clock = startCallClock(seconds * 1000, deps, () => {
      hasExpired = true;
      abort('timeout');
    });
    const run = async (): Promise<Outcome> => {
      try {
        const output = await tool.run(call.input, {
          toolUseId: call.id,
          turnId: context.turnId,
          // Made when it is asked for: most tools end immediately and need none.
          get signal() {
            return controller.signal;
          },
          depth: context.depth,
          eventId,
          emit: (draft) => emit({ turnId: context.turnId, parent: eventId, ...draft }),
          setWaiting: (waiting) => {
            clock.setWaiting(waiting);
            context.setWaiting(waiting);
          },
        });
        return { kind: 'output', output };
      } catch (thrown) {
        if (controller.signal.aborted) return ended();
        if (thrown instanceof ToolError) return { kind: 'failed', class: thrown.class, message: thrown.message };
        log({ level: 'error', code: 'tool.defect', text: `${tool.name} failed: ${errorMessage(thrown)}` });
        return { kind: 'failed', class: 'execution_error', message: `${tool.name} failed: ${errorMessage(thrown)}` };
      }
    };
    try {
      return await Promise.race([run(), aborted]);
    } finally {
      clock.stop();
      context.signal.removeEventListener('abort', cancel);
    }
  };

  /** What can be said of a call without its effects: a tool and no objection, or a result. */
  const admit = async (
    call: ToolUseBlock,
    context: DispatchContext,
  ): Promise<{ readonly tool: Tool } | { readonly result: ToolResultBlock }> => {
    const fail = (errorClass: ToolErrorClass, message: string): { readonly result: ToolResultBlock } => ({
      result: failed(call, context, { class: errorClass, message }),
    });
    if (context.signal.aborted) return fail('cancelled', 'cancelled');
    // A model may forge what it was not offered.
    if (call.name === RUN_METASKILL && context.depth > 0) return fail('permission_denied', NESTED_REFUSAL);
    const tool = byName.get(call.name);
    if (!tool) return fail('not_found', `tool ${pythonRepr(call.name)} not registered`);
    if (call.malformed !== undefined) {
      const bare = 'the input is not valid JSON';
      const message = `${bare} (${call.malformed}); send the call again with one JSON object`;
      return tool.validatesItself === true
        ? fail('validation_error', `error: ${message}`)
        : { result: invalid(call, context, [{ text: `$: ${message}`, bare: `$: ${bare}` }]) };
    }
    const faults = tool.validatesItself === true ? [] : validateInput(tool.inputSchema, call.input);
    if (faults.length > 0) return { result: invalid(call, context, faults) };
    const objection = tool.requiresWorkspace ? pathObjection(call.input) : undefined;
    if (objection !== undefined) return fail('permission_denied', objection);
    const permission = await confirm({ tool, input: call.input, toolUseId: call.id, ...context });
    if (permission.ok) return { tool };
    const { class: errorClass, why } = permission;
    return fail(errorClass, errorClass === 'cancelled' ? why : denial(tool, call.input, why));
  };

  const dispatchOne = async (call: ToolUseBlock, context: DispatchContext): Promise<ToolResultBlock> => {
    const admitted = await admit(call, context);
    if ('result' in admitted) return admitted.result;
    const { tool } = admitted;
    const { turnId, parent, signal } = context;
    const json = sortedJson(call.input);
    const at = now();
    const eventId = emit({
      type: 'tool.called',
      turnId,
      parent,
      payload: {
        tool_use_id: call.id,
        tool_name: tool.name,
        input_hash: sha256(json),
        input_size_bytes: byteLength(json),
        side_effects: tool.sideEffects,
      },
    });
    const leave = await semaphoreAt(context.depth).acquire(signal);
    if (!leave) return failed(call, context, { class: 'cancelled', message: 'cancelled' }, { eventId, at });
    let outcome: Outcome;
    try {
      outcome = await runTool(tool, call, context, eventId);
    } finally {
      leave();
    }
    if (outcome.kind === 'failed') return failed(call, context, outcome, { eventId, at });
    const { text, isError = false, metadata = {}, filesModified, commandExecuted } = outcome.output;
    emit({
      type: 'tool.completed',
      turnId,
      parent: eventId,
      payload: {
        tool_use_id: call.id,
        success: !isError,
        output_size_bytes: byteLength(text),
        latency_ms: Math.max(0, now() - at),
        files_modified: filesModified ? [...filesModified] : null,
        command_executed: commandExecuted ?? null,
        metadata: { ...metadata },
      },
    });
    return { type: 'tool_result', toolUseId: call.id, text, isError };
  };

  return {
    dispatch: (calls, context) => Promise.all(calls.map((call) => dispatchOne(call, context))),
    command: async (request, context) => {
      if (!deps.runCommand) return { kind: 'failed', message: 'no commands available' };
      const tool = definitions.runCommand;
      const input = { argv: request.argv };
      const { signal, setWaiting } = request;
      const permission = await confirm({ tool, input, signal, setWaiting, ...context });
      if (permission.ok) return deps.runCommand(request);
      return {
        kind: 'failed',
        message: permission.class === 'cancelled' ? permission.why : denial(tool, input, permission.why),
      };
    },
  };
};
