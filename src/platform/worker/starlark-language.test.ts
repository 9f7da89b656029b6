// The language of metaskill programs on the committed module. Names of tests are case ids of the conformance list.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { play, type PlayOptions, startTestEngine, type TestEngine } from './testing/node-engine.ts';

let test: TestEngine;
beforeAll(() => {
  test = startTestEngine();
});
afterAll(() => test[Symbol.dispose]());

const value = async (program: string, options?: PlayOptions): Promise<string> => {
  const { result } = await play(test.engine, program, options);
  if (!result.ok) throw new Error(`${result.error.kind}: ${result.error.message}`);
  return result.valueJson;
};
const failure = async (program: string, options?: PlayOptions): Promise<string> => {
  const { result } = await play(test.engine, program, options);
  return result.ok ? `no error: ${result.valueJson}` : `${result.error.kind}: ${result.error.message}`;
};
/** The value of an expression inside `run`. */
const expression = (text: string): string => `def run(input):\n  return {"v": ${text}}\n`;

describe('programs', () => {
  it('L01: run returns a dict', async () => {
    expect(await value('def run(input):\n  return {"k": input["k"]}')).toBe('{"k":1}');
  });

  it('L03, RUN2: run is not a function', async () => {
    expect(await failure('run = 5')).toBe('contract: invalid call of non-function (int)');
  });

  it('L04, RUN2: run takes no argument, or two', async () => {
    expect(await failure('def run():\n  pass')).toContain('accepts no arguments (1 given)');
    expect(await failure('def run(a, b):\n  pass')).toContain('missing 1 argument (b)');
  });

  it.each([
    'run = lambda input: "x"',
    'def run(data):\n  pass',
    'def run(i, extra=2):\n  pass',
    'def run(*a):\n  pass',
  ])('L05, RUN2: %s', async (program) => {
    expect(await failure(program)).toMatch(/^no error/);
  });

  it('L06, RUN2: run is called exactly once, with one positional argument', async () => {
    const { traces } = await play(
      test.engine,
      'def run(*args, **more):\n  trace("called", {"args": list(args), "more": more})',
    );
    expect(traces).toEqual([{ kind: 'called', data: { args: [{ k: 1 }], more: {} } }]);
  });

  it('L08: an undefined name inside run is an error before any host call', async () => {
    const { result, calls } = await play(test.engine, 'def run(input):\n  ask("x")\n  return nothing');
    expect(result).toMatchObject({
      ok: false,
      error: { kind: 'resolve', message: 'undefined: nothing', file: 'SKILL.star' },
    });
    expect(calls).toEqual([]);
  });

  it.each([
    ['for x in [1]:\n  pass', 'not within a function'],
    ['if True:\n  pass', 'not within a function'],
    ['x = 1\nx = 2', 'cannot reassign global'],
    ['def run(input):\n  pass\ndef run(input):\n  pass', 'cannot reassign global'],
  ])('L11: %s', async (program, message) => {
    expect(await failure(program)).toContain(message);
  });

  it('L12: no sets', async () => {
    expect(await failure(expression('set([1])'))).toContain('does not support sets');
  });

  it.each([
    'f"{input}"',
    '[x for x in (y for y in [1])]',
    'input is None',
    '(x := 1)',
    '2 ** 3',
    '"a" "b"',
    '1 < 2 < 3',
    '1_000',
  ])('L13: no %s', async (text) => {
    expect(await failure(expression(text))).toMatch(/^syntax: /);
  });

  it.each([
    'try:\n    pass',
    'class A:\n    pass',
    'import os',
    'del input',
    'assert input',
    'x: int = 1',
    'raise input',
    'with input:\n    pass',
    'global x',
    'yield 1',
  ])('L13: no statement %s', async (text) => {
    expect(await failure(`def run(input):\n  ${text}\n`)).toMatch(/^syntax: /);
  });

  it.each(['def run(input: dict):\n  pass', 'def run(input) -> str:\n  pass', '@wrap\ndef run(input):\n  pass'])(
    'L13: no %s',
    async (program) => {
      expect(await failure(program)).toMatch(/^syntax: /);
    },
  );

  it('L14: format specifications', async () => {
    expect(await failure(expression('"{:>5}".format(1)'))).toMatch(/^runtime: /);
    expect(await failure(expression('"%5d" % 3'))).toMatch(/^runtime: /);
    expect(await value(expression('["%s-%d" % ("a", 3), "{} {x}".format(1, x=2)]'))).toBe('{"v":["a-3","1 2"]}');
  });

  it.each(['json', 'math', 'time', 'struct', 'sum', 'round', 'isinstance', 'open', 'agent'])(
    'L15: no %s',
    async (name) => {
      expect(await failure(expression(name))).toContain(`resolve: undefined: ${name}`);
    },
  );

  it('L16: nothing can be loaded', async () => {
    expect(await failure('load("x.star", "y")\ndef run(input):\n  pass')).toContain('load not implemented');
    expect(await failure('def run(input):\n  load("x.star", "y")')).toContain('load statement within a function');
  });

  it('L17: arithmetic', async () => {
    expect(await failure(expression('1/0'))).toContain('floating-point division by zero');
    expect(await value(expression('[5/2, -5%3, 1<<100]'))).toBe('{"v":[2.5,1,1267650600228229401496703205376]}');
  });

  it('L18: strings are not iterable', async () => {
    expect(await failure(expression('[c for c in "ab"]'))).toContain('string value is not iterable');
    expect(await value(expression('[list("ab".elems()), list("é".codepoints())]'))).toBe('{"v":[["a","b"],["é"]]}');
  });

  it('L19: strings are bytes', async () => {
    expect(await value(expression('[len("é"), len("😀"), "abc"[::-1]]'))).toBe('{"v":[2,4,"cba"]}');
  });

  it('L20, VAL3: the input is frozen, a copy is not', async () => {
    expect(await failure('def run(input):\n  input["z"] = 1')).toContain('frozen hash table');
    expect(await failure('def run(input):\n  input["l"].append(1)', { inputJson: '{"l":[]}' })).toContain(
      'frozen list',
    );
    expect(await value('def run(input):\n  d = dict(input)\n  d["z"] = 1\n  return d')).toBe('{"k":1,"z":1}');
  });

  it('L21, VAL3: globals are frozen', async () => {
    expect(await failure('G = []\ndef run(input):\n  G.append(1)')).toContain('frozen list');
  });

  it('L22, VAL3: results of host calls belong to the program', async () => {
    const program = 'def run(input):\n  a = ask("x")\n  a["answer"] = 5\n  a["l"] = []\n  return ask("x")';
    expect(await value(program)).toBe('{"answer":"yes","exhausted":false,"turns":1,"truncated":false}');
  });

  it('L24, VAL1: types of the input', async () => {
    const inputJson = '{"i":1,"f":1.5,"s":"a","b":true,"n":null,"l":[],"d":{}}';
    const program = 'def run(input):\n  return {k: type(v) for k, v in input.items()}';
    expect(await value(program, { inputJson })).toBe(
      '{"i":"int","f":"float","s":"string","b":"bool","n":"NoneType","l":"list","d":"dict"}',
    );
  });

  it('L27, VAL2: invalid UTF-8 never leaves the program', async () => {
    for (const text of [
      'return "é"[0]',
      'ask("é"[0])',
      'trace("é"[0])',
      'trace("x", {"v": "é"[0]})',
      'command(["é"[0]])',
    ]) {
      expect(await failure(`def run(input):\n  ${text}`)).toContain('not valid UTF-8');
    }
  });

  it('L28: fail', async () => {
    expect(await failure('def run(input):\n  fail("boom")')).toBe('runtime: fail: boom');
  });

  it('L30: print goes to the console of the run', async () => {
    const { prints, calls } = await play(test.engine, 'def run(input):\n  print("x", 1)');
    expect([prints, calls]).toEqual([['x 1'], []]);
  });

  it('L32: there is no global input', async () => {
    expect(await failure('x = input\ndef run(input):\n  pass')).toBe('resolve: undefined: input');
  });

  it('L33: a program may hide ask', async () => {
    const { result, calls } = await play(
      test.engine,
      'def ask(x):\n  return "own " + x\ndef run(input):\n  return ask("a")',
    );
    expect([result.ok && result.valueJson, calls]).toEqual(['"own a"', []]);
  });

  it('L34: unassigned names, and a dict that changes under a loop', async () => {
    expect(await failure('def run(input):\n  if not input:\n    x = 1\n  return x')).toContain(
      'referenced before assignment',
    );
    expect(await failure('def run(input):\n  d = {"a": 1}\n  for k in d:\n    d[k + "x"] = 1')).toContain(
      'during iteration',
    );
  });

  it('L35, DIA3: NUL in the source', async () => {
    expect(await failure('def run(input):\n  return "a"\u0000 + undefined')).toBe(
      'syntax: The program contains a NUL character.',
    );
  });

  it('P21, P22, DIA3: frontmatter is refused, a byte order mark is not', async () => {
    expect(await failure('---\na: 1\n---\ndef run(input):\n  pass')).toContain('no frontmatter');
    expect(await value('\uFEFFdef run(input):\n  return "a"')).toBe('"a"');
  });
});

