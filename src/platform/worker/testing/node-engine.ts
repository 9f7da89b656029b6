import { createNodeEngine } from '../node-starlark.ts';
import type { EngineHost } from '../engine-host.ts';
import type { HostAnswer, HostCall, RunRequest } from '../../../model/starlark/engine.ts';
import type { Pause, RunResult } from '../../../model/starlark/messages.ts';
import { PROJECT, threadsFolder } from './threads-folder.ts';

export const WASM = new URL('public/starlark.wasm', PROJECT);

export const starlarkThread = (): URL => new URL('starlark-thread.js', threadsFolder());

export interface TestEngine extends Disposable {
  readonly engine: EngineHost;
}

export const startTestEngine = (): TestEngine => {
  const engine = createNodeEngine({ wasm: WASM, thread: starlarkThread() });
  return { engine, [Symbol.dispose]: () => engine.dispose() };
};

/** The engine's clock is its own: a deadline passes only with the time. */
export const timePasses = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    // oxlint-disable-next-line lathe/no-fixed-sleep -- the time itself is what is tested
    setTimeout(resolve, ms);
  });

export const ASK_RESULT = '{"answer":"yes","exhausted":false,"turns":1,"truncated":false}';
export const COMMAND_RESULT = '{"ok":true,"exit_code":0,"result":"out","truncated":false}';

export interface Played {
  readonly result: RunResult;
  readonly calls: readonly HostCall[];
  readonly traces: readonly { readonly kind: string; readonly data: unknown }[];
  readonly prints: readonly string[];
  readonly pauses: readonly Pause[];
}

export interface PlayOptions extends Partial<Omit<RunRequest, 'program'>> {
  readonly answer?: (call: HostCall) => Promise<HostAnswer> | HostAnswer;
}

/** Runs a program to its end with a host that always answers. */
export const play = async (engine: EngineHost, text: string, options: PlayOptions = {}): Promise<Played> => {
  const calls: HostCall[] = [];
  const traces: { kind: string; data: unknown }[] = [];
  const prints: string[] = [];
  const pauses: Pause[] = [];
  const { answer, ...request } = options;
  const handle = engine.run(
    { inputJson: '{"k":1}', ...request, program: { file: 'SKILL.star', text } },
    {
      call: async (call) => {
        calls.push(call);
        return answer?.(call) ?? { ok: true, valueJson: call.fn === 'ask' ? ASK_RESULT : COMMAND_RESULT };
      },
      trace: ({ kind, dataJson }) => traces.push({ kind, data: JSON.parse(dataJson) }),
      print: ({ text: line }) => prints.push(line),
      paused: (pause) => pauses.push(pause),
    },
  );
  return { result: await handle.result, calls, traces, prints, pauses };
};
