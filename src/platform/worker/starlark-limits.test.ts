// Programs that will not stop, or take the engine down: each ends as an error, and the next run works.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunResult } from '../../model/starlark/messages.ts';
import { play, startTestEngine, type TestEngine, timePasses } from './testing/node-engine.ts';

let test: TestEngine;
beforeAll(async () => {
  test = startTestEngine();
  await test.engine.warm();
});
afterAll(() => test[Symbol.dispose]());

const kindOf = (result: RunResult): string => (result.ok ? 'ok' : result.error.kind);

const LOOP = 'def run(input):\n  n = 0\n  for i in range(10 << 40):\n    n += 1\n';
const works = async (): Promise<void> => {
  expect((await play(test.engine, 'def run(input):\n  return "works"')).result).toMatchObject({
    ok: true,
    valueJson: '"works"',
  });
};

describe('time', () => {
  // How soon after the deadline is measured in bench/: times of a loaded machine are not a verdict.
  it('LIM1: a pure loop stops at its deadline, and says where', async () => {
    const { result } = await play(test.engine, LOOP, { limits: { timeoutMs: 500 } });
    expect(result).toMatchObject({ ok: false, error: { kind: 'timeout', file: 'SKILL.star' } });
    expect(result.stats.ms).toBeGreaterThanOrEqual(500);
    expect(!result.ok && result.error.range?.line).toBeGreaterThanOrEqual(3);
  });

  it('LIM2: steps that each take long do not delay the end', async () => {
    const { result } = await play(
      test.engine,
      'def run(input):\n  for i in range(1 << 40):\n    x = "ab" * 1000000\n',
      { limits: { timeoutMs: 500 } },
    );
    expect(kindOf(result)).toBe('timeout');
  });

  it('LIM3: the step limit is exact', async () => {
    const { result } = await play(test.engine, LOOP, { limits: { maxSteps: 100_000 } });
    expect(kindOf(result)).toBe('steps');
    expect(result.stats.steps).toBe(100_000);
  });

  it('LIM4: an unanswered ask ends at the deadline', async () => {
    const answer = () => new Promise<never>(() => {});
    const { result } = await play(test.engine, 'def run(input):\n  ask("x")', { limits: { timeoutMs: 200 }, answer });
    expect(kindOf(result)).toBe('timeout');
  });

  it('LIM5: waiting for a person does not count', async () => {
    const handle = test.engine.run(
      {
        program: { file: 'SKILL.star', text: 'def run(input):\n  return ask("x")["answer"]' },
        inputJson: '{}',
        limits: { timeoutMs: 300 },
      },
      {
        call: async () => {
          handle.setWaiting(true);
          await timePasses(900);
          handle.setWaiting(false);
          return { ok: true, valueJson: '{"answer":"approved"}' };
        },
      },
    );
    const result = await handle.result;
    expect(result).toMatchObject({ ok: true, valueJson: '"approved"' });
    expect(result.stats.heldMs).toBeGreaterThan(800);
    expect(result.stats.ms).toBeLessThan(result.stats.heldMs);
  });

  it('LIM6: an operation that cannot be interrupted is ended from outside', async () => {
    const program = 'def run(input):\n  x = 3\n  for i in range(40):\n    x = x * x\n  return "no"';
    const { result } = await play(test.engine, program, { limits: { timeoutMs: 1000 } });
    expect(kindOf(result)).toBe('timeout');
    await works();
  });
});

describe('cancellation', () => {
  /** Cancels when the program has printed, or when it asks. */
  const cancelWhenBegun = (program: string): Promise<RunResult> => {
    const cancel = (): void => handle.cancel('stopped by the user');
    const handle = test.engine.run(
      { program: { file: 'SKILL.star', text: program }, inputJson: '{}' },
      {
        call: () => {
          cancel();
          return new Promise<never>(() => {});
        },
        print: cancel,
      },
    );
    return handle.result;
  };

  it.each([
    ['a pure loop', LOOP.replace('n = 0', 'print("begun")\n  n = 0')],
    ['a waiting ask', 'def run(input):\n  ask("x")'],
  ])('CAN1: %s', async (_what, program) => {
    expect(await cancelWhenBegun(program)).toMatchObject({
      ok: false,
      error: { kind: 'cancelled', message: 'stopped by the user' },
    });
    await works();
  });

  it('CAN2: before the start', async () => {
    const handle = test.engine.run(
      { program: { file: 'SKILL.star', text: 'def run(input):\n  return 1' }, inputJson: '{}' },
      { call: () => new Promise<never>(() => {}) },
    );
    handle.cancel('stopped by the user');
    expect(kindOf(await handle.result)).toBe('cancelled');
  });

  it('CAN3: an operation that cannot be interrupted', async () => {
    const result = await cancelWhenBegun(
      'def run(input):\n  print("begun")\n  x = 3\n  for i in range(40):\n    x = x * x',
    );
    expect(kindOf(result)).toBe('cancelled');
    await works();
  });

  it('CAN4: the signal of a pending call aborts when the run ends', async () => {
    let aborted = false;
    const handle = test.engine.run(
      {
        program: { file: 'SKILL.star', text: 'def run(input):\n  ask("x")' },
        inputJson: '{}',
        limits: { timeoutMs: 200 },
      },
      {
        call: (_call, signal) => {
          signal.addEventListener('abort', () => {
            aborted = true;
          });
          return new Promise<never>(() => {});
        },
      },
    );
    await handle.result;
    await Promise.resolve();
    expect(aborted).toBe(true);
  });
});