describe('host functions', () => {
  it('K04, RUN4: options of the wrong type', async () => {
    for (const bad of ['"4"', 'None', '2.5', 'True']) {
      expect(await failure(`def run(input):\n  ask("x", {"max_turns": ${bad}})`)).toContain(
        'opts.max_turns must be an int',
      );
    }
    expect(await failure('def run(input):\n  command(["x"], {"timeout": "5"})')).toContain(
      'opts.timeout must be an int, got string',
    );
    expect(await failure('def run(input):\n  ask("x", {"purpose": 5})')).toContain(
      'opts.purpose must be a string, got int',
    );
  });

  it('K05: options None, omitted or empty are the same, unknown ones pass', async () => {
    const { calls } = await play(
      test.engine,
      'def run(input):\n  ask("x", None)\n  ask("x")\n  ask("x", {})\n  ask("x", {"model": [1.0]})',
    );
    expect(calls.map((call) => call.argsJson)).toEqual([
      ...Array.from({ length: 3 }, () => '{"prompt":"x","opts":{}}'),
      '{"prompt":"x","opts":{"model":[1.0]}}',
    ]);
  });

  it('K06: keywords', async () => {
    expect(await failure('def run(input):\n  ask(prompt="x", opts={})')).toMatch(/^no error/);
    expect(await failure('def run(input):\n  ask()')).toContain('missing argument for prompt');
    expect(await failure('def run(input):\n  ask("x", timeout=1)')).toContain('unexpected keyword argument "timeout"');
  });

  it('K12: a refusal ends the run, and its text is not a format', async () => {
    const answer = () => Promise.reject(new Error('provider down 100%d'));
    const { result, traces } = await play(
      test.engine,
      'def f():\n  ask("x")\ndef run(input):\n  f()\n  trace("after")',
      { answer },
    );
    expect(result).toMatchObject({
      ok: false,
      error: { kind: 'host', code: 'failed', message: 'provider down 100%d' },
    });
    expect(result.ok ? [] : result.error.stack.map((frame) => frame.name)).toEqual(['run', 'f', 'ask']);
    expect(traces).toEqual([]);
  });

  it('RUN4: ranges and budgets are not the engine’s', async () => {
    const { result, calls } = await play(
      test.engine,
      'def run(input):\n  for i in range(60):\n    ask("x", {"max_turns": -5})\n    command(["x"], {"timeout": 99999})',
    );
    expect(result.ok).toBe(true);
    expect(calls).toHaveLength(120);
    expect(calls.slice(0, 2).map(({ argsJson }) => (JSON.parse(argsJson) as { opts: unknown }).opts)).toEqual([
      { max_turns: -5 },
      { timeout: 99_999 },
    ]);
  });

  it('C06, C07, RUN4: a wrong argv reaches the host, which knows its type', async () => {
    const { calls } = await play(
      test.engine,
      'def run(input):\n  command([])\n  command("echo hi")\n  command(None)\n  command(("a",))',
    );
    expect(calls.map((call) => JSON.parse(call.argsJson) as unknown)).toEqual([
      { argv: [], argvType: 'list', opts: {} },
      { argv: 'echo hi', argvType: 'string', opts: {} },
      { argv: null, argvType: 'NoneType', opts: {} },
      { argv: ['a'], argvType: 'tuple', opts: {} },
    ]);
  });

  it('R01, R03, R06: trace takes a copy and returns None', async () => {
    const { result, traces } = await play(
      test.engine,
      'def run(input):\n  d = {"x": [1]}\n  r = trace("a", d)\n  d["x"].append(2)\n  trace("b", None)\n  return {"r": r}',
    );
    expect(traces).toEqual([
      { kind: 'a', data: { x: [1] } },
      { kind: 'b', data: {} },
    ]);
    expect(result.ok && result.valueJson).toBe('{"r":null}');
  });

  it('R07, RUN4: trace checks its types', async () => {
    expect(await failure('def run(input):\n  trace(1)')).toContain('got int, want string');
    expect(await failure('def run(input):\n  trace("a", [1])')).toContain('data must be a dict, got list');
  });

  it('DIA4: says where a call stands, in UTF-16 columns', async () => {
    const { calls } = await play(test.engine, 'def run(input):\n  x = "😀" + ask("é")["answer"]\n');
    expect(calls[0]?.range).toEqual({ line: 2, column: 14, endLine: 2, endColumn: 22 });
  });
});

