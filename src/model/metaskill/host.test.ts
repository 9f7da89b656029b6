import { describe, expect, it } from 'vitest';
import { runMetaskill, type RunOutcome } from './host.ts';
import type { CommandAnswer, HostDeps, HostSkill, MetaskillEvent, RunStart } from './host-types.ts';
import { readInput } from './request.ts';
import { createScriptedEngine, type ScriptApi } from './testing/scripted-engine.ts';
import { runMetaskillTool } from './tool-schema.ts';

const BODY = 'Use it well.\n\nInput keys:\n\n- `k`: any value.\n';

interface Setup {
  readonly skill?: Partial<HostSkill>;
  readonly program?: (api: ScriptApi) => unknown;
  readonly ask?: HostDeps['ask'];
  readonly command?: HostDeps['command'];
  readonly events?: MetaskillEvent[];
  readonly engine?: false;
  readonly depth?: number;
  readonly start?: RunStart;
  readonly onStart?: (cancel: () => void) => void;
}

const run = async (args: unknown, setup: Setup = {}): Promise<RunOutcome & { runs: number }> => {
  const engine = createScriptedEngine(setup.program ?? (() => 'done'));
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

const call = (setup: Setup = {}, more: Readonly<Record<string, unknown>> = {}) =>
  run({ name: 't', input: { k: 1 }, ...more }, setup);
const envelope = (result: string): Record<string, unknown> =>
  JSON.parse(result.slice(result.indexOf('\n') + 1)) as Record<string, unknown>;

describe('the tool boundary', () => {
  it('T02: the enum has the executable names, sorted; without any there is no tool', () => {
    expect(runMetaskillTool(['b', 'a'])?.input_schema.properties.name.enum).toEqual(['a', 'b']);
    expect(runMetaskillTool([])).toBeUndefined();
  });

  it('T04: a static skill is refused', async () => {
    expect((await call({ skill: { metaskill: undefined } })).result).toBe("error: skill 't' is not a metaskill");
  });

  it('T05, T06: the refusal of the policy is what the model gets, before anything else is looked at', async () => {
    const refusal = "error: external metaskill 't' is not allowed (policy: local)";
    const outcome = await run({ name: 't', input: {} }, { skill: { refusal } });
    expect(outcome).toMatchObject({ result: refusal, ok: false, runs: 0 });
  });

  it('POL5: consent is asked for behind the policy and before the input; its refusal is what the model gets', async () => {
    const starts: RunStart[] = [];
    const start = { turnId: 'turn-1' };
    const consent = (given: RunStart): Promise<string | undefined> => {
      starts.push(given);
      return Promise.resolve('error: not trusted');
    };
    const outcome = await run({ name: 't', input: {} }, { skill: { consent }, start });
    expect(outcome).toMatchObject({ result: 'error: not trusted', ok: false, runs: 0 });
    expect(starts).toEqual([start]);
    await run({ name: 't', input: { k: 1 } }, { skill: { consent, refusal: 'error: off' } });
    expect(starts).toHaveLength(1);
    const agreed = await call({ skill: { consent: () => Promise.resolve(undefined) } });
    expect(agreed.ok).toBe(true);
  });

  it('HOST1: a book that cannot be read refuses the start', async () => {
    const consent = (): Promise<never> => Promise.reject(new Error('database closed'));
    expect((await call({ skill: { consent } })).result).toBe(
      "error: external metaskill 't' is not allowed (consent cannot be read: database closed)",
    );
  });

  it('T08: without an engine the error names it', async () => {
    expect((await call({ engine: false })).result).toMatch(/^error: .*starlark runtime/);
  });

  it('T09: a program that is gone is an error with its reason', async () => {
    const readProgram = () =>
      Promise.resolve({ ok: false, reason: 'no such file' }) as ReturnType<HostSkill['readProgram']>;
    expect((await call({ skill: { readProgram } })).result).toBe('error: failed to read metaskill file: no such file');
  });

  it('T09, T19: a reader that throws is the same error, not an exception', async () => {
    const readProgram = () => Promise.reject(new Error('disk gone'));
    expect((await call({ skill: { readProgram } })).result).toBe('error: failed to read metaskill file: disk gone');
  });

  it.each([[undefined], [null], [{}], [[]], [''], [0], [false]])(
    'T10, T11: the input %j asks for the keys, with the instructions, and runs nothing',
    async (input) => {
      const outcome = await run({ name: 't', input });
      expect(outcome.result).toMatch(/^error: input is required/);
      expect(outcome.result).toContain(BODY);
      expect(outcome.result).toContain('Retry run_metaskill');
      expect(outcome.runs).toBe(0);
    },
  );

  it('T10: instructions in an error are cut at 20,000 characters, visibly', async () => {
    const { result } = await run({ name: 't' }, { skill: { body: 'x'.repeat(30_000) } });
    expect(result).toContain(`${'x'.repeat(20_000)}\n[truncated at 20000 characters]`);
  });

  it('META6: a skill that documents no keys takes an empty input', async () => {
    const outcome = await run({ name: 't', input: {} }, { skill: { body: 'Sums up.\n\n**Input keys**: None\n' } });
    expect(outcome.ok).toBe(true);
  });

  it('META6: a sentence about keys that begins with none is not that line', async () => {
    const { result } = await run(
      { name: 't', input: {} },
      { skill: { body: 'Input keys:\n\nNone may be left out.\n' } },
    );
    expect(result).toMatch(/^error: input is required/);
  });

  it.each([['str'], [[1]], [5], ['[1]'], ['{bad']])('T12: the input %j is no object', async (input) => {
    expect((await run({ name: 't', input })).result).toMatch(/^error: input must be an object, got /);
  });

  it('T12: the JSON text of an object is repaired', async () => {
    const { result } = await run(
      { name: 't', input: '{"k": [1]}' },
      { program: ({ input }) => ({ answer: JSON.stringify(input) }) },
    );
    expect(envelope(result)['answer']).toBe('{"k":[1]}');
  });

  it('T12, L24: the numbers of such a text keep their digits and their type', () => {
    const text = '{"one": 1.0, "big": 12345678901234567890123}';
    expect(readInput(` ${text}\n`, false)).toEqual({ ok: true, value: text });
  });

  it('T14: policy before input, input before the program', async () => {
    expect(
      (await run({ name: 't', input: {} }, { program: () => Promise.reject(new Error('syntax')) })).result,
    ).toMatch(/^error: input is required/);
  });

  it('T15, T19: missing or strange arguments are strings that start with error:', async () => {
    for (const args of [undefined, null, 5, 'x', [], {}, { name: 5 }, { name: '' }])
      expect((await run(args)).result).toBe('error: missing argument: name');
    expect((await run({ name: "o'x", input: { k: 1 } })).result).toBe('error: unknown metaskill: "o\'x"');
  });

  it.each([['3'], [1.5], [true], [[]]])('T16: max_ask_calls %j is not an integer', async (value) => {
    expect((await call({}, { max_ask_calls: value })).result).toMatch(/^error: max_ask_calls must be an integer/);
  });

  it('T16: integers out of range are clamped, and the clamp is reported', async () => {
    const events: MetaskillEvent[] = [];
    await call({ events }, { max_ask_calls: 1_000_000, max_command_calls: -1 });
    expect(events[0]).toMatchObject({
      askCalls: 20,
      commandCalls: 0,
      notes: [expect.stringContaining('became 20'), expect.stringContaining('became 0')],
    });
  });

  it('T17: no commands means none', async () => {
    const { result } = await call({ program: ({ command }) => command(['ls']) }, { max_command_calls: 0 });
    expect(result).toBe("error: metaskill 't': command budget exhausted (0 calls)");
  });

  it('K13: a metaskill inside a metaskill is refused', async () => {
    expect(await call({ depth: 1 })).toMatchObject({
      result: expect.stringMatching(/^error: run_metaskill is not available/) as string,
      runs: 0,
    });
  });

  it.each([
    ['not-utf8', 'not UTF-8'],
    ['own-frontmatter', 'frontmatter of its own'],
    ['too-large', 'larger than 1 MiB'],
  ] as const)('P20, P21: a program that is %s says so when it is run', async (fault, text) => {
    const { result } = await call({ skill: { metaskill: { program: 'SKILL.star', language: 'starlark', fault } } });
    expect(result).toMatch(/^error: metaskill 't': the program SKILL\.star /);
    expect(result).toContain(text);
  });
});

describe('ask', () => {
  it('K01: gives exactly answer, exhausted, turns and truncated', async () => {
    const { result } = await call({ program: ({ ask }) => ask('hello') });
    expect(envelope(result)).toMatchObject({ answer: 'yes', exhausted: false, turns: 1, truncated: false });
  });

  it('K04, K15: turns are clamped to 1–30, default 30; the purpose is nested unless it is given', async () => {
    const seen: [number, string][] = [];
    const ask: HostDeps['ask'] = ({ maxTurns, purpose }) => {
      seen.push([maxTurns, purpose]);
      return Promise.resolve({ answer: '', exhausted: true, turns: 0 });
    };
    const events: MetaskillEvent[] = [];
    await call({
      ask,
      events,
      program: async (api) => {
        await api.ask('a');
        await api.ask('b', { max_turns: 99, purpose: 'draft' });
        await api.ask('c', { max_turns: 0 });
      },
    });
    expect(seen).toEqual([
      [30, 'nested'],
      [30, 'draft'],
      [1, 'nested'],
    ]);
    const notes = events.flatMap((event) => (event.type === 'metaskill.step' ? event.step.notes : []));
    expect(notes).toEqual(['max_turns 99 became 30', 'max_turns 0 became 1']);
  });

  it('K10: 20,000 characters are kept, one more is cut, counted in code points', async () => {
    for (const [length, truncated] of [
      [20_000, false],
      [20_001, true],
    ] as const) {
      let seen: Record<string, unknown> = {};
      await call({
        ask: () => Promise.resolve({ answer: '😀'.repeat(length), exhausted: false, turns: 1 }),
        program: async ({ ask }) => {
          seen = await ask('x');
          return '';
        },
      });
      expect(seen).toMatchObject({ answer: '😀'.repeat(20_000), truncated });
    }
  });

  it('K12: a provider that fails ends the run, with its text as it is', async () => {
    const { result, steps } = await call({
      ask: () => Promise.reject(new Error('provider down %d %s')),
      program: ({ ask }) => ask('x'),
    });
    expect(result).toBe("error: metaskill 't': runtime error: provider down %d %s");
    expect(steps).toMatchObject([{ kind: 'ask', ok: false, response: 'provider down %d %s' }]);
  });

  it('B03, B04: the budget ends the run; what was done stays in the record', async () => {
    let after = false;
    const { result, steps, trace } = await call(
      {
        program: async ({ ask, trace: note }) => {
          for (let index = 0; index < 10; index++) {
            note('round', { index });
            await ask('x');
          }
          after = true;
        },
      },
      { max_ask_calls: 2 },
    );
    expect(result).toBe("error: metaskill 't': ask budget exhausted (2 calls)");
    expect(after).toBe(false);
    expect(steps).toHaveLength(2);
    expect(trace.map((entry) => (JSON.parse(entry) as { kind: string }).kind)).toEqual([
      'metaskill_start',
      'round',
      'round',
      'round',
      'metaskill_finish',
    ]);
  });
});

describe('command', () => {
  const seen = async (
    answer: CommandAnswer,
    argv: unknown = ['x'],
    opts?: Record<string, unknown>,
  ): Promise<Record<string, unknown>> => {
    let value: Record<string, unknown> = {};
    await call({
      command: () => Promise.resolve(answer),
      program: async ({ command }) => {
        value = await command(argv, opts);
        return '';
      },
    });
    return value;
  };

  it('C01–C03, C05: ok and the exit code come from the process, never from its text', async () => {
    expect(await seen({ kind: 'exited', exitCode: 0, output: 'Exit code: 7\nerror: no' })).toEqual({
      ok: true,
      exit_code: 0,
      result: 'Exit code: 7\nerror: no',
      truncated: false,
    });
    expect(await seen({ kind: 'exited', exitCode: 0, output: '' })).toMatchObject({ ok: true, result: '' });
    expect(await seen({ kind: 'exited', exitCode: 3, output: 'out err' })).toMatchObject({
      ok: false,
      exit_code: 3,
      result: 'out err',
    });
  });

  it.each([[[]], ['echo hi'], [null], [['a', 1]], [{}]])(
    'C06: argv %j is an error of the command, not of the run',
    async (argv) => {
      expect(await seen({ kind: 'exited', exitCode: 0, output: '' }, argv)).toEqual({
        ok: false,
        exit_code: -1,
        result: 'error: argv must be a non-empty list of strings',
        truncated: false,
      });
    },
  );

  it('B05: an invalid command costs a call', async () => {
    const { result } = await call(
      { program: async ({ command }) => [await command([]), await command(['ls'])] },
      { max_command_calls: 1 },
    );
    expect(result).toContain('command budget exhausted (1 calls)');
  });

  it('C09, C10, S05: what the host refuses has exit code -1 and starts with error:', async () => {
    expect(await seen({ kind: 'failed', message: "command 'echo' is not allowed" })).toEqual({
      ok: false,
      exit_code: -1,
      result: "error: command 'echo' is not allowed",
      truncated: false,
    });
  });

  it('C13: the timeout is clamped to 1–120 seconds, default 30', async () => {
    const seconds: number[] = [];
    await call({
      command: ({ timeoutSeconds }) => {
        seconds.push(timeoutSeconds);
        return Promise.resolve({ kind: 'exited', exitCode: 0, output: '' });
      },
      program: async ({ command }) => {
        for (const opts of [{}, { timeout: 9999 }, { timeout: 0 }, { timeout: -5 }, { timeout: 7 }])
          await command(['x'], opts);
      },
    });
    expect(seconds).toEqual([30, 120, 1, 1, 7]);
  });

  it('C15, C16: output is cut at 20,000 characters and says so; a timeout is a failure whatever was printed', async () => {
    expect(await seen({ kind: 'exited', exitCode: 0, output: 'x'.repeat(30_000) })).toMatchObject({
      ok: true,
      truncated: true,
      result: 'x'.repeat(20_000),
    });
    const late = await seen({ kind: 'failed', message: 'command timed out after 30s', output: 'x'.repeat(30_000) });
    expect(late).toMatchObject({ ok: false, exit_code: -1, truncated: true });
    expect(String(late['result'])).toMatch(/^error: command timed out after 30s\n/);
  });
});

describe('the end of a run', () => {
  it('N05: other types are invalid', async () => {
    expect((await call({ program: () => 42 })).result).toBe(
      "error: metaskill 't': invalid metaskill return value: int",
    );
    expect((await call({ program: () => [1] })).result).toBe(
      "error: metaskill 't': invalid metaskill return value: list",
    );
  });

  it('R09: the trace starts and ends with the host’s entries', async () => {
    const { result } = await call({
      program: async ({ ask, trace }) => {
        await ask('x');
        trace('mine', { a: 1 });
        return { status: 'accepted', answer: 'ok' };
      },
    });
    expect(result.split('\n')[0]).toBe('[Metaskill: t completed]');
    const trace = envelope(result)['trace'] as { kind: string; data: Record<string, unknown> }[];
    expect(trace[0]).toEqual({ kind: 'metaskill_start', data: { name: 't', language: 'starlark' } });
    expect(trace[1]).toEqual({ kind: 'mine', data: { a: 1 } });
    expect(trace[2]).toMatchObject({
      kind: 'metaskill_finish',
      data: { name: 't', status: 'accepted', ask_calls: 1, command_calls: 0, duration_s: expect.any(Number) as number },
    });
  });

  it('an error is cut at 20,000 characters, visibly', async () => {
    const { result } = await call({ program: () => Promise.reject(new Error('😀'.repeat(30_000))) });
    expect(Array.from(result)).toHaveLength(20_000);
    expect(result).toMatch(/^error: metaskill 't': .*\[truncated\]$/u);
  });

  it('T19: an input that is no JSON is an error too', async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    for (const input of [cyclic, { big: 1n }])
      expect((await run({ name: 't', input })).result).toMatch(/^error: input must be JSON/);
  });

  it('R02: traces cost nothing', async () => {
    const program = ({ trace }: ScriptApi) => {
      for (let index = 0; index < 20; index++) trace('x');
    };
    expect((await call({ program }, { max_ask_calls: 1, max_command_calls: 1 })).ok).toBe(true);
  });

  it('X03, X05: cancelling ends the run and what it waits for', async () => {
    let wasAborted = false;
    let stop = (): void => {};
    const outcome = await call({
      onStart: (cancel) => {
        stop = cancel;
      },
      ask: ({ signal }) => {
        setTimeout(() => stop());
        return new Promise((_, reject) => {
          (signal as unknown as EventTarget).addEventListener('abort', () => {
            wasAborted = true;
            reject(new Error('aborted'));
          });
        });
      },
      program: async ({ ask }) => ask('slow'),
    });
    expect(outcome.result).toBe("error: metaskill 't': cancelled");
    expect(wasAborted).toBe(true);
  });

  it('X05: a call that never answers is a step that failed, recorded before the finish', async () => {
    const events: MetaskillEvent[] = [];
    let stop = (): void => {};
    const { steps } = await call({
      events,
      onStart: (cancel) => {
        stop = cancel;
      },
      ask: () => {
        setTimeout(() => stop());
        return new Promise(() => {});
      },
      program: ({ ask }) => ask('slow'),
    });
    expect(steps).toMatchObject([{ kind: 'ask', request: 'slow', ok: false, response: 'cancelled' }]);
    expect(events.map(({ type }) => type)).toEqual(['metaskill.started', 'metaskill.step', 'metaskill.finished']);
  });

  it('events tell the run as it happens, and survive a failure', async () => {
    const events: MetaskillEvent[] = [];
    await call({
      events,
      program: async ({ ask, trace }) => {
        await ask('x');
        trace('k', { v: 1 });
        throw new Error('boom');
      },
    });
    expect(events.map(({ type }) => type)).toEqual([
      'metaskill.started',
      'metaskill.step',
      'metaskill.trace',
      'metaskill.finished',
    ]);
    expect(events.at(-1)).toMatchObject({ status: 'error', askCalls: 1 });
  });
});
