/** The engine in a real browser worker: what Node cannot show. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunHost, RunRequest } from '../../model/starlark/engine.ts';
import type { RunResult } from '../../model/starlark/messages.ts';
import type { EngineHost } from './engine-host.ts';
import { createBrowserEngine } from './starlark-browser.ts';

const answer = '{"answer":"yes","exhausted":false,"turns":1,"truncated":false}';

let engine: EngineHost;
beforeAll(() => {
  engine = createBrowserEngine('/starlark.wasm');
});
afterAll(() => engine.dispose());

const run = (text: string, limits: RunRequest['limits'] = {}, host: Partial<RunHost> = {}): Promise<RunResult> =>
  engine.run(
    { program: { file: 'SKILL.star', text }, inputJson: '{"k":1}', limits },
    { call: () => Promise.resolve({ ok: true, valueJson: answer }), ...host },
  ).result;

const kindOf = (result: RunResult): string => (result.ok ? 'ok' : result.error.kind);

describe('the Starlark engine in a browser', () => {
  it('runs a program, with asks that are answered later', async () => {
    const result = await run(
      'def run(input):\n    return ask("a")["answer"] + str(input["k"])\n',
      {},
      {
        call: () => new Promise((resolve) => void setTimeout(() => resolve({ ok: true, valueJson: answer }))),
      },
    );
    expect(result).toMatchObject({ ok: true, valueJson: '"yes1"', valueType: 'string' });
  });

  it('X01: a pure loop ends at its deadline, and the page continues meanwhile', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    const result = await run('def run(input):\n    for i in range(1000000000):\n        pass\n', { timeoutMs: 500 });
    clearInterval(timer);
    expect(kindOf(result)).toBe('timeout');
    expect(ticks).toBeGreaterThan(5);
  });

  it('X04: a program that makes no host call can be cancelled', async () => {
    const handle = engine.run(
      {
        program: {
          file: 'SKILL.star',
          text: 'def run(input):\n    print("begun")\n    for i in range(1000000000):\n        pass\n',
        },
        inputJson: '{}',
      },
      { call: () => Promise.resolve({ ok: true, valueJson: answer }), print: () => handle.cancel('user') },
    );
    expect(kindOf(await handle.result)).toBe('cancelled');
  });

  it('a program that exhausts memory is an error, and the next run works', async () => {
    const hungry =
      'def run(input):\n    x = []\n    for i in range(1000):\n        x.append("a" * (1 << 24) + str(i))\n    return "no"\n';
    expect(['memory', 'engine']).toContain(kindOf(await run(hungry)));
    expect(kindOf(await run('def run(input):\n    return "fine"\n'))).toBe('ok');
  });

  it('a computation that cannot be interrupted is ended with its worker, and the next run works', async () => {
    const stubborn = 'def run(input):\n    x = 3\n    for i in range(40):\n        x = x * x\n    return str(x)[:3]\n';
    expect(['timeout', 'engine', 'memory']).toContain(kindOf(await run(stubborn, { timeoutMs: 700 })));
    expect(kindOf(await run('def run(input):\n    return "fine"\n'))).toBe('ok');
  });

  it('analyzes and formats in its own worker', async () => {
    const analysis = await engine.analyse({ file: 'SKILL.star', text: 'def run(input):\n    return inpt\n' });
    expect(analysis.diagnostics).toMatchObject([{ kind: 'resolve', range: { line: 2, column: 12 } }]);
    expect(await engine.format({ file: 'SKILL.star', text: 'def run( input ):\n  return 1\n' })).toEqual({
      ok: true,
      text: 'def run(input):\n    return 1\n',
    });
  });
});