describe('what kills an instance', () => {
  it.each([
    ['[0] * (1 << 29)', 'memory'],
    ['list(range(1 << 31 - 1))', 'memory'],
    ['["a" * (1 << 26) + str(i) for i in range(40)]', 'memory'],
  ])('KILL1: %s', async (text, kind) => {
    const { result } = await play(test.engine, `def run(input):\n  x = ${text}\n  return str(len(x))`, {
      limits: { timeoutMs: 20_000 },
    });
    expect(kindOf(result)).toBe(kind);
    await works();
  });

  it('KILL2: a list that grows ends with a position, before memory is refused', async () => {
    const { result } = await play(
      test.engine,
      'def run(input):\n  x = []\n  for i in range(1 << 40):\n    x.append("number %d" % i)\n',
      {
        limits: { timeoutMs: 60_000, maxMemoryBytes: 8 * 1024 * 1024 },
      },
    );
    expect(result).toMatchObject({
      ok: false,
      error: { kind: 'memory', message: 'the program uses more than 8 MiB', file: 'SKILL.star' },
    });
    await works();
  });

  it('KILL3: a value nested too deep to be printed', async () => {
    const { result } = await play(
      test.engine,
      'def run(input):\n  x = []\n  for i in range(100000):\n    x = [x]\n  return str(len(str(x)))',
    );
    expect(kindOf(result)).toBe('engine');
    await works();
  });

  it('KILL4: a chain of thousands of operators is refused before it is parsed', async () => {
    const { result } = await play(test.engine, `def run(input):\n  return str(${'1+'.repeat(8000)}1)`);
    expect(kindOf(result)).toBe('syntax');
    const { diagnostics } = await test.engine.analyse({ file: 'SKILL.star', text: `x = ${'1+'.repeat(8000)}1` });
    expect(diagnostics.map(({ code }) => code)).toEqual(['too-long']);
  });

  it('KILL5: deep programs within the limits are fine', async () => {
    const terms = `def run(input):\n  return str(${'1+'.repeat(1400)}1)`;
    expect((await play(test.engine, terms)).result).toMatchObject({ ok: true, valueJson: '"1401"' });
    const branches = Array.from({ length: 500 }, (_, n) => `  elif input["k"] == ${n + 5}:\n    return "${n}"`).join(
      '\n',
    );
    expect(
      kindOf((await play(test.engine, `def run(input):\n  if input["k"] == 0:\n    return ""\n${branches}\n`)).result),
    ).toBe('ok');
    const chain = Array.from({ length: 1000 }, (_, n) => `def f${n}(x):\n  return f${n + 1}(x)`).join('\n');
    expect(
      kindOf(
        (await play(test.engine, `${chain}\ndef f1000(x):\n  return x\ndef run(input):\n  return str(f0(1))`)).result,
      ),
    ).toBe('ok');
  });

  it('KILL6: no worker is left behind', async () => {
    await works();
    await test.engine.warm();
    // The spare; the language worker of KILL4.
    expect(test.engine.workers).toBeLessThanOrEqual(2);
  });
});

describe('the console', () => {
  it('PRT1: is cut at its limit, once', async () => {
    const { prints } = await play(test.engine, 'def run(input):\n  for i in range(10000):\n    print("ä" * 99)', {
      limits: { maxPrint: 1000 },
    });
    expect(prints).toHaveLength(11);
  });
});

describe('two runs at the same time', () => {
  it('RUN1: do not meet', async () => {
    const programs = ['a', 'b', 'c'].map(
      (name) => `def run(input):\n  x = ""\n  for i in range(5):\n    x += ask("${name}")["answer"]\n  return x`,
    );
    const played = await Promise.all(
      programs.map((program) =>
        play(test.engine, program, {
          answer: async (call) => ({
            ok: true,
            valueJson: JSON.stringify({ answer: (JSON.parse(call.argsJson) as { prompt: string }).prompt }),
          }),
        }),
      ),
    );
    expect(played.map(({ result }) => result.ok && result.valueJson)).toEqual(['"aaaaa"', '"bbbbb"', '"ccccc"']);
  });
});
