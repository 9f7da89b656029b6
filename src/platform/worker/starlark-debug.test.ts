import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DebugOptions, ResumeCommand, RunHandle } from '../../model/starlark/engine.ts';
import type { Pause, RunResult } from '../../model/starlark/messages.ts';
import { ASK_RESULT, startTestEngine, type TestEngine, timePasses } from './testing/node-engine.ts';

let test: TestEngine;
beforeAll(() => {
  test = startTestEngine();
});
afterAll(() => test[Symbol.dispose]());

const PROGRAM = `LIMIT = 2

def inner(n):
    m = n + 1
    return m

def run(input):
    total = 0
    names = {"first": [1, 2], "second": None}
    for i in range(LIMIT):
        total = inner(total)
    def add(x):
        return x + total
    return {"total": add(1), "asked": ask("x")["answer"]}
`;

type Step = ResumeCommand | ((handle: RunHandle, pause: Pause) => Promise<ResumeCommand>);

const debug = async (
  options: Partial<DebugOptions>,
  steps: readonly Step[],
  text = PROGRAM,
): Promise<{ stops: string[]; pauses: Pause[]; result: RunResult }> => {
  const pauses: Pause[] = [];
  const handle: RunHandle = test.engine.run(
    {
      program: { file: 'SKILL.star', text },
      inputJson: '{}',
      limits: { timeoutMs: 3000 },
      debug: { breakpoints: [], stopOnEntry: false, ...options },
    },
    {
      call: async () => ({ ok: true, valueJson: ASK_RESULT }),
      paused: (pause) => {
        const step = steps[pauses.length] ?? 'continue';
        pauses.push(pause);
        if (typeof step === 'string') handle.resume(step);
        else void step(handle, pause).then((command) => handle.resume(command));
      },
    },
  );
  const result = await handle.result;
  return { stops: pauses.map(({ reason, range }) => `${reason} ${range.line}`), pauses, result };
};

describe('debugger', () => {
  it('DBG1: stops at breakpoints, moved to the next statement', async () => {
    const { stops, result } = await debug({ breakpoints: [{ line: 6 }, { line: 11 }] }, []);
    expect(stops).toEqual(['breakpoint 7', 'breakpoint 11', 'breakpoint 11']);
    expect(result).toMatchObject({ ok: true, valueJson: '{"total":3,"asked":"yes"}' });
  });

  it('DBG2: steps into, over and out', async () => {
    expect(
      (await debug({ breakpoints: [{ line: 11 }] }, ['stepIn', 'stepIn', 'stepOut', 'stepOver', 'continue'])).stops,
    ).toEqual(['breakpoint 11', 'step 4', 'step 5', 'step 11', 'step 12']);
    expect((await debug({ stopOnEntry: true }, ['stepOver', 'stepOver', 'stepOver'])).stops).toEqual([
      'entry 1',
      'step 3',
      'step 7',
      'step 8',
    ]);
  });

  it('DBG3: conditions', async () => {
    expect((await debug({ breakpoints: [{ line: 4, condition: 'n > 0' }] }, [])).stops).toEqual(['breakpoint 4']);
    const { pauses } = await debug({ breakpoints: [{ line: 4, condition: 'ask("x")' }] }, []);
    expect(pauses[0]?.note).toContain('undefined: ask');
  });

  it('DBG4: shows the stack and variables, captured ones too', async () => {
    const { pauses } = await debug({ breakpoints: [{ line: 4 }, { line: 13 }] }, []);
    expect(pauses[0]?.frames.map(({ name, range }) => `${name} ${range.line}`)).toEqual(['inner 4', 'run 11']);
    expect(pauses[0]?.frames[1]?.variables).toContainEqual({ name: 'total', type: 'int', repr: '0', scope: 'cell' });
    expect(pauses[0]?.globals.map(({ name }) => name)).toEqual(['LIMIT', 'inner', 'run']);
    expect(pauses.at(-1)?.frames[0]?.variables).toContainEqual({
      name: 'total',
      type: 'int',
      repr: '2',
      scope: 'free',
    });
  });

  it('DBG5: evaluates names and expressions without host functions', async () => {
    const seen: unknown[] = [];
    await debug({ breakpoints: [{ line: 11 }] }, [
      async (handle) => {
        for (const expression of ['total', 'names["first"][1] + LIMIT', 'ask("x")', 'inner(', 'inner(41)']) {
          seen.push(await handle.evaluate(0, expression));
        }
        seen.push(await handle.evaluate(9, 'total'));
        return 'continue';
      },
    ]);
    expect(seen).toMatchObject([
      { ok: true, value: { repr: '0' } },
      { ok: true, value: { repr: '4' } },
      { ok: false, message: expect.stringContaining('undefined: ask') as string },
      { ok: false },
      { ok: true, value: { repr: '42' } },
      { ok: false, message: 'there is no such frame' },
    ]);
  });

  it('DBG6: values unfold part by part', async () => {
    const { pauses } = await debug({ breakpoints: [{ line: 11 }] }, [
      async (handle, pause) => {
        const names = pause.frames[0]?.variables.find(({ name }) => name === 'names');
        const parts = await handle.expand(names?.ref ?? 0);
        expect(parts).toMatchObject({
          ok: true,
          value: [
            { name: '"first"', repr: '[1, 2]' },
            { name: '"second"', repr: 'None' },
          ],
        });
        return 'continue';
      },
    ]);
    expect(pauses).toHaveLength(2);
  });

  it('DBG7: time spent paused does not count, and the language worker continues', async () => {
    const { result } = await debug({ breakpoints: [{ line: 13 }] }, [
      async () => {
        const { diagnostics } = await test.engine.analyse({ file: 'SKILL.star', text: 'x = 1' });
        expect(diagnostics).toEqual([]);
        await timePasses(3600);
        return 'continue';
      },
    ]);
    expect(result.ok).toBe(true);
    expect(result.stats.heldMs).toBeGreaterThan(3500);
  });

  it('DBG8: a running program can be paused, given breakpoints and cancelled', async () => {
    const pauses: Pause[] = [];
    const handle = test.engine.run(
      {
        program: {
          file: 'SKILL.star',
          text: 'def run(input):\n  print("begun")\n  for i in range(10 << 40):\n    x = i\n',
        },
        inputJson: '{}',
        debug: { breakpoints: [], stopOnEntry: false },
      },
      {
        call: async () => ({ ok: true, valueJson: ASK_RESULT }),
        print: () => handle.pause(),
        paused: (pause) => {
          pauses.push(pause);
          if (pauses.length === 1) {
            handle.setBreakpoints([{ line: 4 }]);
            handle.resume('continue');
          } else handle.cancel('enough');
        },
      },
    );
    expect(await handle.result).toMatchObject({ ok: false, error: { kind: 'cancelled' } });
    expect(pauses.map(({ reason }) => reason)).toEqual(['pause', 'breakpoint']);
    expect(await handle.evaluate(0, 'i')).toEqual({ ok: false, message: 'the program is not paused' });
  });

  it('DBG9: a run without debugger counts the same steps every time', async () => {
    const steps = new Set<number>();
    for (let n = 0; n < 3; n++) {
      const handle = test.engine.run(
        { program: { file: 'SKILL.star', text: PROGRAM }, inputJson: '{}' },
        { call: async () => ({ ok: true, valueJson: ASK_RESULT }) },
      );
      steps.add((await handle.result).stats.steps);
    }
    expect(steps.size).toBe(1);
  });
});
