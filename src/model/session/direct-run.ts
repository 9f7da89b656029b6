/** A metaskill that a person runs: a turn without a message, in which the program's asks are nested as always. */
import { sha256 } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import type { RunOutcome } from '../metaskill/host.ts';
import type { SessionCore } from './core.ts';
import { runMetaskillTool, type MetaskillDeps } from './metaskills.ts';

export const runForPerson = async (
  core: SessionCore,
  deps: MetaskillDeps,
  args: Json,
  volatile: string,
  signal: AbortSignal,
): Promise<RunOutcome> => {
  const { emit, state } = core;
  const turnId = core.deps.newId();
  const callsBefore = state.calls.length;
  const startedAt = core.deps.now();
  const started = emit({
    type: 'turn.started',
    turnId,
    payload: {
      user_message_hash: sha256(JSON.stringify(args)),
      estimated_input_tokens: 0,
      has_images: false,
      has_tool_calls_in_history: state.tools.size > 0,
      user_message_text_redacted: null,
      nested_in: null,
    },
  });
  const outcome = await runMetaskillTool(
    core,
    deps,
    args,
    {
      toolUseId: `run_${turnId}`,
      turnId,
      signal,
      depth: 0,
      eventId: started,
      emit: (draft) => emit({ turnId, parent: started, ...draft }),
      setWaiting: () => {},
    },
    volatile,
  );
  const calls = state.calls.slice(callsBefore);
  if (signal.aborted)
    emit({
      type: 'turn.cancelled',
      turnId,
      parent: started,
      payload: {
        reason: 'user_cancel',
        partial_llm_calls: calls.length,
        partial_tool_calls: 0,
        message: 'Stopped. Lathe kept its steps.',
      },
    });
  else
    emit({
      type: 'turn.completed',
      turnId,
      parent: started,
      payload: {
        stop_reason: 'end_turn',
        // Its own; those of its asks are reported in their turns.
        llm_call_count: 0,
        tool_call_count: 0,
        total_input_tokens: 0,
        total_output_tokens: 0,
        total_cost_usd: 0,
        wall_time_seconds: Math.max(0, core.deps.now() - startedAt) / 1000,
      },
    });
  return outcome;
};
