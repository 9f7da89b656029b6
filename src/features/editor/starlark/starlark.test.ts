import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentedInputKeys } from '../../../model/starlark/input-keys.ts';
import type { Analysis } from '../../../model/starlark/messages.ts';
import { startTestEngine, type TestEngine } from '../../../platform/worker/testing/node-engine.ts';
import { completeStarlark, type Known } from './complete.ts';
import { definitionAt, hoverStarlark, signatureAt, usesAt } from './explain.ts';
import { stopLine } from '../../../model/starlark/stop-line.ts';

const PROGRAM = `LIMIT = 3

def clean(value, key = "x"):
    """Without blanks."""
    return value.strip()

def run(input):
    task = clean(input["task"])
    for attempt in range(1, LIMIT):
        draft = ask(task, {"purpose": "draft"})
        if draft["answer"]:
            return draft["answer"]
    return {"status": "none"}
`;

let test: TestEngine;
let known: Known & { readonly analysis: Analysis };
beforeAll(async () => {
  test = startTestEngine();
  const analysis = await test.engine.analyse({ file: 'SKILL.star', text: PROGRAM });
  known = { analysis, documented: documentedInputKeys('Input keys:\n\n- `task`: What.\n- `heading`: Which.\n') };
});
afterAll(() => test[Symbol.dispose]());

const at = (marked: string): [text: string, offset: number] => [marked.replace('¦', ''), marked.indexOf('¦')];
const labels = (marked: string) => completeStarlark(...at(marked), known).map(({ label }) => label);

describe('completion of programs', () => {
  it('ED40: host functions first, then own names, builtins and keywords', () => {
    const offered = labels('def run(input):\n    ¦');
    expect(offered.slice(0, 3)).toEqual(['ask', 'command', 'trace']);
    expect(offered).toEqual(expect.arrayContaining(['clean', 'LIMIT', 'len', 'return', 'None']));
  });
  it('ED40: own names also while the text is broken', () => {
    expect(completeStarlark(...at('def helper(x):\n    total = 1\n    ((¦'), {}).map(({ label }) => label)).toEqual(
      expect.arrayContaining(['helper', 'total']),
    );
  });
  it('ED41: methods behind a dot, by the type where it is known', () => {
    expect(labels('"a".¦')).toContain('splitlines');
    expect(labels('"a".¦')).not.toContain('append');
    expect(labels('x = []\nx.¦')).toContain('append');
    expect(labels('x = []\nx.¦')).not.toContain('upper');
    expect(labels('unknown.¦')).toEqual(expect.arrayContaining(['append', 'upper', 'items']));
  });
  it('ED42: keys of the input, of results and of options', () => {
    expect(labels('def run(input):\n    x = input["¦"]')).toEqual(['task', 'heading']);
    expect(labels('def run(spec):\n    x = spec.get("¦")')).toEqual(['task', 'heading']);
    expect(labels('r = command(["ls"])\nr["¦"]')).toEqual(['ok', 'exit_code', 'result', 'truncated']);
    expect(labels('ask(p, {"¦"})')).toEqual(['purpose', 'max_turns']);
    expect(labels('ask(p, {"purpose": "¦"})')).toEqual([]);
    expect(labels('x = ["¦"]')).toEqual([]);
  });
  it('ED43: nothing in comments, texts, numbers and new names', () => {
    expect(labels('# a¦')).toEqual([]);
    expect(labels('x = "a¦ b"')).toEqual([]);
    expect(labels('def ¦')).toEqual([]);
  });
});

describe('hover and signatures', () => {
  const hover = (word: string) => hoverStarlark(PROGRAM, PROGRAM.indexOf(word) + 1, known)?.text;
  it('ED44: host functions, builtins, methods and own functions', () => {
    expect(hover('ask(task')).toContain('ask(prompt, opts = {})');
    expect(hover('range(1')).toContain('The whole numbers');
    expect(hover('strip()')).toContain('Without white space');
    expect(hover('clean(input')).toContain('def clean(value, key = "x")');
    expect(hover('clean(input')).toContain('Without blanks.');
    expect(hover('"status"')).toBeUndefined();
  });
  it('ED45: the active parameter, by place and by name', () => {
    expect(signatureAt(...at('ask(¦)'), known)).toMatchObject({ params: ['prompt', 'opts = {}'], active: 0 });
    expect(signatureAt(...at('ask("a, b", {"x": [1, 2¦'), known)).toMatchObject({ active: 1 });
    expect(signatureAt(...at('sorted(x, reverse = ¦'), known)).toMatchObject({ active: 2 });
    expect(signatureAt(...at('clean(a, ¦'), known)).toMatchObject({ label: 'clean(value, key = "x")', active: 1 });
    expect(signatureAt(...at('"a".split(¦'), known)?.label).toBe('split(sep, maxsplit)');
    expect(signatureAt(...at('def clean(¦'), known)).toBeUndefined();
    expect(signatureAt(...at('x = (1, ¦'), known)).toBeUndefined();
  });
});

describe('definitions, uses and stops', () => {
  it('ED46: from a use to its binding', () => {
    expect(definitionAt(known.analysis, 8, 13)).toMatchObject({ line: 3, column: 5 });
    expect(definitionAt(known.analysis, 9, 30)).toMatchObject({ line: 1, column: 1 });
    // `ask` belongs to the host.
    expect(definitionAt(known.analysis, 10, 18)).toBeUndefined();
  });
  it('ED46: all uses of a name', () => {
    expect(usesAt(known.analysis, 11, 13).map(({ line }) => line)).toEqual([10, 11, 12]);
  });
  it('ED47: a breakpoint moves to the next line that the program stops at', () => {
    expect(stopLine(known.analysis, 8)).toBe(8);
    expect(stopLine(known.analysis, 6)).toBeGreaterThan(6);
    expect(stopLine(known.analysis, 400)).toBeUndefined();
    expect(stopLine(undefined, 6)).toBe(6);
  });
});