describe('errors', () => {
  it.each(['my budget exhausted', 'cancelled', 'metaskill timeout (5s) exceeded', 'syntax error', 'undefined: x'])(
    'RUN3: a program that fails with the words %j is a runtime error, a host that refuses with them a host error',
    async (words) => {
      const { result: own } = await play(test.engine, `def run(input):\n  fail("${words}")`);
      expect(own).toMatchObject({ ok: false, error: { kind: 'runtime', message: `fail: ${words}` } });
      const answer = () => ({ ok: false, code: 'x', message: words }) as const;
      const { result: refused } = await play(test.engine, 'def run(input):\n  ask("x")', { answer });
      expect(refused).toMatchObject({ ok: false, error: { kind: 'host', code: 'x', message: words } });
    },
  );

  it('DIA4: a position names the real file', async () => {
    const text = 'def run(input):\n  fail("x")';
    const run = test.engine.run(
      { program: { file: 'programs/own.star', text }, inputJson: '{}' },
      { call: () => Promise.reject(new Error('not called')) },
    );
    expect(await run.result).toMatchObject({
      ok: false,
      error: { file: 'programs/own.star', range: { line: 2, column: 3 } },
    });
  });
});

describe('results', () => {
  it.each([
    ['42', 'int'],
    ['1.5', 'float'],
    ['True', 'bool'],
    ['[1]', 'list'],
    ['(1, 2)', 'tuple'],
    ['b"x"', 'bytes'],
    ['range(3)', 'range'],
    ['run', 'function'],
  ])('N05, RUN2: %s', async (text, type) => {
    expect(await failure(`def run(input):\n  return ${text}`)).toBe(
      `contract: invalid metaskill return value: ${type}`,
    );
  });

  it('N06, VAL2: a dict with a function', async () => {
    expect(await failure('def run(input):\n  return {"x": [0, 1, run]}')).toBe(
      'value: the result is not JSON: $.x[2]: a function is not JSON',
    );
  });

  it('N09: tuples and ranges become lists', async () => {
    expect(await value(expression('[(1, (2,)), range(3)]'))).toBe('{"v":[[1,[2]],[0,1,2]]}');
  });

  it('N10, VAL2: no NaN, no Infinity', async () => {
    expect(await failure(expression('[float("nan")]'))).toContain('$.v[0]: nan is not JSON');
    expect(await failure(expression('float("-inf")'))).toContain('$.v: -inf is not JSON');
  });

  it('N12, VAL2: keys are strings', async () => {
    for (const key of ['1', 'None', 'True', '(1,)']) {
      expect(await failure(expression(`{${key}: 2}`))).toContain('$.v: a key must be a string');
    }
  });

  it('N13, VAL2: depth, and values that contain themselves', async () => {
    const nest = (depth: number) =>
      `def run(input):\n  x = []\n  for _ in range(${depth}):\n    x = [x]\n  return {"x": x}`;
    // Lists inside the dict: the innermost, and those around it.
    expect(await value(nest(199))).toHaveLength('{"x":}'.length + 2 * 200);
    expect(await failure(nest(200))).toContain('nested more than 200 levels deep');
    expect(await failure('def run(input):\n  x = []\n  x.append(x)\n  return {"x": x}')).toContain('contains itself');
    expect(await failure('def run(input):\n  x = {}\n  x["a b"] = x\n  trace("t", x)')).toContain('contains itself');
  });

  it.each([['float("nan")'], ['float("inf")'], ['b"x"'], ['run'], ['len'], ['{1: 2}'], ['"é"[0]']])(
    'VAL2: %s is refused with its path, wherever a value leaves the program',
    async (bad) => {
      for (const line of [`return {"x": [0, 1, ${bad}]}`, `trace("t", {"x": [0, 1, ${bad}]})`])
        expect(await failure(`def run(input):\n  ${line}`)).toContain('$.x[2]');
    },
  );

  it('N14, VAL1: integers are exact, floats stay floats', async () => {
    expect(
      await value('def run(input):\n  return {"i": 1 << 100, "f": 1.0, "n": input["n"], "e": 1e30}', {
        inputJson: '{"n":[1.0,1,12345678901234567890]}',
      }),
    ).toBe('{"i":1267650600228229401496703205376,"f":1.0,"n":[1.0,1,12345678901234567890],"e":1e+30}');
  });

  it('N15, VAL1: order of keys, text as it is', async () => {
    const inputJson = '{"z":1,"10":2,"2":3,"__proto__":4,"é😀\\u0000":"\\u0000"}';
    expect(await value('def run(input):\n  return dict(input)', { inputJson })).toBe(inputJson);
  });
});
