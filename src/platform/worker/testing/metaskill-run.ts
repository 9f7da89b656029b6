/** Runs a metaskill as the tool would: the real host on the real engine, with scripted answers and commands. */
import { afterAll, beforeAll } from 'vitest';
import { runMetaskill, type RunOptions, type RunOutcome } from '../../../model/metaskill/host.ts';
import type {
  AskRequest,
  CommandAnswer,
  CommandRequest,
  HostDeps,
  HostSkill,
  MetaskillEvent,
} from '../../../model/metaskill/host-types.ts';
import type { EngineHost } from '../engine-host.ts';
import { startTestEngine, type TestEngine } from './node-engine.ts';

export const BODY = 'Use it well.\n\nInput keys:\n\n- `k`: any value.\n';

export interface Setup extends RunOptions {
  /** `undefined` as a value is a missing input. */
  readonly input?: unknown;
  /** Other arguments of the tool, or these instead of the usual ones. */
  readonly args?: Readonly<Record<string, unknown>>;
  readonly skill?: Partial<HostSkill>;
  readonly ask?: HostDeps['ask'];
  readonly command?: HostDeps['command'];
  /** Used up, `ask` gives the last one again. */
  readonly answers?: readonly string[];
  readonly noEngine?: true;
}

export interface Ran extends RunOutcome {
  readonly asks: readonly AskRequest[];
  readonly commands: readonly CommandRequest[];
  readonly events: readonly MetaskillEvent[];
  /** What follows the header; throws if none exists. */
  readonly envelope: Readonly<Record<string, unknown>>;
  readonly entries: readonly { readonly kind: string; readonly data?: Readonly<Record<string, unknown>> }[];
}

const HEADER = '[Metaskill: t completed]\n';

const readEnvelope = (result: string): Readonly<Record<string, unknown>> => {
  if (!result.startsWith(HEADER)) throw new Error(`no envelope: ${result.slice(0, 300)}`);
  return JSON.parse(result.slice(HEADER.length)) as Readonly<Record<string, unknown>>;
};

export const exited = (exitCode: number, output = ''): CommandAnswer => ({ kind: 'exited', exitCode, output });

const runProgram = async (engine: EngineHost, program: string, setup: Setup = {}): Promise<Ran> => {
  const asks: AskRequest[] = [];
  const commands: CommandRequest[] = [];
  const events: MetaskillEvent[] = [];
  const { answers = ['yes'] } = setup;
  const skill: HostSkill = {
    name: 't',
    metaskill: { program: 'SKILL.star', language: 'starlark', fault: undefined },
    body: BODY,
    refusal: undefined,
    readProgram: () => Promise.resolve({ ok: true, text: program }),
    ...setup.skill,
  };
  const outcome = await runMetaskill(
    { name: 't', input: 'input' in setup ? setup.input : { k: 1 }, ...setup.args },
    {
      engine: setup.noEngine ? undefined : engine,
      find: (name) => (name === skill.name ? skill : undefined),
      ask: (request) => {
        asks.push(request);
        if (setup.ask) return setup.ask(request);
        return Promise.resolve({
          answer: answers[asks.length - 1] ?? answers.at(-1) ?? '',
          exhausted: false,
          turns: 1,
        });
      },
      command: (request) => {
        commands.push(request);
        return setup.command?.(request) ?? Promise.resolve(exited(0, 'fine'));
      },
      now: () => performance.now(),
      onEvent: (event) => events.push(event),
    },
    setup,
  );
  return {
    ...outcome,
    asks,
    commands,
    events,
    get envelope() {
      return readEnvelope(outcome.result);
    },
    entries: outcome.trace.map((entry) => JSON.parse(entry) as Ran['entries'][number]),
  };
};

/** A program whose `run` has these lines. */
export const body = (lines: string): string =>
  `def run(input):\n${lines
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')}\n`;

/** One engine for all tests of a file. */
export const useMetaskills = () => {
  let test: TestEngine | undefined;
  beforeAll(async () => {
    test = startTestEngine();
    await test.engine.warm();
  });
  afterAll(() => test?.[Symbol.dispose]());
  const engine = (): EngineHost => {
    if (!test) throw new Error('the engine has not started');
    return test.engine;
  };
  return {
    engine,
    /** A whole program. */
    run: (program: string, setup?: Setup): Promise<Ran> => runProgram(engine(), program, setup),
    /** The lines of `run`. */
    play: (lines: string, setup?: Setup): Promise<Ran> => runProgram(engine(), body(lines), setup),
    /** What a run of these lines gives. */
    value: async (lines: string, setup?: Setup): Promise<Readonly<Record<string, unknown>>> =>
      (await runProgram(engine(), body(lines), setup)).envelope,
  };
};
