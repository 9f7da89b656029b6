// What the committed module says of a program without running it: checks, formatting, outline, worst case.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProgramProblem } from '../../model/starlark/messages.ts';
import { startThreadEngine, type ThreadEngine } from './testing/node-thread.ts';

let engine: ThreadEngine;
beforeAll(async () => {
  engine = await startThreadEngine();
});
afterAll(() => engine[Symbol.dispose]());

const problems = async (text: string): Promise<readonly ProgramProblem[]> => (await engine.analyse(text)).diagnostics;
const found = async (text: string): Promise<string[]> =>
  (await problems(text)).map(({ kind, range }) => `${kind} ${range.line}`);

describe('the source', () => {
  const RUN = 'def run(input):\n  return "a"\n';

  it.each([
    ['a NUL', `${RUN}x = "\u0000"\n`],
    ['frontmatter', `---\nname: x\n---\n${RUN}`],
    ['more than 1 MiB', `${RUN}#${'x'.repeat(1024 * 1024 - RUN.length)}`],
    ['more than 1,500 operators in a row', `${RUN}x = ${'1+'.repeat(1501)}1\n`],
  ])('DIA3: %s is refused before parsing', async (_what, text) => {
    // Whatever else is wrong is not looked at.
    const list = await problems(`${text}\nclass A:\n  pass\n`);
    expect(list.map(({ kind }) => kind)).toEqual(['syntax']);
    expect(list[0]?.message).not.toContain('class');
    expect(await engine.run(text)).toMatchObject({ ok: false, error: { kind: 'syntax' } });
  });

  it.each([
    ['a byte order mark', `\uFEFF${RUN}`],
    ['1 MiB', `${RUN}#${'x'.repeat(1024 * 1024 - RUN.length - 1)}`],
    ['1,500 operators in a row', `${RUN}x = ${'1+'.repeat(1500)}1\n`],
  ])('DIA3: %s is fine', async (_what, text) => {
    expect(await problems(text)).toEqual([]);
    expect(await engine.run(text)).toMatchObject({ ok: true, valueJson: '"a"' });
  });

  it('DIA4: lines and columns count from 1, columns in UTF-16 units', async () => {
    const ranges = (await problems('nope\nx = "😀é" + nope2\r\ny = nope3\n')).map(({ range }) => range);
    expect(ranges).toEqual([
      { line: 1, column: 1, endLine: 1, endColumn: 5 },
      { line: 2, column: 13, endLine: 2, endColumn: 18 },
      { line: 3, column: 5, endLine: 3, endColumn: 10 },
    ]);
  });
});

describe('checks', () => {
  const BROKEN = 'def a(:\n  pass\n\ndef b():\n  try:\n    pass\n\nx = nope\n\ndef c():\n  return 1 +\n';

  it('CHK1: all syntax errors are reported, each top-level statement for itself', async () => {
    expect(await found(BROKEN)).toEqual(['syntax 1', 'syntax 5', 'syntax 11']);
  });

  it('CHK1: all errors of names are reported, and undefined ones only without syntax errors', async () => {
    const names = 'x = nope\nx = 1\n\ndef run(input):\n  while input:\n    pass\n  return nope2\n';
    expect((await found(names)).toSorted()).toEqual(['resolve 1', 'resolve 2', 'resolve 5', 'resolve 7']);
    const both = await problems(`def a(:\n  pass\n\n${names}`);
    expect(both.map(({ kind }) => kind)).toContain('syntax');
    expect(both.filter(({ original }) => original.startsWith('undefined: '))).toEqual([]);
  });

  it.each([
    ['try', 'try:\n    pass'],
    ['class', 'class A:\n    pass'],
    ['import', 'import os'],
    ['f-string', 'return f"{input}"'],
    ['is', 'return input is None'],
    ['while', 'while input:\n    pass'],
  ])('CHK2: the message about %s names it; the words of the implementation are kept beside it', async (word, lines) => {
    const text = `def run(input):\n  ${lines}\n`;
    const [problem] = await problems(text);
    expect(problem?.message).toContain(word);
    expect(problem?.message).toMatch(/[.?]$/);
    expect(problem?.original).not.toBe(problem?.message);
    expect(problem?.original).not.toBe('');
    expect(await engine.run(text)).toMatchObject({ ok: false, error: { message: problem?.original } });
  });

  it('CHK2: an undefined name is explained, and a failed run says it in the words of starlark-go', async () => {
    const text = 'def run(input):\n  return nope\n';
    const [problem] = await problems(text);
    expect(problem?.original).toBe('undefined: nope');
    expect(problem?.message).not.toBe('undefined: nope');
    expect(await engine.run(text)).toMatchObject({ ok: false, error: { message: 'undefined: nope' } });
  });
});

