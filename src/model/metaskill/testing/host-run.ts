/** Runs a metaskill on the host with a scripted engine: no Starlark, no clock. */
import { runMetaskill, type RunOutcome } from '../host.ts';
import type { HostDeps, HostSkill, MetaskillEvent, RunStart } from '../host-types.ts';
import { createScriptedEngine, type ScriptApi } from './scripted-engine.ts';

export const BODY = 'Use it well.\n\nInput keys:\n\n- `k`: any value.\n';

export interface Setup {
  readonly skill?: Partial<HostSkill>;
  readonly program?: (api: ScriptApi) => unknown;
  readonly ask?: HostDeps['ask'];
  readonly command?: HostDeps['command'];
  readonly events?: MetaskillEvent[];
  readonly engine?: false;
  readonly depth?: number;
  readonly start?: RunStart;
  readonly onPrint?: HostDeps['onPrint'];
  /** What the host tells the engine about people who are waited for. */
  readonly waiting?: boolean[];
  readonly onStart?: (cancel: () => void) => void;
}

export const run = async (args: unknown, setup: Setup = {}): Promise<RunOutcome & { runs: number }> => {
  const engine = createScriptedEngine(setup.program ?? (() => 'done'), (waiting) => setup.waiting?.push(waiting));
  const skill: HostSkill = {
    name: 't',
    metaskill: { program: 'SKILL.star', language: 'starlark', fault: undefined },
    body: BODY,
    refusal: undefined,
    readProgram: () => Promise.resolve({ ok: true, text: '' }),
    ...setup.skill,
  };
  let time = 0;
  const outcome = await runMetaskill(
    args,
    {
      engine: setup.engine === false ? undefined : engine,
      find: (name) => (name === skill.name ? skill : undefined),
      ask: setup.ask ?? (() => Promise.resolve({ answer: 'yes', exhausted: false, turns: 1 })),
      command: setup.command ?? (() => Promise.resolve({ kind: 'exited', exitCode: 0, output: 'fine' })),
      now: () => (time += 5),
      ...(setup.onPrint && { onPrint: setup.onPrint }),
      ...(setup.events && { onEvent: (event: MetaskillEvent) => setup.events?.push(event) }),
    },
    {
      ...(setup.depth !== undefined && { depth: setup.depth }),
      ...(setup.start && { start: setup.start }),
      ...(setup.onStart && { onStart: setup.onStart }),
    },
  );
  return { ...outcome, runs: engine.runs() };
};

export const call = (setup: Setup = {}, more: Readonly<Record<string, unknown>> = {}) =>
  run({ name: 't', input: { k: 1 }, ...more }, setup);
export const envelope = (result: string): Record<string, unknown> =>
  JSON.parse(result.slice(result.indexOf('\n') + 1)) as Record<string, unknown>;
