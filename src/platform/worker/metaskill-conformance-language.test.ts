// Conformance cases L (language and module), with the real engine.
import { describe, expect, it } from 'vitest';
import { body, useMetaskills } from './testing/metaskill-run.ts';

const { run, play, value } = useMetaskills();

const SYNTAX = /^error: metaskill 't': syntax error: SKILL\.star:\d+:\d+: /;
const RUNTIME = /^error: metaskill 't': runtime error: /;

describe('run(input)', () => {
  it('L01: returns a dict', async () => {
    const { result } = await run('def run(input):\n  return {"answer": "a"}');
    expect(result).toMatch(/^\[Metaskill: t completed\]\n\{"answer":"a","status":"ok","trace":\[/);
  });

  it('L03: that is no function cannot be called', async () => {
    const { result } = await run('run = 5');
    expect(result).toMatch(/^error:/);
    expect(result).toContain('invalid call of non-function (int)');
  });

  it.each([
    ['def run():\n  return 1', 'accepts no arguments (1 given)'],
    ['def run(a, b):\n  return 1', 'missing 1 argument (b)'],
  ])('L04: %j has the wrong number of parameters', async (program, message) => {
    const { result } = await run(program);
    expect(result).toMatch(/^error:/);
    expect(result).toContain(message);
  });

  it.each([
    ['run = lambda input: "x"'],
    ['def run(data):\n  return "x"'],
    ['def run(i, extra=2):\n  return "x"'],
    ['def run(*a):\n  return "x"'],
  ])('L05: %j runs', async (program) => {
    expect((await run(program)).envelope).toMatchObject({ status: 'ok', answer: 'x' });
  });

  it('L06: is called exactly once', async () => {
    const { entries } = await play('trace("called")');
    expect(entries.filter(({ kind }) => kind === 'called')).toHaveLength(1);
  });

  it('L08: an undefined name stops the program before its first host call', async () => {
    const ran = await play('trace("x")\nask("x")\nreturn nope');
    expect(ran.result).toMatch(/^error: metaskill 't': /);
    expect(ran.result).toContain('undefined: nope');
    expect(ran.asks).toEqual([]);
    expect(ran.entries.map(({ kind }) => kind)).toEqual(['metaskill_start', 'metaskill_finish']);
  });
});

describe('the dialect', () => {
  const after = body('return "x"');

  it.each([
    ['a top-level for', `for i in [1]:\n  pass\n${after}`, 'not within a function'],
    ['a top-level if', `if True:\n  x = 1\n${after}`, 'not within a function'],
    ['a global assigned twice', `x = 1\nx = 2\n${after}`, 'cannot reassign global'],
    ['two functions run', after + after, 'cannot reassign global'],
    ['while', body('while True:\n    pass'), 'does not support while loops'],
  ])('L11: %s is refused', async (_what, program, message) => {
    const { result } = await run(program);
    expect(result).toMatch(/^error: metaskill 't': /);
    expect(result).toContain(message);
  });

  it('L12: there are no sets', async () => {
    const { result } = await play('return str(set([1]))');
    expect(result).toMatch(/^error: /);
    expect(result).toContain('does not support sets');
  });

  it.each([
    ['f-string', body('return f"{input}"')],
    ['generator expression', body('return str(list(x for x in [1]))')],
    ['is', body('return str(input is None)')],
    ['try', body('try:\n    pass\nexcept:\n    pass')],
    ['class', `class A:\n  pass\n${after}`],
    ['import', `import json\n${after}`],
    ['del', body('x = {"a": 1}\ndel x["a"]')],
    ['assert', body('assert True')],
    ['walrus', body('if (n := 1) > 0:\n    return "x"')],
    ['**', body('return str(2 ** 3)')],
    ['annotation of a parameter', 'def run(input: dict):\n  return "x"'],
    ['annotation of a result', 'def run(input) -> str:\n  return "x"'],
    ['annotation of a variable', body('x: int = 1')],
    ['decorator', `@deco\n${after}`],
    ['implicit string concatenation', body('return "a" "b"')],
    ['chained comparison', body('return str(1 < 2 < 3)')],
  ])('L13: %s is a syntax error', async (_what, program) => {
    const { result, entries } = await run(program);
    expect(result).toMatch(SYNTAX);
    expect(entries).toHaveLength(2);
  });

  it.each([['return "{:>5}".format(1)'], ['return "%5d" % 3']])('L14: %s is a runtime error', async (lines) => {
    expect((await play(lines)).result).toMatch(RUNTIME);
  });

  it('L14: plain formatting works', async () => {
    expect(await value('return "%s-%d" % ("a", 3)')).toMatchObject({ answer: 'a-3' });
    expect(await value('return "{} {x}".format(1, x=2)')).toMatchObject({ answer: '1 2' });
  });

  it.each(['json', 'math', 'time', 'struct', 'sum', 'round', 'isinstance', 'open', 'agent'])(
    'L15: %s is not defined',
    async (name) => {
      const { result } = await play(`x = ${name}\nreturn "x"`);
      expect(result).toMatch(/^error: metaskill 't': /);
      expect(result).toContain(`undefined: ${name}`);
    },
  );

  it('L16: nothing can be loaded', async () => {
    const top = await run(`load("x.star", "y")\n${body('return "x"')}`);
    expect(top.result).toMatch(/^error: /);
    expect(top.result).toContain('load not implemented');
    const inside = await play('load("x.star", "y")');
    expect(inside.result).toMatch(/^error: /);
    expect(inside.result).toContain('load statement within a function');
  });

  it('L17: numbers', async () => {
    const { result } = await play('return str(1/0)');
    expect(result).toMatch(RUNTIME);
    expect(result).toContain('floating-point division by zero');
    expect((await play('return {"half": 5/2, "mod": -5%3, "big": 1<<100}')).result).toContain(
      '{"half":2.5,"mod":1,"big":1267650600228229401496703205376,',
    );
  });

  it('L18: a string is not iterable, its elems and codepoints are', async () => {
    const { result } = await play('for c in "ab":\n    pass');
    expect(result).toMatch(RUNTIME);
    expect(result).toContain('string value is not iterable');
    expect(await value('return {"e": list("ab".elems()), "c": list("é😀".codepoints())}')).toMatchObject({
      e: ['a', 'b'],
      c: ['é', '😀'],
    });
  });

  it('L19: len counts bytes', async () => {
    expect(await value('return {"n": [len("é"), len("😀")], "answer": "abc"[::-1]}')).toMatchObject({
      n: [2, 4],
      answer: 'cba',
    });
  });
});

describe('values', () => {
  it('L20: the input is frozen, a copy of it is not', async () => {
    const input = { l: [1] };
    const insert = await play('input["z"] = 1', { input });
    expect(insert.result).toMatch(RUNTIME);
    expect(insert.result).toContain('frozen hash table');
    const append = await play('input["l"].append(1)', { input });
    expect(append.result).toMatch(RUNTIME);
    expect(append.result).toContain('frozen list');
    expect(await value('copy = dict(input)\ncopy["z"] = 2\nreturn copy', { input })).toMatchObject({ l: [1], z: 2 });
  });

  it('L21: values of the module are frozen when run starts', async () => {
    const { result } = await run(`seen = []\n${body('seen.append(1)')}`);
    expect(result).toMatch(RUNTIME);
    expect(result).toContain('frozen');
  });

  it('L22: what ask and command return may be changed, and later calls do not see it', async () => {
    const envelope = await value(
      [
        'a = ask("1")',
        'a["answer"] = "changed"',
        'a["more"] = [1]',
        'c = command(["x"])',
        'c.clear()',
        'return {"a": a, "again": ask("2"), "c": command(["x"])}',
      ].join('\n'),
    );
    expect(envelope).toMatchObject({
      a: { answer: 'changed', more: [1] },
      again: { answer: 'yes', exhausted: false, turns: 1, truncated: false },
      c: { ok: true, result: 'fine' },
    });
  });

  it('L24: the types of JSON arrive as the types of Starlark', async () => {
    const input = { i: 1, f: 1.5, s: 'x', b: true, n: null, l: [1], d: { a: 1 } };
    const lines = 'return {"types": [type(input[k]) for k in input], "isNone": input["n"] == None}';
    expect(await value(lines, { input })).toMatchObject({
      types: ['int', 'float', 'string', 'bool', 'NoneType', 'list', 'dict'],
      isNone: true,
    });
  });

  it.each([
    ['returned', 'return "é"[0]'],
    ['returned inside a dict', 'return {"answer": ["é"[0]]}'],
    ['traced', 'trace("x", {"v": "é"[0]})\nreturn "passed"'],
    ['asked', 'ask("é"[0])\nreturn "passed"'],
    ['commanded', 'command(["é"[0]])\nreturn "passed"'],
  ])('L27: text that is not UTF-8 cannot be %s', async (_how, lines) => {
    const { result, asks, commands } = await play(lines);
    expect(result).toMatch(/^error: metaskill 't': /);
    expect(result).not.toContain('\uFFFD');
    expect([asks, commands]).toEqual([[], []]);
  });

  it('L28: fail says its words', async () => {
    const { result } = await play('fail("boom")');
    expect(result).toMatch(RUNTIME);
    expect(result).toContain('fail: boom');
  });

  it('L28, RUN3: words of a program never change what kind of failure it is', async () => {
    for (const words of ['my budget exhausted', 'order was cancelled', 'a timeout'])
      expect((await play(`fail("${words}")`)).result).toContain(`fail: ${words}`);
  });

  it('L30, BUD4, EVT3: print goes to the console of the run and costs nothing', async () => {
    const ran = await play('for i in range(30):\n    print("x", i)\nreturn "done"');
    expect(ran.ok).toBe(true);
    expect(ran.printed.slice(0, 2)).toEqual(['x 0', 'x 1']);
    expect(ran.printed).toHaveLength(30);
    expect(ran.result).not.toContain('x 1');
    expect(ran.steps).toEqual([]);
    expect(ran.events.map(({ type }) => type)).toEqual(['metaskill.started', 'metaskill.finished']);
  });

  it('L32: there is no global input', async () => {
    const { result } = await run(`x = input\n${body('return "x"')}`);
    expect(result).toMatch(/^error: metaskill 't': /);
    expect(result).toContain('undefined: input');
  });

  it('L33: a program may define its own ask', async () => {
    const ran = await run(`def ask(prompt):\n  return "mine: " + prompt\n${body('return ask("x")')}`);
    expect(ran.envelope).toMatchObject({ answer: 'mine: x' });
    expect(ran.asks).toEqual([]);
  });

  it('L34: an unassigned local and a dict that changes under iteration are errors', async () => {
    const local = await play('if not input:\n    x = 1\nreturn x');
    expect(local.result).toMatch(RUNTIME);
    expect(local.result).toContain('referenced before assignment');
    expect((await play('d = {"a": 1}\nfor k in d:\n    d["b"] = 2')).result).toMatch(RUNTIME);
  });

  it('L35: a NUL byte in the source is an error', async () => {
    expect((await run(`# \0\n${body('return "x"')}`)).result).toMatch(/^error: metaskill 't': /);
  });
});