describe('formatting', () => {
  const formatted = async (text: string): Promise<string> => {
    const result = await engine.format(text);
    return result.ok ? result.text : `not formatted: ${result.diagnostics[0]?.message}`;
  };

  it('FMT1: changes spaces and nothing else: order, comments and values stay', async () => {
    const text = [
      '# first',
      'deps=["z","a",  "m"]',
      'def f(b,a):',
      '  return {"z":b,"a":a,"m":(b,a)}  # last',
      'def run(input):',
      '  return f(b=deps,name="x",a=2) if False else f(b = deps , a=2)',
      '',
    ].join('\n');
    const out = await formatted(text);
    const tokens = (program: string): string => program.replace(/[\s"'(),]/g, '');
    expect(tokens(out)).toBe(tokens(text));
    const value = '{"z":["z","a","m"],"a":2,"m":[["z","a","m"],2]}';
    for (const program of [text, out]) expect(await engine.run(program)).toMatchObject({ valueJson: value });
  });

  it('FMT1: is idempotent, and keeps CRLF', async () => {
    const once = await formatted('def run( input ):\r\n  x={"a":1,}\r\n  return x # c\r\n');
    expect(once).toContain('\r\n');
    expect(once.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(await formatted(once)).toBe(once);
    expect(await formatted('x = 1\n')).toBe('x = 1\n');
  });

  it('FMT1: does not touch what it cannot read', async () => {
    expect(await engine.format('def f(:\n')).toMatchObject({ ok: false, diagnostics: [{ kind: 'syntax' }] });
  });
});

describe('the outline', () => {
  it('OUT1: holds what could be parsed, also beside syntax errors', async () => {
    const { outline, diagnostics } = await engine.analyse(
      'LIMIT = 3\n\ndef a():\n  pass\n\ndef b(:\n  pass\n\ndef c(x, y = 1):\n  """Does it."""\n  def d():\n    return x\n  return d\n',
    );
    expect(diagnostics.map(({ kind }) => kind)).toEqual(['syntax']);
    expect(outline.symbols).toMatchObject([
      { kind: 'variable', name: 'LIMIT', range: { line: 1 } },
      { kind: 'function', name: 'a', params: [], range: { line: 3 } },
      {
        kind: 'function',
        name: 'c',
        doc: 'Does it.',
        params: [{ name: 'x' }, { name: 'y', default: '1' }],
        children: [{ name: 'd' }],
      },
    ]);
  });
});

describe('the worst case', () => {
  const program = (lines: string): string => `def run(input):\n${lines.replaceAll(/^/gm, '    ')}\n`;
  const worst = async (text: string): Promise<unknown> => {
    const { facts, diagnostics } = await engine.analyse(text);
    expect(diagnostics).toEqual([]);
    return facts?.worst;
  };

  it.each([
    ['pass', 0, 0, 0],
    ['ask("a")\ncommand(["a"])\ntrace("a")', 1, 1, 1],
    ['for i in range(3):\n    ask("a")\n    trace("t")', 3, 0, 3],
    // Either branch, not both.
    ['if input:\n    ask("a")\nelse:\n    ask("a")\n    ask("b")', 2, 0, 0],
    // A branch that returns does not add to what follows.
    ['if input:\n    ask("a")\n    return\nask("b")', 1, 0, 0],
    // A body that always leaves its loop counts once.
    ['for i in range(5):\n    ask("a")\n    break', 1, 0, 0],
    ['for i in range(5):\n    if i:\n        break\n    ask("a")', 5, 0, 0],
    ['for x in input["l"]:\n    ask(x)', null, 0, 0],
    ['for x in input["l"]:\n    pass', 0, 0, 0],
  ])('WRS1: %j', async (lines, ask, command, trace) => {
    expect(await worst(program(lines))).toEqual({ ask, command, trace });
  });

  it('WRS1: without run none exists', async () => {
    expect(await worst('x = 1\n')).toBeNull();
  });

  it.each([
    ['for x in [1, 2]:\n    ask("a")', 2],
    ['for x in (1, 2, 3):\n    ask("a")', 3],
    ['for x in {"a": 1, "b": 2}:\n    ask("a")', 2],
    ['for x in range(1, 10, 4):\n    ask("a")', 3],
    ['for i, x in enumerate(["a", "b"]):\n    ask("a")', 2],
    ['for x in zip([1, 2, 3], [1, 2]):\n    ask("a")', 2],
    ['for x in sorted([3, 1, 2]):\n    ask("a")', 3],
    ['for x in input["l"][:4]:\n    ask("a")', 4],
    ['for x in range(min(input["n"], 4)):\n    ask("a")', 4],
    ['for x in [y for y in [1, 2, 3]]:\n    ask("a")', 3],
    ['return [ask(x) for x in ["a", "b"] for y in range(2)]', 4],
    ['l = [1, 2]\nfor x in l:\n    ask("a")', 2],
    // Changed, or from outside: not known.
    ['l = [1, 2]\nl.append(3)\nfor x in l:\n    ask("a")', null],
    ['for x in range(input["n"]):\n    ask("a")', null],
  ])('WRS2: %j', async (lines, ask) => {
    expect(await worst(program(lines))).toEqual({ ask, command: 0, trace: 0 });
  });

  it('WRS2: a parameter has the length of what it is only ever called with', async () => {
    const each = 'def each(l):\n    for x in l:\n        ask("a")\n\n';
    expect(await worst(each + program('each([1, 2, 3])'))).toMatchObject({ ask: 3 });
    expect(await worst(each + program('each(input["l"])'))).toMatchObject({ ask: null });
  });

  it('WRS3: functions are followed through names, parameters and results', async () => {
    expect(await worst(program('a = ask\na("x")'))).toMatchObject({ ask: 1 });
    const twice = 'def twice(f):\n    f("1")\n    return f("2")\n\ndef give():\n    return ask\n\n';
    expect(await worst(twice + program('twice(ask)'))).toMatchObject({ ask: 2 });
    expect(await worst(twice + program('give()("x")'))).toMatchObject({ ask: 1 });
    expect(await worst(twice + program('twice(len)'))).toMatchObject({ ask: 0 });
  });

  it('WRS3: a function that was put into a list may be called wherever something out of a list is called', async () => {
    const lines = 'fs = [ask, len]\nothers = [str]\nothers[0]("x")';
    expect(await worst(program(lines))).toMatchObject({ ask: 1 });
    expect(await worst(program('fs = [len]\nfs[0]("x")'))).toMatchObject({ ask: 0 });
  });
});
